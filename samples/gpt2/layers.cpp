// SPDX-License-Identifier: MIT
#include "layers.hpp"

#include <fmt/format.h>

#include <cmath>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

namespace gpt2 {

using trigon::Scalar;
using trigon::Slice;
using trigon::Tensor;
using trigon::Window;
namespace nn = trigon::nn;

Tensor split_heads(const Tensor& x, std::int64_t heads) {
  const std::int64_t width = x.shape()[1] / heads;
  return x.reshape(x.shape()[0], heads, width).transpose({1, 0, 2});
}

Tensor columns(const Tensor& x, std::int64_t from, std::int64_t to) {
  return x.at(Slice{}, Slice{from, to}).get();
}

Tensor apply(const LayerNorm& norm, const Tensor& x, const Config& config) {
  return nn::layer_norm(x, norm.weight, norm.bias, {.eps = config.layer_norm_epsilon});
}

Tensor apply(const Linear& layer, const Tensor& x) {
  return nn::linear(x, layer.weight, layer.bias);
}

double attention_scale(const Config& config, std::size_t layer) {
  double scale = 1.0;
  if (config.scale_attn_weights) scale /= std::sqrt(static_cast<double>(config.head_width()));
  if (config.scale_attn_by_inverse_layer_idx) scale /= static_cast<double>(layer + 1);
  return scale;
}

void check_length(const char* function, const Config& config, std::span<const std::int32_t> ids,
                  std::int64_t past) {
  config.check_ids(ids);
  const auto length = static_cast<std::int64_t>(ids.size());
  if (length > 0 && length <= config.n_positions - past) return;
  throw trigon::Error(fmt::format(
      "{}: wrong number of ids: {} after {}; there must be at least 1 and together at most "
      "n_positions = {}",
      function, length, past, config.n_positions));
}

// A single id is a Scalar: nothing is uploaded for it, and the plan stays the same.
Tensor embed(const Weights& weights, std::span<const std::int32_t> ids, const Scalar& past,
             const trigon::Device& device) {
  const auto length = static_cast<std::int64_t>(ids.size());
  const Tensor indices =
      length == 1 ? Scalar(ids[0]).tensor() : trigon::tensor<std::int32_t>(ids, {length}, device);
  const Tensor tokens = take(weights.wte, indices);
  return tokens + weights.wpe.at(Window{past, length}).get();  // (T, C)
}

Tensor join_heads(const Tensor& x) {
  return x.transpose({1, 0, 2}).reshape(x.shape()[1], x.shape()[0] * x.shape()[2]);
}

// The end of a block. `input`: its input (T, C); `attended`: the heads, joined (T, C).
Tensor finish_block(const Block& b, const Config& c, const Tensor& input, const Tensor& attended) {
  const Tensor y = input + apply(b.attn_proj, attended);
  const Tensor inner = c.activation(apply(b.mlp_fc, apply(b.ln_2, y, c)));  // (T, n_inner)
  return y + apply(b.mlp_proj, inner);
}

Tensor logits(const Weights& weights, const Tensor& normed) {
  return nn::linear(normed, weights.head);
}

namespace {

// As trigon::argmax, but -1 if the largest value is NaN or infinite; also one draw.
const trigon::Op& finite_argmax() {
  static const trigon::Op op([] {
    trigon::ReduceSpec spec = trigon::find_op("argmax")->reduce();
    spec.name = "finite_argmax";
    spec.finish = "y0 = select_(isfinite_(a0), a1, T(-1));";
    spec.ref = [](std::span<const double> x, double* y) {
      trigon::find_op("argmax")->reduce().ref.get()(x, y);
      if (!std::isfinite(x[static_cast<std::size_t>(*y)])) *y = -1;
    };
    return spec;
  }());
  return op;
}

}  // namespace

Tensor last_logits(const Weights& weights, const Tensor& x) {
  const Tensor last = x.at(Slice{-1, std::nullopt}).get();  // (1, C)
  return logits(weights, apply(weights.ln_f, last, weights.config));
}

Tensor largest(const Tensor& logits) { return trigon::reduce(finite_argmax(), logits, -1)[0]; }

std::int32_t checked(std::int32_t id) {
  if (id >= 0) return id;
  throw trigon::Error(
      "gpt2::Session::greedy: the largest logit is NaN or infinite; the model's weights must be "
      "numbers that keep it finite");
}

}  // namespace gpt2
