// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <optional>
#include <type_traits>

#include <trigon/axes.hpp>
#include <trigon/tensor.hpp>

// Reductions over axes.

namespace trigon {

/// Sum over `axes`: all by default, one, or a list. Reduced axes are dropped, or kept as size 1
/// with `keepdims`. bool counts as int32, uint8 as uint32. 0 if no elements are reduced. Raises
/// Error for invalid axes, as all do: out of range or given twice. For a scalar, axes 0 and -1 are
/// accepted, as in NumPy, but not by mean, var and stddev.
[[nodiscard]] Tensor sum(const Tensor& x, const Axes& axes = {}, bool keepdims = false);

/// Product over `axes`, as sum. 1 if no elements are reduced. Raises Error for invalid axes.
[[nodiscard]] Tensor prod(const Tensor& x, const Axes& axes = {}, bool keepdims = false);

/// Largest element over `axes`; NaN where there is one. Integers and bool keep their dtype, float16
/// gives float32. Equal ones share the gradient. Raises Error when nothing is reduced.
[[nodiscard]] Tensor max(const Tensor& x, const Axes& axes = {}, bool keepdims = false);

/// Smallest element over `axes`, of the dtype that max gives; NaN where there is one. Equal ones
/// share the gradient. Raises Error when nothing is reduced.
[[nodiscard]] Tensor min(const Tensor& x, const Axes& axes = {}, bool keepdims = false);

/// int32 position of the first largest element along `axis`, or in the flattened x without one. The
/// first NaN counts as largest. Raises Error if no elements are reduced or the axis is out of
/// range. It does so for more than 2^24 floats, too, whose positions would not be exact; under
/// profile webgl1 all elements are floats.
[[nodiscard]] Tensor argmax(const Tensor& x, std::optional<int> axis = {}, bool keepdims = false);

/// int32 position of the first smallest element along `axis`, or in the flattened x without one.
/// The first NaN counts as smallest. Raises as argmax.
[[nodiscard]] Tensor argmin(const Tensor& x, std::optional<int> axis = {}, bool keepdims = false);

/// Arithmetic mean over `axes`, as float32; NaN if no elements are reduced. Integers become float32
/// first. Raises Error for invalid axes.
[[nodiscard]] Tensor mean(const Tensor& x, const Axes& axes = {}, bool keepdims = false);

/// Variance over `axes`, as float32: the sum of squared distances from the mean, divided by n -
/// ddof for n reduced elements (by 0 if that is negative). Raises Error for invalid axes.
///
///   var(x, 0, {.ddof = 1});
[[nodiscard]] Tensor var(const Tensor& x, const Axes& axes = {}, const VarOptions& options = {});
// A template, so that var(x, {}) takes no options.
template <class = void>
[[nodiscard]] Tensor var(const Tensor& x, const VarOptions& options) {
  return var(x, Axes(), options);
}

/// Standard deviation over `axes`, as float32: sqrt(var). NumPy's `std`. Raises Error for invalid
/// axes.
[[nodiscard]] Tensor stddev(const Tensor& x, const Axes& axes = {}, const VarOptions& options = {});
template <class = void>
[[nodiscard]] Tensor stddev(const Tensor& x, const VarOptions& options) {
  return stddev(x, Axes(), options);
}

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

/// The mean along `axes`, weighted, as float32. The weights have x's shape, or one axis for the one
/// axis given. Where the weights sum to 0 the mean is inf or NaN, since a shader cannot throw;
/// NumPy raises ZeroDivisionError. Raises Error for other weights.
[[nodiscard]] Tensor average(const Tensor& x, const Axes& axes = {}, const Tensor& weights = {});

// `max(x, 0)` reduces along axis 0, so a float or a tensor beside x does not compile.
template <class T>
  requires(std::floating_point<T> || std::derived_from<T, Tensor>)
[[nodiscard]] Tensor max(const Tensor&, const T&, bool = false) {
  static_assert(detail::never<T>,
                "trigon: max(x, axes) reduces; write maximum(a, b) for the larger of two");
  return {};
}
template <class T>
  requires(std::floating_point<T> || std::derived_from<T, Tensor>)
[[nodiscard]] Tensor min(const Tensor&, const T&, bool = false) {
  static_assert(detail::never<T>,
                "trigon: min(x, axes) reduces; write minimum(a, b) for the smaller of two");
  return {};
}

#define TRIGON_REDUCTION_(NAME) TRIGON_INTEGER_KEEPDIMS_(, NAME, const Tensor&, const Axes&)
TRIGON_REDUCTION_(sum)
TRIGON_REDUCTION_(prod)
TRIGON_REDUCTION_(max)
TRIGON_REDUCTION_(min)
TRIGON_REDUCTION_(argmax)
TRIGON_REDUCTION_(argmin)
TRIGON_REDUCTION_(mean)
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
TRIGON_POSITIONAL_(, var, "(x, 0, {.keepdims = true, .ddof = 1})", const Tensor&, const Axes&)
TRIGON_POSITIONAL_(, stddev, "(x, 0, {.keepdims = true, .ddof = 1})", const Tensor&, const Axes&)

}  // namespace trigon
