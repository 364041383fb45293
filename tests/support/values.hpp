// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <trigon/create.hpp>
#include <trigon/math.hpp>
#include <trigon/op.hpp>
#include <trigon/operators.hpp>
#include <trigon/shape.hpp>
#include <trigon/tensor.hpp>

namespace trigon::support {

/// Random numbers that are the same with every standard library.
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}

  /// In [0, 1).
  double unit() { return engine_() * (1.0 / 4294967296.0); }
  double between(double low, double high) { return low + (high - low) * unit(); }
  /// In [0, n).
  int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint32_t>(n)); }
  bool chance(double p) { return unit() < p; }

  /// From the whole range. If it has one sign, half of the numbers are spread over its orders of
  /// magnitude.
  float inside(const Range& range) {
    if (range.low > 0 && range.high / range.low > 100 && chance(0.5)) {
      const double power = between(std::log(range.low), std::log(range.high));
      return static_cast<float>(std::exp(power));
    }
    return static_cast<float>(between(range.low, range.high));
  }

 private:
  std::mt19937 engine_;
};

/// From the host, since constants belong to no device, and evaluating them would measure nothing.
inline Tensor filled(const Shape& shape, float value = 1) {
  return tensor<float>(std::vector<float>(static_cast<std::size_t>(shape.numel()), value), shape);
}

/// Computed on the device, so that its texture may be written in place.
inline Tensor evaluated(const Shape& shape, float value) {
  Tensor x = filled(shape, value) + 0.0;
  x.eval();
  return x;
}

/// 0, factor, 2 * factor, ..., on the device.
inline Tensor counting(const Shape& shape, double factor = 1) {
  Tensor x = reshape(arange(shape.numel()).astype(float32) * factor, shape);
  x.eval();
  return x;
}

/// Values in [-1, 1] without a pattern, on a device.
inline Tensor noise_on(const Device& device, const Shape& shape, double seed) {
  Tensor x = reshape(sin(iota(shape.numel()).astype(float32) * 1.7 + seed), shape).to(device);
  x.eval();
  return x;
}

inline std::vector<float> random_floats(Random& random, std::int64_t count, const Range& range) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& v : values) v = random.inside(range);
  return values;
}

/// A quarter of the numbers is whole, so that some are equal in comparisons.
inline std::vector<float> random_mixed(Random& random, std::int64_t count, const Range& range) {
  std::vector<float> values = random_floats(random, count, range);
  for (float& v : values) {
    const float whole = std::round(v);
    if (random.chance(0.25) && whole >= range.low && whole <= range.high) v = whole;
  }
  return values;
}

inline Tensor random_tensor(Random& random, const Shape& shape, const Range& range = {-2, 2}) {
  return tensor<float>(random_floats(random, shape.numel(), range), shape);
}

/// Whole numbers from low to high, both included.
inline Tensor random_ints(Random& random, const Shape& shape, int low, int high) {
  std::vector<std::int32_t> values(static_cast<std::size_t>(shape.numel()));
  for (std::int32_t& v : values) v = low + random.below(high - low + 1);
  return tensor<std::int32_t>(values, shape);
}

inline Tensor random_bools(Random& random, const Shape& shape) {
  return random_ints(random, shape, 0, 1).astype(DType::boolean);
}

}  // namespace trigon::support
