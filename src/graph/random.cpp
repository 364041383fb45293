// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "core/bits.hpp"
#include "core/internals.hpp"
#include "core/item.hpp"
#include "core/list.hpp"
#include "graph/build.hpp"
#include "graph/random.hpp"

namespace trigon::detail::graph {
namespace {

// ---- References

struct Words {
  std::uint32_t first, second;
};

std::uint32_t word_of(std::span<const double> pieces) {
  return 256 * core::low_bits(pieces[0]) + core::low_bits(pieces[1]);
}

Words words_of(std::span<const double> pieces) {
  return {word_of(pieces), word_of(pieces.subspan(2))};
}

void put(std::uint32_t word, std::span<double> pieces) {
  pieces[0] = word >> 8U;
  pieces[1] = word & 255U;
}

Words threefry_reference(const Words& key, Words x) {
  static constexpr std::array<std::array<unsigned, 4>, 2> rotations{
      {{13, 15, 26, 6}, {17, 29, 16, 24}}};
  const std::array<std::uint32_t, 3> keys{key.first, key.second,
                                          key.first ^ key.second ^ 0x1BD11BDAU};
  x.first += keys[0];
  x.second += keys[1];
  for (std::uint32_t group = 0; group < 5; ++group) {
    for (const unsigned r : item(rotations, group % 2)) {
      x.first += x.second;
      x.second = (x.second << r | x.second >> (32 - r)) ^ x.first;
    }
    x.first += item(keys, (group + 1) % 3);
    x.second += item(keys, (group + 2) % 3) + group + 1;
  }
  return x;
}

void threefry_values(std::span<const double> inputs, std::span<double> outputs) {
  const Words x = threefry_reference(words_of(inputs.first(4)), words_of(inputs.subspan(4)));
  put(x.first ^ x.second, outputs);
  put(x.first, outputs.subspan(2));
  put(x.second, outputs.subspan(4));
}

void halves_values(std::span<const double> inputs, std::span<double> outputs) {
  const std::uint32_t word = word_of(inputs);
  outputs[0] = word >> 16U;
  outputs[1] = word & 65535U;
}

void scaled_values(std::span<const double> inputs, std::span<double> outputs) {
  const Words w = words_of(inputs);
  const std::uint64_t range = core::low_bits(inputs[4]);
  const std::uint64_t product = (w.first * range + (w.second * range >> 32U)) >> 32U;
  outputs[0] =
      static_cast<std::int32_t>(core::low_bits(inputs[5]) + static_cast<std::uint32_t>(product));
}

void interval_values(std::span<const double> inputs, std::span<double> outputs) {
  const auto product = static_cast<float>(inputs[0] * inputs[2]);
  const auto sum = static_cast<float>(inputs[1] + product);
  outputs[0] = std::min<double>(sum, inputs[3]);
}

// ---- Ops

KernelSpec::Parameter whole(const char* name, DType dtype = DType::int32) {
  return {.name = name, .dtype = dtype};
}

std::vector<KernelSpec::Parameter> parameters(std::initializer_list<const char*> names,
                                              DType dtype = DType::int32) {
  std::vector<KernelSpec::Parameter> list;
  for (const char* name : names) list.push_back(whole(name, dtype));
  return list;
}

const Op& threefry_op() {
  static const Op op(
      KernelSpec{.name = "threefry",
                 .inputs = parameters({"k0", "k1", "k2", "k3", "c0", "c1", "c2", "c3"}),
                 .outputs = parameters({"m0", "m1", "x0", "x1", "x2", "x3"}),
                 .body = "threefry_(k0, k1, k2, k3, c0, c1, c2, c3, m0, m1, x0, x1, x2, x3)",
                 .ref = threefry_values,
                 .instructions = 60,
                 .loop_iterations = 32});
  return op.canonical();
}

const Op& halves_op() {
  static const Op op(KernelSpec{.name = "halves",
                                .inputs = parameters({"upper", "rest"}),
                                .outputs = parameters({"h", "l"}),
                                .body = "halves_(upper, rest, h, l)",
                                .ref = halves_values,
                                .instructions = 5});
  return op.canonical();
}

std::vector<KernelSpec::Parameter> scaled_inputs() {
  std::vector<KernelSpec::Parameter> inputs = parameters({"x0", "x1", "x2", "x3"});
  inputs.push_back(whole("range", DType::uint32));
  inputs.push_back(whole("low"));
  return inputs;
}

const Op& scaled_op() {
  static const Op op(KernelSpec{.name = "scaled",
                                .inputs = scaled_inputs(),
                                .outputs = parameters({"y"}),
                                .body = "y = low + scaled_(x0, x1, x2, x3, range)",
                                .ref = scaled_values,
                                .instructions = 15});
  return op.canonical();
}

const Op& interval_op() {
  // The product is hidden from compilers: some devices would fuse it with the sum.
  static const Op op(KernelSpec{.name = "interval",
                                .inputs = parameters({"x", "low", "range", "last"}, DType::float32),
                                .outputs = parameters({"y"}, DType::float32),
                                .body = "y = min(low + keep_(x * range), last)",
                                .ref = interval_values,
                                .instructions = 3});
  return op.canonical();
}

std::vector<Tensor> prepared(const Op& op, std::span<const Tensor> operands, const Shape& shape) {
  std::vector<Tensor> inputs;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const DType dtype = item(op.kernel().inputs, k).dtype;
    inputs.push_back(expand(cast(operands[k], dtype), shape));
  }
  return inputs;
}

}  // namespace

Threefry threefry(const WordPair& key, const WordPair& counter, const Shape& shape) {
  const Op& op = threefry_op();
  std::vector<Tensor> operands(key.begin(), key.end());
  core::append(operands, counter);
  const std::vector<Tensor> inputs = prepared(op, operands, shape);
  Threefry result;
  const std::vector<Tensor> outputs = kernel(op, inputs, shape);
  std::copy_n(outputs.begin(), 2, result.mixed.begin());
  std::copy_n(outputs.begin() + 2, 4, result.words.begin());
  return result;
}

std::pair<Tensor, Tensor> halves(const Tensor& upper, const Tensor& rest, const Shape& shape) {
  const Op& op = halves_op();
  const std::array<Tensor, 2> operands{upper, rest};
  const std::vector<Tensor> inputs = prepared(op, operands, shape);
  const std::vector<Tensor> outputs = kernel(op, inputs, shape);
  return {outputs[0], outputs[1]};
}

Tensor scaled_words(const WordPair& words, const Tensor& range, const Tensor& low,
                    const Shape& shape) {
  std::vector<Tensor> operands(words.begin(), words.end());
  operands.push_back(range);
  operands.push_back(low);
  return kernel(scaled_op(), prepared(scaled_op(), operands, shape), shape)[0];
}

Tensor interval(const Tensor& x, double low, double range, double last) {
  const auto real = [](double value) { return Internals::tensor(scalar(value, DType::float32)); };
  const std::array<Tensor, 4> operands{x, real(low), real(range), real(last)};
  return kernel(interval_op(), prepared(interval_op(), operands, x.shape()), x.shape())[0];
}

}  // namespace trigon::detail::graph
