// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "support/random_pool.hpp"
#include "support/random_values.hpp"
#include "support/random_views.hpp"

// Reductions and products of random graphs, some with a run-time length.

namespace trigon::support {

// ---- Reductions ---------------------------------------------------------------------------------

/// The axes that a random reduction takes, how many elements it joins, and its text.
struct RandomAxes {
  Axes axes;
  double count = 1;
  bool keepdims = false;
  std::string text;
};

inline RandomAxes random_axes(Random& random, const Shape& shape) {
  RandomAxes result;
  result.keepdims = random.chance(0.4);
  if (random.chance(0.15)) {
    result.count = static_cast<double>(shape.numel());
    result.text = "all axes";
    return result;
  }
  std::vector<int> axes = random_order(random, shape.rank());
  const std::size_t taken = random.chance(0.7) ? 1 : 1 + static_cast<std::size_t>(random.below(3));
  axes.resize(std::min(taken, axes.size()));
  for (const int axis : axes) result.count *= static_cast<double>(shape[axis]);
  result.text = fmt::format("axes {}", fmt::join(axes, " "));
  result.axes = Axes(std::move(axes));
  return result;
}

/// Whether sums of `count` elements are exact in any order; integers of webgl2 wrap.
inline bool sums_exactly(const RandomPool& pool, const RandomValue& x, double count) {
  if (!is_float(x.dtype) && !pool.is_webgl1()) return true;
  return x.is_whole() && count * x.size < most_exact;
}

inline void grow_sum(RandomPool& pool, const RandomValue& x, const RandomAxes& over) {
  const std::string step = fmt::format("sum({}, {})", label(x), over.text);
  const Tensor y = sum(x.tensor, over.axes, over.keepdims);
  if (sums_exactly(pool, x, over.count)) return pool.keep(y, 0, step);
  if (!is_float(x.dtype)) return;
  const double n = over.count;
  pool.keep(y, n * x.error + n * n * float_epsilon * x.size + 1e-37, step);
}

inline void grow_prod(RandomPool& pool, const RandomValue& x, const RandomAxes& over) {
  const std::string step = fmt::format("prod({}, {})", label(x), over.text);
  const double most = std::max(1.0, x.size + x.error);
  const double power = std::pow(most, over.count);
  const bool is_exact =
      is_float(x.dtype) || pool.is_webgl1() ? x.is_whole() && power < most_exact : true;
  if (!is_exact && (!is_float(x.dtype) || over.count > 12)) return;
  const double error = over.count * (x.error + 2 * float_epsilon * most) * power / most;
  pool.keep(prod(x.tensor, over.axes, over.keepdims), is_exact ? 0 : error, step);
}

inline void grow_position(RandomPool& pool, const RandomValue& x) {
  const Tensor& t = x.tensor;
  const bool keepdims = pool.random.chance(0.4);
  const int axis = pool.random.below(t.ndim() + 1) - 1;
  const std::optional<int> along = axis < 0 ? std::optional<int>() : axis;
  const std::string text = fmt::format("({}, axis {})", label(x), axis);
  if (pool.random.chance(0.5)) return pool.keep(argmax(t, along, keepdims), 0, "argmax" + text);
  pool.keep(argmin(t, along, keepdims), 0, "argmin" + text);
}

/// Reductions that need exact elements, since rounding could change the result.
inline void grow_exact_reduction(RandomPool& pool, const RandomValue& x, const RandomAxes& over) {
  const Tensor& t = x.tensor;
  const std::string text = fmt::format("({}, {})", label(x), over.text);
  switch (pool.random.below(4)) {
    case 0: return pool.keep(any(t, over.axes, over.keepdims), 0, "any" + text);
    case 1: return pool.keep(all(t, over.axes, over.keepdims), 0, "all" + text);
    case 2: return pool.keep(count_nonzero(t, over.axes, over.keepdims), 0, "count_nonzero" + text);
    default:
      if (t.size() > 0) grow_position(pool, x);
  }
}

/// Only the first `length` elements along one axis; a length past its end is clamped.
inline void grow_reduction_with_length(RandomPool& pool, const RandomValue& x) {
  Random& random = pool.random;
  const Tensor& t = x.tensor;
  const int axis = random.below(t.ndim());
  const auto n = static_cast<double>(t.shape()[axis]);
  const int count = 1 + random.below(static_cast<int>(n) + 2);
  const bool keepdims = random.chance(0.4);
  const Scalar length(count);
  const auto step = [&](const char* op) {
    return fmt::format("{}({}, axis {}, length {})", op, label(x), axis, count);
  };
  const auto reduced = [&](const Op& op) {
    return detail::reduce(op, t, axis, keepdims, &length)[0];
  };
  switch (random.below(3)) {
    case 0:
      if (!sums_exactly(pool, x, n)) {
        if (!is_float(x.dtype)) return;
        return pool.keep(reduced(*find_op("sum")),
                         n * x.error + n * n * float_epsilon * x.size + 1e-37, step("sum"));
      }
      return pool.keep(reduced(*find_op("sum")), 0, step("sum"));
    case 1: return pool.keep(reduced(*find_op("max")), x.error, step("max"));
    default:
      if (!x.is_exact()) return;
      return pool.keep(reduced(*find_op("argmin")), 0, step("argmin"));
  }
}

/// Each weight changes by at most twice its share of the inputs' change.
inline void grow_softmax(RandomPool& pool, const RandomValue& x) {
  if (x.size > 60) return;
  const Tensor& t = x.tensor;
  const int axis = pool.random.below(t.ndim());
  const double n = static_cast<double>(t.shape()[axis]);
  const double error = 2 * x.error + (4 * x.size + n + 16) * float_epsilon + 1e-37;
  if (pool.random.chance(0.5)) {
    return pool.keep(nn::softmax(t, axis), error,
                     fmt::format("softmax({}, axis {})", label(x), axis));
  }
  const int length = pool.random.below(static_cast<int>(n) + 3);
  pool.keep(nn::softmax(t, axis, Scalar(length)), error,
            fmt::format("softmax({}, axis {}, length {})", label(x), axis, length));
}

inline void grow_reduction(RandomPool& pool) {
  const RandomValue* picked = pool.pick([](const RandomValue& v) { return v.shape.rank() > 0; });
  if (picked == nullptr) return;
  const RandomValue& x = *picked;
  const Tensor& t = x.tensor;
  const RandomAxes over = random_axes(pool.random, x.shape);
  const std::string text = fmt::format("({}, {})", label(x), over.text);
  const double n = over.count;
  const int choice = pool.random.below(12);
  if (choice < 2) return grow_sum(pool, x, over);
  if (t.size() == 0) return;
  switch (choice) {
    case 2: return grow_prod(pool, x, over);
    case 3: return pool.keep(max(t, over.axes, over.keepdims), x.error, "max" + text);
    case 4: return pool.keep(min(t, over.axes, over.keepdims), x.error, "min" + text);
    case 5:
      if (!is_float(x.dtype) && !sums_exactly(pool, x, n)) return;
      return pool.keep_rounded(mean(t, over.axes, over.keepdims),
                               x.error + n * float_epsilon * x.size, "mean" + text);
    case 6: {
      const double size = x.size + x.error;
      return pool.keep(var(t, over.axes, {.keepdims = over.keepdims}),
                       8 * x.error * size + 16 * (n + 8) * float_epsilon * size * size + 1e-37,
                       "var" + text);
    }
    case 7:
      return pool.keep_rounded(logsumexp(t, over.axes, over.keepdims),
                               x.error + (n + 16 + 2 * x.size) * float_epsilon, "logsumexp" + text);
    case 8: return grow_softmax(pool, x);
    case 9: return grow_reduction_with_length(pool, x);
    default:
      if (x.is_exact()) grow_exact_reduction(pool, x, over);
  }
}

// ---- Products -----------------------------------------------------------------------------------

inline Shape batch_of(Shape shape) {
  for (int k = 0; k < 2 && shape.rank() > 0; ++k) shape.erase(-1);
  return shape;
}

/// A right operand for x (..., K): a held value, turned if it has to be, or a leaf.
inline void grow_product(RandomPool& pool) {
  const RandomValue* x = pool.pick([](const RandomValue& v) {
    return v.shape.rank() > 0 && is_float(v.dtype) && v.shape.numel() > 0;
  });
  if (x == nullptr) return;
  Random& random = pool.random;
  const std::int64_t inner = x->shape.back();
  const bool turned = random.chance(0.5);
  const auto fits = [&](const RandomValue& v) {
    const int rank = v.shape.rank();
    if (!is_float(v.dtype) || rank == 0 || v.shape.numel() == 0) return false;
    if (rank == 1) return v.shape[0] == inner;
    return v.shape[turned ? -1 : -2] == inner && broadcasts(batch_of(x->shape), batch_of(v.shape));
  };
  const RandomValue* y = random.chance(0.6) ? pool.pick(fits) : nullptr;
  if (y == nullptr) {
    const std::int64_t columns = 1 + random.below(9);
    const Shape shape = turned ? Shape{columns, inner} : Shape{inner, columns};
    const std::size_t count = pool.values().size();
    pool.keep(random_leaf(pool, random.chance(0.2) ? float16 : float32, shape), 0, "leaf");
    if (pool.values().size() == count) return;
    y = &pool.values().back();
  }
  const Tensor b = turned && y->shape.rank() > 1 ? swapaxes(y->tensor, -1, -2) : y->tensor;
  MatmulOptions options;
  std::string text = fmt::format("matmul({}, {}{}", label(*x), label(*y), turned ? ".T" : "");
  const auto length = [&](const char* what, std::int64_t most) -> std::optional<Scalar> {
    if (!random.chance(0.2)) return {};
    const int count = random.below(static_cast<int>(most) + 3);
    text += fmt::format(", {} {}", what, count);
    return Scalar(count);
  };
  options.inner = length("inner", inner);
  if (b.ndim() > 1) options.columns = length("columns", b.shape().back());
  const auto n = static_cast<double>(inner);
  const double sizes = (x->size + x->error) * (y->size + y->error);
  const bool is_exact = x->is_whole() && y->is_whole() && n * sizes < most_exact;
  const double grown = n * (x->error * (y->size + y->error) + y->error * (x->size + x->error)) +
                       2 * n * n * float_epsilon * sizes + 1e-37;
  pool.keep(matmul(x->tensor, b, options), is_exact ? 0 : grown, text + ")");
}

/// Attention of the rows of x over fresh keys and values, some of which may lie past the cached
/// ones.
inline void grow_attention(RandomPool& pool) {
  const RandomValue* x = pool.pick([](const RandomValue& v) {
    return v.shape.rank() > 1 && is_float(v.dtype) && v.shape.numel() > 0 && v.size < 8;
  });
  if (x == nullptr) return;
  Random& random = pool.random;
  const std::int64_t rows = x->shape[-2];
  const std::int64_t inner = x->shape[-1];
  if (rows > 64 || inner > 64) return;
  const std::int64_t more = random.below(6);
  const Tensor k = random_leaf(pool, float32, {rows + more, inner});
  const Tensor v = random_leaf(pool, float32, {rows + more, 1 + random.below(7)});
  nn::AttentionOptions options{.is_causal = random.chance(0.5), .scale = {}, .past = {}};
  std::string text = fmt::format("attention({}, {} keys", label(*x), rows + more);
  if (random.chance(0.6)) {
    const int past = random.below(static_cast<int>(more) + 1);
    options.past = Scalar(past);
    text += fmt::format(", past {}", past);
  }
  // Leaves reach 3, and a score is a mean of products times the root of their number. A weight's
  // relative change is twice the scores' change.
  const auto n = static_cast<double>(inner);
  const double sizes = 3 * (x->size + x->error);
  const double score = std::sqrt(n) * (3 * x->error + 2 * (n + 4) * float_epsilon * sizes);
  const double keys = static_cast<double>(rows + more);
  const double weight = 2 * score + (4 * std::sqrt(n) * sizes + 2 * keys + 32) * float_epsilon;
  pool.keep(nn::scaled_dot_product_attention(x->tensor, k, v, options), 3 * weight + 1e-37,
            text + (options.is_causal ? ", causal)" : ")"));
}

}  // namespace trigon::support
