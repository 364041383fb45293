// SPDX-License-Identifier: MIT
#include "keys.hpp"

#include <trigon/ops/binary.hpp>
#include <trigon/ops/bitwise.hpp>
#include <trigon/ops/trigonometric.hpp>
#include <trigon/ops/unary.hpp>
#include <trigon/ops/view.hpp>

namespace simulate {
namespace {

using trigon::Shape;
using trigon::Tensor;

constexpr double unit = 1.0 / 16777216;  // 2^-24

Tensor counter(const Shape& shape) {
  return reshape(trigon::iota(shape.numel()).astype(trigon::uint32), shape);
}

// The upper 24 bits, all that a float holds exactly.
Tensor mantissa(const Tensor& counter, const Tensor& key) {
  const Tensor bits = trigon::random_bits(counter, key.astype(trigon::uint32));
  return trigon::right_shift(bits, 8).astype(trigon::float32);
}

}  // namespace

Tensor fold_in(const Tensor& key, const Tensor& number) {
  return trigon::random_bits(number.astype(trigon::uint32), key.astype(trigon::uint32));
}

Tensor uniform(const Tensor& key, const Shape& shape) {
  return mantissa(counter(shape), key) * unit;
}

Tensor normal(const Tensor& key, const Shape& shape) {
  constexpr double two_pi = 6.28318530717958647692;
  const Tensor even = counter(shape) * 2;
  const Tensor u = (mantissa(even, key) + 1.0) * unit;
  const Tensor turn = mantissa(even + 1, key) * unit - 0.5;
  return sqrt(-2.0 * log(u)) * cos(two_pi * turn);
}

Tensor integers(const Tensor& key, const Shape& shape, std::int64_t below) {
  // The product may round up to `below`.
  const Tensor x = (uniform(key, shape) * static_cast<double>(below)).astype(trigon::int32);
  return minimum(x, below - 1);
}

}  // namespace simulate
