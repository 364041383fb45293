// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include <trigon/op.hpp>
#include <trigon/ops/binary.hpp>
#include <trigon/ops/logic.hpp>
#include <trigon/ops/unary.hpp>

// Reductions. The primitives come first; what can be said with them is a plain function below.

namespace trigon {

[[nodiscard]] Tensor broadcast_to(const Tensor& x, const Shape& shape);

namespace detail {

// The outputs of reduce(), each on its own, so that x may have as many axes as a Shape.
std::vector<Tensor> reduce_each(const Op& op, const Tensor& x, const Axes& axes, bool keepdims,
                                const Scalar* length = nullptr);

// Sums of integers would wrap around where those of float32 are only rounded.
inline Tensor as_float(const Tensor& x) { return is_float(x.dtype()) ? x : x.astype(float32); }

// The axes that y, of the same rank, keeps as 1.
Axes reduced_axes(const Tensor& x, const Tensor& y);

// Numbers reduced into one result.
inline double reduced_count(const Tensor& x, const Axes& axes) {
  double count = 1;
  if (axes.all()) return static_cast<double>(x.size());
  for (const int axis : axes.list()) {
    count *= static_cast<double>(x.shape()[normalize_axis("reduce", axis, x.ndim())]);
  }
  return count;
}

// PyTorch's amax: equal extrema share the gradient.
Tensor extremum_vjp(const Tensor& g, const Tensor& x, const Tensor& y);
Tensor prod_vjp(const Tensor& g, const Tensor& x, const Tensor& y);

inline double extremum(std::span<const double> x, bool largest) {
  double y =
      largest ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  for (const double v : x) {
    if (std::isnan(y)) break;
    if (std::isnan(v) || (largest ? v > y : v < y)) y = v;
  }
  return y;
}

inline double position(std::span<const double> x, bool largest) {
  const double y = extremum(x, largest);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] == y || (std::isnan(x[i]) && std::isnan(y))) return static_cast<double>(i);
  }
  return -1;
}

inline void moments(std::span<const double> x, double* y) {
  const auto n = static_cast<double>(x.size());
  y[0] = x.empty() ? 0 : x[0];
  y[1] = y[2] = 0;
  for (const double v : x) y[1] += (v - y[0]) / n;
  if (!std::isfinite(y[1])) y[1] = std::nan("");
  for (const double v : x) y[2] += ((v - y[0]) - y[1]) * ((v - y[0]) - y[1]);
}

inline void max_sumexp(std::span<const double> x, double* y) {
  y[0] = extremum(x, true);
  y[1] = 0;
  for (const double v : x) y[1] += v == y[0] ? 1.0 : std::exp(v - y[0]);
  if (y[0] == std::numeric_limits<double>::infinity()) y[1] = std::nan("");
}

}  // namespace detail

// ---- Primitives

TRIGON_REDUCE(sum) = {
    .name = "sum",
    .accumulators = 1,
    .outputs = 1,
    .identity = "a0 = T(0);",
    .lift = "a0 = x;",
    .combine = "a0 += b0;",
    .finish = "y0 = a0;",
    .result = Result::same,
    .ref =
        [](std::span<const double> x, double* y) {
          *y = 0;
          for (const double v : x) *y += v;
        },
    .vjp = [](const Tensor& g, const Tensor& x,
              const Tensor&) { return broadcast_to(g[0], x.shape()); },
    .vjp_with_length = true,
    .domain = Range{-10, 10},
    .tolerance = Tolerance(Ulp{8}, Abs{1e-4}),
};

TRIGON_REDUCE(prod) = {
    .name = "prod",
    .accumulators = 1,
    .outputs = 1,
    .identity = "a0 = T(1);",
    .lift = "a0 = x;",
    .combine = "a0 *= b0;",
    .finish = "y0 = a0;",
    .result = Result::same,
    .ref =
        [](std::span<const double> x, double* y) {
          *y = 1;
          for (const double v : x) *y *= v;
        },
    .ref_bits =
        [](std::span<const std::uint32_t> x) {
          std::uint32_t product = 1;
          for (const std::uint32_t factor : x) product *= factor;
          return product;
        },
    .vjp = detail::prod_vjp,
    .domain = Range{0.5, 1.5},
    .tolerance = Ulp{32},
};

TRIGON_REDUCE(max) = {
    .name = "max",
    .accumulators = 1,
    .outputs = 1,
    .identity = "a0 = T(LOWEST_);",
    .lift = "a0 = x;",
    .combine = "a0 = maximum_(a0, b0);",
    .finish = "y0 = a0;",
    .result = Result::same,
    .needs_element = true,
    .ref = [](std::span<const double> x, double* y) { *y = detail::extremum(x, true); },
    .vjp = detail::extremum_vjp,
    .domain = Range{-100, 100},
    .tolerance = Ulp{0},
};

TRIGON_REDUCE(min) = {
    .name = "min",
    .accumulators = 1,
    .outputs = 1,
    .identity = "a0 = T(HIGHEST_);",
    .lift = "a0 = x;",
    .combine = "a0 = minimum_(a0, b0);",
    .finish = "y0 = a0;",
    .result = Result::same,
    .needs_element = true,
    .ref = [](std::span<const double> x, double* y) { *y = detail::extremum(x, false); },
    .vjp = detail::extremum_vjp,
    .domain = Range{-100, 100},
    .tolerance = Ulp{0},
};

// A position of -1 marks the identity: no value could, as all of x may be -inf.
TRIGON_REDUCE(argmax) = {
    .name = "argmax",
    .accumulators = 2,
    .outputs = 1,
    .identity = "a0 = T(LOWEST_); a1 = T(-1);",
    .lift = "a0 = x; a1 = i;",
    .combine =
        "{ vec4 t = argmax_takes_(a0, a1, b0, b1); "
        "a0 = select_(t, b0, a0); a1 = select_(t, b1, a1); }",
    .finish = "y0 = a1;",
    .result = Result::same,
    .gives_index = true,
    .needs_element = true,
    .ref = [](std::span<const double> x, double* y) { *y = detail::position(x, true); },
    .vjp = nullptr,
    .domain = Range{-100, 100},
    .tolerance = Ulp{0},
};

TRIGON_REDUCE(argmin) = {
    .name = "argmin",
    .accumulators = 2,
    .outputs = 1,
    .identity = "a0 = T(HIGHEST_); a1 = T(-1);",
    .lift = "a0 = x; a1 = i;",
    .combine =
        "{ vec4 t = argmin_takes_(a0, a1, b0, b1); "
        "a0 = select_(t, b0, a0); a1 = select_(t, b1, a1); }",
    .finish = "y0 = a1;",
    .result = Result::same,
    .gives_index = true,
    .needs_element = true,
    .ref = [](std::span<const double> x, double* y) { *y = detail::position(x, false); },
    .vjp = nullptr,
    .domain = Range{-100, 100},
    .tolerance = Ulp{0},
};

// a0 elements with the mean a1 + a2. Means far from zero keep their digits: a1 is an element, a2
// the rest.
TRIGON_REDUCE(moments) = {
    .name = "moments",
    .accumulators = 4,
    .outputs = 3,
    .identity = "a0 = T(0); a1 = T(0); a2 = T(0); a3 = T(0);",
    .lift = "a0 = T(1); a1 = x; a2 = T(0); a3 = T(0);",
    .combine =
        "{ vec4 d = (b1 - a1) + (b2 - a2); vec4 f = b0 / max(a0 + b0, vec4(1.0)); "
        "a3 = select_(b0, select_(a0, a3 + b3 + d * d * (a0 * f), b3), a3); "
        "a2 = select_(b0, select_(a0, a2 + d * f, b2), a2); "
        "a1 = select_(a0, a1, b1); a0 += b0; }",
    .finish =
        "y0 = a1; y1 = select_(isfinite_(a2), a2, vec4(NAN_)); "
        "y2 = select_(isfinite_(a2), a3, vec4(NAN_));",
    .result = Result::floating,
    .first_is_shift = true,
    .ref = detail::moments,
    .vjp =
        [](const Tensor& g, const Tensor& x, const Tensor& y) {
          const double n = detail::reduced_count(x, detail::reduced_axes(x, y[0]));
          const Tensor shifted = x - y[0];
          const Tensor centred = shifted - y[1];
          const Tensor of_mean = g[1] * (1.0 / n);
          const Tensor of_squares = g[2] * 2.0;
          return of_mean + of_squares * centred;
        },
    .domain = Range{-10, 10},
    .tolerance = Tolerance(Ulp{64}, Abs{1e-5}),
};

TRIGON_REDUCE(max_sumexp) = {
    .name = "max_sumexp",
    .accumulators = 2,
    .outputs = 2,
    .identity = "a0 = T(LOWEST_); a1 = T(0);",
    .lift = "a0 = x; a1 = T(1);",
    .combine =
        "{ vec4 m = maximum_(a0, b0); bvec4 first = equal(a0, m); "
        "vec4 e = exp_below_(select_(first, b0, a0), m); "
        "a1 = select_(first, a1 + b1 * e, a1 * e + b1); a0 = m; }",
    .finish = "y0 = a0; y1 = select_(equal(a0, vec4(INF_)), vec4(NAN_), a1);",
    .result = Result::floating,
    .first_is_shift = true,
    .ref = detail::max_sumexp,
    .vjp =
        [](const Tensor& g, const Tensor& x, const Tensor& y) {
          const Tensor term = exp(x - y[0]);
          return g[1] * term;
        },
    .vjp_with_length = true,
    .domain = Range{-10, 10},
    .tolerance = Ulp{64},
};

// ---- Functions

/// Sum over `axes`: all by default, one, or a list. Reduced axes are dropped, or kept as size 1
/// with `keepdims`. bool counts as int32, uint8 as uint32. 0 if no elements are reduced. Raises
/// Error for invalid axes, as all do: out of range or given twice. Of a scalar axis 0 and -1 are
/// right, too, as in NumPy; mean, var and stddev refuse them.
[[nodiscard]] inline Tensor sum(const Tensor& x, const Axes& axes = {}, bool keepdims = false) {
  return detail::reduce_each(sum_op::op, x, axes, keepdims)[0];
}

/// Product over `axes`, as sum. 1 if no elements are reduced. Raises Error for invalid axes.
[[nodiscard]] inline Tensor prod(const Tensor& x, const Axes& axes = {}, bool keepdims = false) {
  return detail::reduce_each(prod_op::op, x, axes, keepdims)[0];
}

/// Largest element over `axes`; NaN where there is one. Integers and bool keep their dtype, float16
/// gives float32. Equal ones share the gradient. Raises Error when nothing is reduced.
[[nodiscard]] inline Tensor max(const Tensor& x, const Axes& axes = {}, bool keepdims = false) {
  const Tensor y = detail::reduce_each(max_op::op, x, axes, keepdims)[0];
  return y.astype(info(x.dtype()).computed);
}

/// Smallest element over `axes`, of the dtype that max gives; NaN where there is one. Equal ones
/// share the gradient. Raises Error when nothing is reduced.
[[nodiscard]] inline Tensor min(const Tensor& x, const Axes& axes = {}, bool keepdims = false) {
  const Tensor y = detail::reduce_each(min_op::op, x, axes, keepdims)[0];
  return y.astype(info(x.dtype()).computed);
}

/// int32 position of the first largest element along `axis`, or in the flattened x without one. The
/// first NaN counts as largest. Raises Error if no elements are reduced, the axis is out of range,
/// or more than 2^24 elements are reduced that are floats, as all are under profile webgl1: their
/// positions would not be exact.
[[nodiscard]] inline Tensor argmax(const Tensor& x, std::optional<int> axis = {},
                                   bool keepdims = false) {
  return detail::reduce_each(argmax_op::op, x, axis ? Axes(*axis) : Axes(), keepdims)[0];
}

/// int32 position of the first smallest element along `axis`, or in the flattened x without one.
/// The first NaN counts as smallest. Raises as argmax.
[[nodiscard]] inline Tensor argmin(const Tensor& x, std::optional<int> axis = {},
                                   bool keepdims = false) {
  return detail::reduce_each(argmin_op::op, x, axis ? Axes(*axis) : Axes(), keepdims)[0];
}

/// (3, kept axes...): the first element, the mean less the first element, and the sum of squared
/// distances from the mean, in one pass and float32; the last two are NaN where x has inf or NaN.
///
/// The gradient takes the first element for a constant, so it holds only for results that use it as
/// a shift, as y0 + y1 and (x - y0) - y1. Raises Error for invalid axes, and where x has eight and
/// `keepdims` would give nine.
///
/// Source: Chan, Golub, LeVeque, Updating Formulae and a Pairwise Algorithm for Computing Sample
/// Variances, 1979.
[[nodiscard]] inline Tensor moments(const Tensor& x, const Axes& axes = {}, bool keepdims = false) {
  return detail::reduce(moments_op::op, x, axes, keepdims);
}

/// (2, kept axes...): the largest element m and the sum of exp(x - m), in one pass and float32. The
/// sum is NaN where m is inf.
///
/// The gradient takes m for a constant, so it holds only for results that do not depend on the
/// shift m, as m + log(s) and exp(x - m) / s. Raises Error as moments.
[[nodiscard]] inline Tensor max_sumexp(const Tensor& x, const Axes& axes = {},
                                       bool keepdims = false) {
  return detail::reduce(max_sumexp_op::op, x, axes, keepdims);
}

/// Arithmetic mean over `axes`, as float32; NaN if no elements are reduced. Integers become float32
/// first. Raises Error for invalid axes.
[[nodiscard]] Tensor mean(const Tensor& x, const Axes& axes = {}, bool keepdims = false);

/// Variance over `axes`, as float32: the sum of squared distances from the mean, divided by n -
/// ddof for n reduced elements (by 0 if that is negative). Raises Error for invalid axes.
[[nodiscard]] Tensor var(const Tensor& x, const Axes& axes = {}, bool keepdims = false,
                         int ddof = 0);

/// Standard deviation over `axes`, as float32: sqrt(var). NumPy's `std`. Raises Error for invalid
/// axes.
[[nodiscard]] Tensor stddev(const Tensor& x, const Axes& axes = {}, bool keepdims = false,
                            int ddof = 0);

/// max - min over `axes`, of the dtype that max gives; int32 wraps around. Raises Error for invalid
/// axes or no elements.
[[nodiscard]] Tensor ptp(const Tensor& x, const Axes& axes = {}, bool keepdims = false);

/// Number of elements that are not 0 over `axes`, as int32. Raises Error for invalid axes.
[[nodiscard]] Tensor count_nonzero(const Tensor& x, const Axes& axes = {}, bool keepdims = false);

/// Whether any element over `axes` is not 0, as bool; false if no elements are reduced. Raises
/// Error for invalid axes.
[[nodiscard]] Tensor any(const Tensor& x, const Axes& axes = {}, bool keepdims = false);

/// Whether all elements over `axes` are not 0, as bool; true if no elements are reduced. NaN
/// counts. Raises Error for invalid axes.
[[nodiscard]] Tensor all(const Tensor& x, const Axes& axes = {}, bool keepdims = false);

/// Sum over `axes` with NaN taken for 0. Raises Error for invalid axes.
[[nodiscard]] Tensor nansum(const Tensor& x, const Axes& axes = {}, bool keepdims = false);

/// Largest element over `axes` that is not NaN; NaN if all are. Raises Error for invalid axes or no
/// elements.
[[nodiscard]] Tensor nanmax(const Tensor& x, const Axes& axes = {}, bool keepdims = false);

/// Mean over `axes` of the elements that are not NaN, as float32; NaN if there is none. Raises
/// Error for invalid axes, as mean.
[[nodiscard]] Tensor nanmean(const Tensor& x, const Axes& axes = {}, bool keepdims = false);

/// log(sum(exp(x))) over `axes` without overflow, as float32; -inf if no elements are reduced.
/// Raises Error for invalid axes.
[[nodiscard]] Tensor logsumexp(const Tensor& x, const Axes& axes = {}, bool keepdims = false);

/// 2-norm over `axes`: sqrt(sum(x * x)), as float32. Integers become float32 first. Raises Error
/// for invalid axes.
[[nodiscard]] Tensor norm(const Tensor& x, const Axes& axes = {}, bool keepdims = false);

#define TRIGON_REDUCTION_(NAME) TRIGON_INTEGER_KEEPDIMS_(, NAME, const Tensor&, const Axes&)
TRIGON_REDUCTION_(sum)
TRIGON_REDUCTION_(prod)
TRIGON_REDUCTION_(max)
TRIGON_REDUCTION_(min)
TRIGON_REDUCTION_(argmax)
TRIGON_REDUCTION_(argmin)
TRIGON_REDUCTION_(moments)
TRIGON_REDUCTION_(max_sumexp)
TRIGON_REDUCTION_(mean)
TRIGON_REDUCTION_(var)
TRIGON_REDUCTION_(stddev)
TRIGON_REDUCTION_(ptp)
TRIGON_REDUCTION_(count_nonzero)
TRIGON_REDUCTION_(any)
TRIGON_REDUCTION_(all)
TRIGON_REDUCTION_(nansum)
TRIGON_REDUCTION_(nanmax)
TRIGON_REDUCTION_(nanmean)
TRIGON_REDUCTION_(logsumexp)
TRIGON_REDUCTION_(norm)
#undef TRIGON_REDUCTION_

}  // namespace trigon
