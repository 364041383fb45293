// SPDX-License-Identifier: MIT
// The Trigon side of the rows of bench/web, called by worker.js, which has their tfjs side.
#include <emscripten/emscripten.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <trigon/trigon.hpp>

#include "gpt2_speed.hpp"

namespace {

using trigon::Shape;
using trigon::Slice;
using trigon::Tensor;
using Tensors = std::vector<Tensor>;

struct Row {
  std::string name;
  std::vector<Shape> inputs;
  std::function<Tensor(const Tensors&)> compute;
};

constexpr std::int64_t width = 192, heads = 6, length = 256;  // of the bundled model

// (T, C) -> (H, T, C / H)
Tensor split_heads(const Tensor& x) {
  return x.reshape(length, heads, width / heads).transpose({1, 0, 2});
}

// A block of GPT-2. Inputs: x (T, C), then ln_1, qkv, proj, ln_2, fc and proj, each a weight (out,
// in) and a bias.
Tensor block(const Tensors& in) {
  namespace nn = trigon::nn;
  const Tensor& x = in[0];
  const Tensor qkv = nn::linear(nn::layer_norm(x, in[1], in[2]), in[3], in[4]);  // (T, 3C)
  const auto third = [&](std::int64_t k) {
    return split_heads(qkv.at(Slice{}, Slice{k * width, (k + 1) * width}).get());
  };
  const Tensor heads_of =
      nn::scaled_dot_product_attention(third(0), third(1), third(2), {.is_causal = true});
  const Tensor joined = heads_of.transpose({1, 0, 2}).reshape(length, width);
  const Tensor y = x + nn::linear(joined, in[5], in[6]);
  const Tensor inner = nn::linear(nn::layer_norm(y, in[7], in[8]), in[9], in[10]);
  return y + nn::linear(nn::gelu(inner, nn::Gelu::tanh), in[11], in[12]);
}

const std::vector<Row>& rows() {
  constexpr std::int64_t many = 2048;  // squared: 4 M
  static const std::vector<Row> all{
      {"matmul 512",
       {{512, 512}, {512, 512}},
       [](const Tensors& in) { return matmul(in[0], in[1]); }},
      {"matmul 1024",
       {{1024, 1024}, {1024, 1024}},
       [](const Tensors& in) { return matmul(in[0], in[1]); }},
      {"six elementwise ops on 4 M",
       {{many, many}, {many, many}},
       [](const Tensors& in) { return maximum(abs(in[0] * in[1] + 0.5) - in[1], in[0]) * 2.0; }},
      {"softmax of 1024 x 1024",
       {{1024, 1024}},
       [](const Tensors& in) { return trigon::nn::softmax(in[0], -1); }},
      {"GPT-2's block",
       {{length, width},
        {width},
        {width},
        {3 * width, width},
        {3 * width},
        {width, width},
        {width},
        {width},
        {width},
        {4 * width, width},
        {4 * width},
        {width, 4 * width},
        {width}},
       block}};
  return all;
}

const Row& row_of(int row) { return rows()[static_cast<std::size_t>(row)]; }

// The state for worker.js's requests, row by row.
struct Bench {
  std::vector<std::vector<float>> values;  // of the inputs
  Tensors inputs;
  Tensor result;
  std::vector<float> read;
  std::string text;  // the result of the last call
  std::unique_ptr<bench::Gpt2Speed> gpt2;
};

Bench& state() {
  static Bench one;
  return one;
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE int row_count() { return static_cast<int>(rows().size()); }
EMSCRIPTEN_KEEPALIVE const char* row_name(int row) { return row_of(row).name.c_str(); }

EMSCRIPTEN_KEEPALIVE const char* device_name() {
  state().text = trigon::Device::default_device().name();
  return state().text.c_str();
}

/// Makes and uploads the inputs of a row; returns their shapes as JSON.
EMSCRIPTEN_KEEPALIVE const char* prepare(int row) {
  Bench& b = state();
  b.values.clear();
  b.inputs.clear();
  std::mt19937 random(static_cast<unsigned>(row) + 1);
  std::vector<std::string> shapes;
  for (const Shape& shape : row_of(row).inputs) {
    // Not std::uniform_real_distribution, whose numbers differ between libraries.
    std::vector<float> values(static_cast<std::size_t>(shape.numel()));
    for (float& value : values) value = static_cast<float>(random() >> 8) * 0x1p-23F - 1.0F;
    b.inputs.push_back(trigon::tensor<float>(std::span<const float>(values), shape));
    b.values.push_back(std::move(values));
    std::vector<std::int64_t> sizes(shape.begin(), shape.end());
    shapes.push_back(fmt::format("[{}]", fmt::join(sizes, ",")));
  }
  b.text = fmt::format("[{}]", fmt::join(shapes, ","));
  return b.text.c_str();
}

EMSCRIPTEN_KEEPALIVE const float* input_values(int input) {
  return state().values[static_cast<std::size_t>(input)].data();
}

/// Evaluates a row `count` times and waits for the last one.
EMSCRIPTEN_KEEPALIVE void run_row(int row, int count) {
  Bench& b = state();
  for (int k = 0; k < count; ++k) b.result = row_of(row).compute(b.inputs).eval();
  trigon::synchronize();
}

/// The result of the last run.
EMSCRIPTEN_KEEPALIVE const float* result_values() {
  state().read = state().result.to_vector<float>();
  return state().read.data();
}
EMSCRIPTEN_KEEPALIVE int result_size() { return static_cast<int>(state().read.size()); }

EMSCRIPTEN_KEEPALIVE void gpt2_load() {
  state().gpt2 = std::make_unique<bench::Gpt2Speed>("/model");
}
EMSCRIPTEN_KEEPALIVE double gpt2_first_ms() { return state().gpt2->first_ms(); }
EMSCRIPTEN_KEEPALIVE double gpt2_tokens_per_second(int count) {
  return state().gpt2->tokens_per_second(count);
}
EMSCRIPTEN_KEEPALIVE const char* gpt2_ids() {
  state().text = fmt::format("[{}]", fmt::join(state().gpt2->ids(), ","));
  return state().text.c_str();
}

}  // extern "C"
