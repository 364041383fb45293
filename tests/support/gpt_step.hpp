// SPDX-License-Identifier: MIT
#pragma once

#include <trigon/trigon.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

// A training step of a small GPT, the workload that tests pin and benchmarks time: forward pass,
// gradient and SGD in one graph.

namespace trigon::support {

struct GptSize {
  std::int64_t layers = 12;
  std::int64_t batch = 2;
  std::int64_t length = 16;  ///< T
  std::int64_t width = 32;   ///< C
  std::int64_t heads = 4;
  std::int64_t vocabulary = 64;  ///< V
};

/// Gives a float32 leaf of a shape.
using MakeLeaf = std::function<Tensor(const Shape&)>;

/// wte (V, C), wpe (T, C), 12 tensors a layer, then ln_f's two and the head (V, C).
inline std::vector<Tensor> gpt_parameters(const GptSize& size, const MakeLeaf& leaf) {
  const std::int64_t c = size.width;
  std::vector<Shape> shapes = {{size.vocabulary, c}, {size.length, c}};
  for (std::int64_t layer = 0; layer < size.layers; ++layer) {
    const std::vector<Shape> block = {{c}, {c}, {3 * c, c}, {3 * c}, {c, c},     {c},
                                      {c}, {c}, {4 * c, c}, {4 * c}, {c, 4 * c}, {c}};
    shapes.insert(shapes.end(), block.begin(), block.end());
  }
  shapes.insert(shapes.end(), {{c}, {c}, {size.vocabulary, c}});
  std::vector<Tensor> parameters;
  for (const Shape& shape : shapes) parameters.push_back(leaf(shape));
  return parameters;
}

/// x (B, T, C), p: the layer's 12 parameters -> (B, T, C).
inline Tensor gpt_block(const GptSize& size, const Tensor& x, std::span<const Tensor> p) {
  const std::int64_t b = size.batch, t = size.length, c = size.width;
  const Tensor qkv = nn::linear(nn::layer_norm(x, p[0], p[1]), p[2], p[3]);  // (B, T, 3C)
  const auto head = [&](std::int64_t k) {
    const Tensor own = qkv.at(ellipsis, Slice{k * c, (k + 1) * c}).get();
    return own.reshape(b, t, size.heads, c / size.heads).transpose({0, 2, 1, 3});
  };
  const Tensor q = head(0), k = head(1), v = head(2);  // (B, H, T, C / H)
  const Tensor y = nn::scaled_dot_product_attention(q, k, v, {.is_causal = true});
  const Tensor joined = y.transpose({0, 2, 1, 3}).reshape(b, t, c);
  const Tensor middle = x + nn::linear(joined, p[4], p[5]);
  const Tensor inner = nn::gelu(nn::linear(nn::layer_norm(middle, p[6], p[7]), p[8], p[9]));
  return middle + nn::linear(inner, p[10], p[11]);
}

/// The mean cross-entropy of the next tokens. ids (B, T) int32, targets (B, T, V): ones at the next
/// tokens, zeros elsewhere.
inline Tensor gpt_loss(const GptSize& size, std::span<const Tensor> p, const Tensor& ids,
                       const Tensor& targets) {
  Tensor x = nn::embedding(ids, p[0]) + p[1];  // (B, T, C)
  for (std::int64_t layer = 0; layer < size.layers; ++layer) {
    x = gpt_block(size, x, p.subspan(static_cast<std::size_t>(2 + 12 * layer), 12));
  }
  const std::size_t last = p.size() - 3;
  const Tensor logits = nn::linear(nn::layer_norm(x, p[last], p[last + 1]), p[last + 2]);
  const auto count = static_cast<double>(size.batch * size.length);
  return sum(nn::log_softmax(logits) * targets) * (-1.0 / count);
}

/// The loss and the parameters after a step of SGD, not evaluated: loss, p[0], p[1], ...
inline std::vector<Tensor> gpt_step(const GptSize& size, const std::vector<Tensor>& parameters,
                                    const Tensor& ids, const Tensor& targets, const Scalar& rate) {
  const auto loss = [&](const std::vector<Tensor>& p) { return gpt_loss(size, p, ids, targets); };
  const auto [value, gradients] = value_and_grad(loss)(parameters);
  std::vector<Tensor> roots = {value};
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    roots.push_back(parameters[k] - rate.tensor() * gradients[k]);
  }
  return roots;
}

}  // namespace trigon::support
