// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <trigon/logic.hpp>
#include <trigon/math.hpp>
#include <trigon/trigon.hpp>

#include "support/random_pool.hpp"

// Leaves and elementwise ops of random graphs. Each op maps any number into a range that the next
// one accepts; bounds of errors are derived for float32.

namespace trigon::support {

// ---- Leaves -------------------------------------------------------------------------------------

inline DType random_dtype(RandomPool& pool) {
  static constexpr DType dtypes[] = {float32, float32, float32, float32, float16,
                                     int32,   int32,   uint32,  uint8,   boolean};
  return dtypes[pool.random.below(10)];
}

/// Elements that `dtype` holds exactly; half of the float tensors are whole.
inline std::vector<double> random_elements(RandomPool& pool, DType dtype, std::int64_t count) {
  Random& random = pool.random;
  const bool is_whole = random.chance(0.5);
  const bool is_wide = !pool.is_webgl1() && random.chance(0.3);  // from all 32 bits
  const bool is_real = is_float(dtype);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& v : values) {
    switch (dtype) {
      case DType::float32: v = static_cast<float>(random.between(-2, 2)); break;
      case DType::float16: v = graph::round_to_half(random.between(-2, 2)); break;
      case DType::int32: v = random.below(19) - 9; break;
      case DType::uint32: v = random.below(19); break;
      case DType::uint8: v = random.below(256); break;
      case DType::boolean: v = random.below(2); break;
    }
    if (is_real && is_whole) v = random.below(7) - 3;
    if (dtype == DType::int32 && is_wide) v = std::floor(random.between(-2147483648.0, 2147483648));
    if (dtype == DType::uint32 && is_wide) v = std::floor(random.between(0, 4294967296.0));
  }
  return values;
}

inline Tensor random_leaf(RandomPool& pool, DType dtype, const Shape& shape) {
  return pool.leaf(random_elements(pool, dtype, shape.numel()), dtype, shape);
}

/// Up to six axes; some sizes are 1, few are 0, most are not multiples of four.
inline Shape random_shape(RandomPool& pool) {
  static const Shape large[] = {{64, 64}, {1, 4096}, {4093}, {7, 129}, {33, 65}, {130, 3, 5}};
  static constexpr std::int64_t sizes[] = {1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 11};
  if (pool.random.chance(0.06)) return large[pool.random.below(6)];
  Shape shape;
  const int rank = pool.random.chance(0.15) ? 4 + pool.random.below(3) : pool.random.below(4);
  while (shape.rank() < rank) {
    const std::int64_t size = sizes[pool.random.below(12)];
    shape.push_back(pool.random.chance(0.02) ? 0
                    : shape.rank() > 3       ? std::min<std::int64_t>(size, 3)
                                             : size);
  }
  return shape;
}

/// A shape that broadcasts to `shape`: fewer leading axes, some of size 1.
inline Shape random_written(RandomPool& pool, const Shape& shape) {
  Shape written = shape;
  while (written.rank() > 0 && pool.random.chance(0.2)) written.erase(0);
  for (int k = 0; k < written.rank(); ++k) {
    if (pool.random.chance(0.15)) written[k] = 1;
  }
  return written;
}

inline void grow_leaf(RandomPool& pool) {
  const RandomValue* like = pool.random.chance(0.5) ? pool.pick() : nullptr;
  const Shape shape = like == nullptr ? random_shape(pool) : random_written(pool, like->shape);
  const DType dtype = random_dtype(pool);
  switch (pool.random.below(8)) {
    case 0: {
      const double value = pool.random.below(4);
      return pool.keep(full(shape, value, dtype), 0, fmt::format("full({})", value));
    }
    case 1: {
      const int key = pool.random.below(1000) - 3;
      return pool.keep(random::uniform(Scalar(key), shape), 0, fmt::format("uniform({})", key));
    }
    case 2: {
      const int key = pool.random.below(1000);
      if (pool.random.chance(0.3)) {
        // Logarithm, root and cosine; their own errors are a few units each.
        return pool.keep(random::normal(Scalar(key), shape), 2e-5, fmt::format("normal({})", key));
      }
      if (pool.random.chance(0.5)) {
        // Profile webgl1 has no integers of 32 bits.
        return pool.is_webgl1()
                   ? pool.keep(random::integers(key, shape, -5, 9), 0,
                               fmt::format("integers({}, -5, 9)", key))
                   : pool.keep(random::bits(Scalar(key), shape), 0, fmt::format("bits({})", key));
      }
      return pool.keep_rounded(random::uniform(Scalar(key), shape, -1, 2), 0,
                               fmt::format("uniform({}, -1, 2)", key));
    }
    case 3: return pool.keep(iota(shape.numel()).reshape(shape), 0, "iota.reshape");
    default: break;
  }
  pool.keep(random_leaf(pool, dtype, shape), 0, "leaf");
}

/// A second operand: a held value that broadcasts with x, a leaf or a Scalar.
inline const RandomValue& fitting(RandomPool& pool, const RandomValue& x) {
  const Shape shape = x.shape;
  if (pool.random.chance(0.25)) {
    const std::size_t count = pool.values().size();
    if (pool.random.chance(0.2)) {
      const int value = pool.random.below(7) - 3;
      const bool is_whole = pool.random.chance(0.5);
      const Scalar scalar = is_whole ? Scalar(value) : Scalar(value + 0.5);
      pool.keep(scalar.tensor(), 0, fmt::format("Scalar({})", scalar.value()));
    } else {
      const DType dtype = random_dtype(pool);
      pool.keep(random_leaf(pool, dtype, random_written(pool, shape)), 0, "leaf");
    }
    if (pool.values().size() > count) return pool.values().back();
  }
  return *pool.pick([&](const RandomValue& y) { return broadcasts(shape, y.shape); });
}

// ---- Floats -------------------------------------------------------------------------------------

/// Whether promotion changes no element: whole numbers past 2^24 are rounded in float32.
inline bool promotes_exactly(const RandomValue& x, const RandomValue& y) {
  if (is_float(x.dtype) == is_float(y.dtype)) return true;
  return std::max(x.size, y.size) < most_exact;
}

/// The largest change of an element: a unit in the last place of the larger one.
inline double promotion_error(const RandomValue& x, const RandomValue& y) {
  return promotes_exactly(x, y) ? 0 : 2 * float_epsilon * std::max(x.size, y.size);
}

/// Whether integers of webgl1, which are floats, hold every sum and product of the two.
inline bool holds_results(const RandomPool& pool, const RandomValue& x, const RandomValue& y) {
  if (!pool.is_webgl1()) return true;
  const auto bears = [](const RandomValue& v) {
    return v.dtype != DType::uint8 && v.dtype != DType::uint32;
  };
  return bears(x) && bears(y) && x.size * y.size < most_exact;
}

inline void grow_floor_and_sign(RandomPool& pool, const RandomValue& x) {
  if (!x.is_exact()) return;  // a step may fall on either side
  const Tensor whole = floor(x.tensor);
  pool.keep_correct(whole + sign(x.tensor), 0, "floor + sign(" + label(x) + ")");
}

inline void grow_unary(RandomPool& pool) {
  const RandomValue& x = *pool.pick();
  if (!is_float(x.dtype) && !holds_results(pool, x, x)) return;
  const Tensor& t = x.tensor;
  const std::string v = label(x);
  switch (pool.random.below(11)) {
    case 0: return pool.keep_rounded(tanh(t), x.error, "tanh(" + v + ")");
    case 1: return pool.keep_rounded(sin(clip(t, -50.0, 50.0)), x.error, "sin(clip " + v + ")");
    case 2: return pool.keep(abs(t), x.error, "abs(" + v + ")");
    case 3: return pool.keep(-t, x.error, "-" + v);
    case 4: return pool.keep_rounded(sqrt(t * t + 1.0), x.error, "sqrt(sq + 1 " + v + ")");
    case 5: return pool.keep_rounded(1.0 / (square(t) + 1.0), x.error, "1 / (sq + 1 " + v + ")");
    case 6: return pool.keep_rounded(sigmoid(t), x.error, "sigmoid(" + v + ")");
    case 7: return pool.keep_rounded(exp(-abs(t.astype(float32))), x.error, "exp(-abs " + v + ")");
    case 8: return pool.keep(relu(t), x.error, "relu(" + v + ")");
    case 9: return grow_floor_and_sign(pool, x);
    default: return pool.keep_correct(t * 0.5, x.error, v + " * 0.5");
  }
}

inline void grow_binary(RandomPool& pool) {
  const RandomValue& x = *pool.pick();
  const RandomValue& y = fitting(pool, x);
  const Tensor& a = x.tensor;
  const Tensor& b = y.tensor;
  const double promotion = promotion_error(x, y);
  const double error = std::max(x.error, y.error) + promotion;
  const auto step = [&](const char* op) { return fmt::format("{} {} {}", label(x), op, label(y)); };
  const int choice = pool.random.below(6);
  const bool adds = choice < 2 || choice > 3;
  if (adds && !is_float(promote(x.dtype, y.dtype)) && !holds_results(pool, x, y)) return;
  switch (choice) {
    case 0: return pool.keep_correct(a + b, x.error + y.error + promotion, step("+"));
    case 1: return pool.keep_correct(a - b, x.error + y.error + promotion, step("-"));
    case 2: return pool.keep(maximum(a, b), error, step("maximum"));
    case 3: return pool.keep(minimum(a, b), error, step("minimum"));
    case 4: {
      const double grown = x.error * (y.size + y.error) + y.error * (x.size + x.error);
      return pool.keep_correct(a * b, grown, step("*"));
    }
    default: {
      // The product of bounded factors, so that forty of them stay small.
      const Tensor factor = tanh(b);
      const double grown = x.error + (x.size + x.error) * (y.error + 4 * float_epsilon);
      return pool.keep_rounded(a * factor, grown, step("* tanh"));
    }
  }
}

// ---- Integers, conditions and casts -------------------------------------------------------------

inline void grow_integer(RandomPool& pool) {
  const auto is_bits = [](const RandomValue& v) { return !is_float(v.dtype); };
  const RandomValue* x = pool.pick(is_bits);
  if (x == nullptr) return grow_leaf(pool);
  const Shape shape = x->shape;
  const RandomValue* y =
      pool.pick([&](const RandomValue& v) { return is_bits(v) && broadcasts(shape, v.shape); });
  const Tensor& a = x->tensor;
  const Tensor& b = y->tensor;
  const auto step = [&](const char* op) {
    return fmt::format("{} {} {}", label(*x), op, label(*y));
  };
  if (!holds_results(pool, *x, *y)) return;
  const int divisor = 2 + pool.random.below(9);
  const int choice = pool.random.below(pool.is_webgl1() ? 6 : 12);
  switch (choice) {
    case 0: return pool.keep(a + b, 0, step("+"));
    case 1: return pool.keep(a - b, 0, step("-"));
    case 2: return pool.keep(a * b, 0, step("*"));
    case 3: return pool.keep(a % divisor, 0, fmt::format("{} % {}", label(*x), divisor));
    case 4: {
      if (x->dtype == DType::boolean) return;
      return pool.keep(floor_divide(a, divisor), 0, fmt::format("{} // {}", label(*x), divisor));
    }
    case 5: return pool.keep(square(a), 0, fmt::format("square({})", label(*x)));
    case 6: return pool.keep(bitwise_and(a, b), 0, step("&"));
    case 7: return pool.keep(bitwise_or(a, b), 0, step("|"));
    case 8: return pool.keep(bitwise_xor(a, b), 0, step("^"));
    case 9: return pool.keep(left_shift(a, bitwise_and(b, 15)), 0, step("<< 15 &"));
    case 10: return pool.keep(right_shift(a, bitwise_and(b, 15)), 0, step(">> 15 &"));
    default:
      if (x->dtype != DType::int32) return;
      const Tensor quotient = floor_divide(a, -divisor);
      pool.keep(quotient + a % -divisor, 0, fmt::format("// + % {} {}", label(*x), -divisor));
  }
}

/// A bool that no rounding can change: comparisons of exact values.
inline void grow_condition(RandomPool& pool) {
  const RandomValue* x = pool.pick([](const RandomValue& v) { return v.is_exact(); });
  if (x == nullptr) return;
  const Shape shape = x->shape;
  const RandomValue& y = *pool.pick([&](const RandomValue& v) {
    return v.is_exact() && broadcasts(shape, v.shape) && promotes_exactly(*x, v);
  });
  const Tensor& a = x->tensor;
  const Tensor& b = y.tensor;
  const auto step = [&](const char* op) {
    return fmt::format("{} {} {}", label(*x), op, label(y));
  };
  switch (pool.random.below(7)) {
    case 0: return pool.keep(a < b, 0, step("<"));
    case 1: return pool.keep(a >= b, 0, step(">="));
    case 2: return pool.keep(a == b, 0, step("=="));
    case 3: return pool.keep(a != b, 0, step("!="));
    case 4: return pool.keep(logical_and(a, b), 0, step("and"));
    case 5: return pool.keep(logical_xor(a, b), 0, step("xor"));
    default: return pool.keep(logical_not(a), 0, "not " + label(*x));
  }
}

inline void grow_where(RandomPool& pool) {
  const RandomValue* c = pool.pick([](const RandomValue& v) { return v.dtype == DType::boolean; });
  if (c == nullptr) return grow_condition(pool);
  const Shape shape = c->shape;
  const RandomValue& x =
      *pool.pick([&](const RandomValue& v) { return broadcasts(shape, v.shape); });
  const Shape both = *broadcast(shape, x.shape);
  const RandomValue& y =
      *pool.pick([&](const RandomValue& v) { return broadcasts(both, v.shape); });
  if (pool.is_webgl1() && x.dtype != y.dtype && !holds_results(pool, x, y)) return;
  pool.keep(where(c->tensor, x.tensor, y.tensor),
            std::max(x.error, y.error) + promotion_error(x, y),
            fmt::format("where({}, {}, {})", label(*c), label(x), label(y)));
}

/// Whether a cast of x to an integer dtype is defined and no rounding can change it.
inline bool casts_exactly(const RandomPool& pool, const RandomValue& x, DType dtype) {
  if (!x.is_exact()) return false;
  if (dtype == DType::boolean) return true;
  const double most = dtype == DType::uint8 ? 255 : pool.is_webgl1() ? most_exact : 2147483647;
  const bool in_range = x.size <= most && (dtype == DType::int32 || x.least() >= 0);
  return in_range || (!is_float(x.dtype) && !pool.is_webgl1());
}

inline void grow_cast(RandomPool& pool) {
  const RandomValue& x = *pool.pick();
  const DType dtype = random_dtype(pool);
  const std::string step = fmt::format("{}.astype", label(x));
  if (!is_float(dtype)) {
    if (!casts_exactly(pool, x, dtype)) return;
    return pool.keep(x.tensor.astype(dtype), 0, step);
  }
  if (dtype == float32) {
    return pool.keep_correct(x.tensor.astype(dtype), x.error, step);
  }
  if (x.size + x.error > 6e4) return;
  // Whole numbers up to 2,048 are float16s; for others, two neighbours differ by 2^-10 of their
  // size.
  const bool is_exact = x.dtype == float16 ? x.is_exact() : x.is_whole() && x.size <= 2048;
  const double rounding = is_exact ? 0 : x.size / 1024 + 1.0 / 16777216;
  pool.keep(x.tensor.astype(dtype), x.error + rounding, step);
}

}  // namespace trigon::support
