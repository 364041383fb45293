// SPDX-License-Identifier: MIT
#include "trigon/random.hpp"

#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "graph/build.hpp"
#include "trigon/error.hpp"
#include "trigon/ops/binary.hpp"
#include "trigon/ops/bitwise.hpp"
#include "trigon/ops/trigonometric.hpp"
#include "trigon/ops/unary.hpp"
#include "trigon/ops/view.hpp"

namespace trigon::random {
namespace {

Tensor key_of(const Key& key) {
  const Tensor& value = key.value();
  if (value.node()->kind == graph::Kind::scalar) graph::whole_number("random", "key", value);
  if (!is_integer(value.dtype())) {
    throw Error(
        fmt::format("trigon::random: key is not an integer: it is {}; must be of an integer type",
                    name(value.dtype())));
  }
  return value.astype(uint32);
}

// The key of numbers of this shape.
Tensor key_of(const Key& key, const Shape& shape) {
  if (!(broadcast("random", key.value().shape(), shape) == shape)) {
    throw Error(fmt::format(
        "trigon::random: key does not fit: it is {}, the numbers are {}; must broadcast "
        "to their shape",
        to_string(key.value().shape()), to_string(shape)));
  }
  return key_of(key);
}

Tensor counter(const Shape& shape) { return reshape(iota(shape.numel()).astype(uint32), shape); }

// The upper 24 bits, all that a float holds exactly: 0 ... 2^24 - 1.
Tensor mantissa(const Tensor& bits) { return right_shift(bits, 8).astype(float32); }

constexpr double unit = 1.0 / 16777216;  // 2^-24

}  // namespace

Tensor fold_in(const Key& key, const Key& number) {
  return random_bits(key_of(number), key_of(key));
}

Tensor bits(const Key& key, const Shape& shape) {
  return random_bits(counter(shape), key_of(key, shape));
}

Tensor uniform(const Key& key, const Shape& shape, double low, double high) {
  const Tensor x = mantissa(bits(key, shape)) * ((high - low) * unit);
  if (low == 0 && high == 1) return x;
  // The sum may round up to `high`.
  const float last = std::nextafter(static_cast<float>(high), static_cast<float>(low));
  return minimum(x + low, last);
}

Tensor normal(const Key& key, const Shape& shape, double mean, double stddev) {
  constexpr double two_pi = 6.28318530717958647692;
  const Tensor even = counter(shape) * 2;
  const Tensor k = key_of(key, shape);
  const Tensor u = (mantissa(random_bits(even, k)) + 1.0) * unit;       // (0, 1]
  const Tensor turn = mantissa(random_bits(even + 1, k)) * unit - 0.5;  // [-0.5, 0.5)
  const Tensor z = sqrt(-2.0 * log(u)) * cos(two_pi * turn);
  if (mean == 0 && stddev == 1) return z;
  return z * stddev + mean;
}

}  // namespace trigon::random
