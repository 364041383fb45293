// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/axes.hpp>
#include <trigon/detail/integer.hpp>
#include <trigon/tensor.hpp>

// Making tensors, and looking at them in another shape, with NumPy's names and semantics. A view
// costs no draw: it only changes where its reader fetches.

namespace trigon {
namespace detail {

template <class... T>
inline constexpr bool are_tensors = (std::derived_from<T, Tensor> && ...);

/// Tensors that were named one by one, in order; empty ones where another one's assertion fails.
template <class... T>
[[nodiscard]] std::array<Tensor, sizeof...(T)> listed(const T&... parts) {
  if constexpr (are_tensors<T...>) {
    return {parts...};
  } else {
    return {};
  }
}

}  // namespace detail

/// A tensor of `shape` filled with `value`, which is cut to a whole number for an integer dtype. It
/// is a constant of the graph: it takes no memory until something is written into it. Raises Error
/// when an integer dtype cannot hold the value.
[[nodiscard]] Tensor full(const Shape& shape, double value, DType dtype = float32);
/// A tensor of zeros; a constant, as full.
[[nodiscard]] Tensor zeros(const Shape& shape, DType dtype = float32);
/// A tensor of ones; a constant, as full.
[[nodiscard]] Tensor ones(const Shape& shape, DType dtype = float32);

namespace detail {

/// Sizes, of which the last one may be a dtype instead.
template <class Last, class... More>
inline constexpr bool are_sizes = HostScalar<Last> || std::is_same_v<Last, DType>;
template <class First, class Second, class... More>
inline constexpr bool are_sizes<First, Second, More...> =
    HostScalar<First>&& are_sizes<Second, More...>;

struct SizesAndDType {
  std::vector<std::int64_t> sizes{};
  DType dtype = float32;
};

template <class... N>
  requires are_sizes<N...>
[[nodiscard]] SizesAndDType sizes_and_dtype(const char* function, N... arguments) {
  SizesAndDType result;
  const auto add = [&]<class T>(T argument) {
    if constexpr (std::is_same_v<T, DType>) {
      result.dtype = argument;
    } else {
      static_assert(std::is_integral_v<T> && !std::is_same_v<T, bool>,
                    "trigon: a size is a whole number; write zeros(2, 3), not zeros(2.0, 3)");
      result.sizes.push_back(checked<std::int64_t>(function, argument));
    }
  };
  (add(arguments), ...);
  return result;
}

}  // namespace detail

/// The same of these sizes: `zeros(2, 3)`, `zeros(2, 3, int32)`, `full(3, 7.0)`.
template <HostScalar N, class... More>
  requires detail::are_sizes<N, More...>
[[nodiscard]] Tensor zeros(N size, More... more) {
  const auto [sizes, dtype] = detail::sizes_and_dtype("zeros", size, more...);
  return zeros(Shape(sizes), dtype);
}
template <HostScalar N, class... More>
  requires detail::are_sizes<N, More...>
[[nodiscard]] Tensor ones(N size, More... more) {
  const auto [sizes, dtype] = detail::sizes_and_dtype("ones", size, more...);
  return ones(Shape(sizes), dtype);
}
template <HostScalar N>
[[nodiscard]] Tensor full(N size, double value, DType dtype = float32) {
  return full(Shape(detail::sizes_and_dtype("full", size).sizes), value, dtype);
}
/// Several sizes stand in braces, apart from the value: this does not compile.
template <HostScalar A, HostScalar B, HostScalar C, HostScalar... More>
[[nodiscard]] Tensor full(A, B, C, More...) {
  static_assert(detail::never<A>,
                "trigon: full takes a shape, then a value; write full({2, 3}, 7.0)");
  return {};
}

/// Zeros of x's shape and dtype.
[[nodiscard]] Tensor zeros_like(const Tensor& x);
/// Ones of x's shape and dtype.
[[nodiscard]] Tensor ones_like(const Tensor& x);

/// 0, 1, ..., n - 1 as int32, computed where it is read. Raises Error unless 0 <= n < 2^31.
[[nodiscard]] Tensor iota(std::int64_t n);
namespace detail {
Tensor arange(std::int64_t start, std::int64_t stop, std::int64_t step);
Tensor arange(double start, double stop, double step);
}  // namespace detail
/// start, start + step, ... below stop (above it for a negative step): int32 if all three are of
/// integer types, else float32. Raises Error when step is 0, for 2^31 elements or more, and for
/// integers that int32 cannot hold.
template <HostScalar A, HostScalar B, HostScalar C = int>
[[nodiscard]] Tensor arange(A start, B stop, C step = 1) {
  constexpr bool integral = std::is_integral_v<A> && std::is_integral_v<B> && std::is_integral_v<C>;
  if constexpr (integral) {
    const auto whole = [](auto number) { return detail::checked<std::int64_t>("arange", number); };
    return detail::arange(whole(start), whole(stop), whole(step));
  } else {
    return detail::arange(static_cast<double>(start), static_cast<double>(stop),
                          static_cast<double>(step));
  }
}
/// 0, 1, ... below stop. Raises as above.
template <HostScalar B>
[[nodiscard]] Tensor arange(B stop) {
  return arange(0, stop);
}
/// n evenly spaced float32 numbers from start to stop, without stop itself if `endpoint` is false.
/// Up to n = 2^24 each is within 0.51 ulp of NumPy's float64 number. Raises Error unless
/// 0 <= n < 2^31.
[[nodiscard]] Tensor linspace(double start, double stop, std::int64_t n = 50, bool endpoint = true);
/// (n, m) with ones on the k-th diagonal (above the main one for k > 0) and zeros elsewhere; m = -1
/// means n. Raises Error for another negative size.
[[nodiscard]] Tensor eye(std::int64_t n, std::int64_t m = -1, int k = 0, DType dtype = float32);
/// The lower triangle of the last two axes: zeros above the k-th diagonal. Raises Error for fewer
/// than two axes.
[[nodiscard]] Tensor tril(const Tensor& x, int k = 0);
/// The upper triangle of the last two axes: zeros below the k-th diagonal. Raises Error for fewer
/// than two axes.
[[nodiscard]] Tensor triu(const Tensor& x, int k = 0);

/// The same elements in C order in another shape; one size may be -1, for the size that is left.
/// Raises Error when the sizes do not hold as many elements as x.
[[nodiscard]] Tensor reshape(const Tensor& x, const Dims& dims);
/// The same of these sizes: `reshape(x, 4, -1)`, `reshape(x, -1)`.
template <std::convertible_to<std::int64_t>... N>
  requires(sizeof...(N) > 0)
[[nodiscard]] Tensor reshape(const Tensor& x, N... dims) { return x.reshape(dims...); }
/// The elements in C order as a vector.
[[nodiscard]] Tensor ravel(const Tensor& x);
/// Axes in the order of `axes`, or reversed when it is empty. Raises Error unless every axis occurs
/// once.
[[nodiscard]] Tensor transpose(const Tensor& x, std::span<const int> axes = {});
[[nodiscard]] inline Tensor transpose(const Tensor& x, std::initializer_list<int> axes) {
  return transpose(x, std::span(axes.begin(), axes.size()));
}
/// The same: `transpose(x, 1, 0)`.
template <std::integral... N>
  requires(sizeof...(N) > 0)
[[nodiscard]] Tensor transpose(const Tensor& x, N... axes) { return x.transpose(axes...); }
/// Axes a and b exchanged. Raises Error when one is out of range.
[[nodiscard]] Tensor swapaxes(const Tensor& x, int a, int b);
/// Axis `source` moved to `destination`, the others in their order. Raises Error when one is out of
/// range.
[[nodiscard]] Tensor moveaxis(const Tensor& x, int source, int destination);
/// x repeated along axes of size 1 and new leading ones. Raises Error when an axis of x is neither
/// 1 nor that of `shape`, counted from the last.
[[nodiscard]] Tensor broadcast_to(const Tensor& x, const Shape& shape);
/// A new axis of size 1 before `axis`, in [-rank - 1, rank]. Raises Error when it is out of range
/// or x has eight axes.
[[nodiscard]] Tensor expand_dims(const Tensor& x, int axis);
/// x without `axes`, or without all axes of size 1 if none is given. Raises Error when an axis is
/// not of size 1, out of range or given twice.
[[nodiscard]] Tensor squeeze(const Tensor& x, const Axes& axes = {});
/// The elements in reverse order along `axes`, or along all if none is given. Raises Error when an
/// axis is out of range or given twice.
[[nodiscard]] Tensor flip(const Tensor& x, const Axes& axes = {});
/// Basic indexing, as `x.at(...).get()`: one entry for each axis from the first on; axes without an
/// entry are taken whole. Raises Error for an integer out of range, a step of 0, a window larger
/// than its axis, more entries than axes, two ellipses, a run-time start that is not an integer.
[[nodiscard]] Tensor index(const Tensor& x, std::span<const Index> entries);

/// NumPy's sliding_window_view: all windows into x, at every place where one fits. The result has
/// x's axes, those with a window being shorter by its size less 1, then an axis for each window.
///
/// window: sizes, one for each of `axes`; without `axes`, one for each axis of x. An axis may occur
/// several times: it then has windows of windows.
/// Raises Error for another number of windows, for one that is negative or larger than its axis,
/// for an axis out of range, and when the result would have more than eight axes.
/// Example: `mean(sliding_window_view(x, 3, -1), -1)` is a moving average.
[[nodiscard]] Tensor sliding_window_view(const Tensor& x, std::span<const std::int64_t> window,
                                         std::span<const int> axes = {});
[[nodiscard]] inline Tensor sliding_window_view(const Tensor& x,
                                                std::initializer_list<std::int64_t> window,
                                                std::initializer_list<int> axes = {}) {
  return sliding_window_view(x, std::span(window.begin(), window.size()),
                             std::span(axes.begin(), axes.size()));
}
[[nodiscard]] inline Tensor sliding_window_view(const Tensor& x, std::int64_t window, int axis) {
  return sliding_window_view(x, std::span<const std::int64_t>(&window, 1),
                             std::span<const int>(&axis, 1));
}
/// NumPy's diagonal: elements x[..., i, ..., i + offset, ...] of the two axes, as the last axis of
/// the result; the two go. Empty where the diagonal lies outside of x.
///
/// Raises Error when x has fewer than two axes, and when axis1 and axis2 are the same or out of
/// range.
[[nodiscard]] Tensor diagonal(const Tensor& x, std::int64_t offset = 0, int axis1 = 0,
                              int axis2 = 1);
/// NumPy's diag: the k-th diagonal of a matrix, or a square matrix of zeros with the vector x on
/// its k-th diagonal. Raises Error for another number of axes.
[[nodiscard]] Tensor diag(const Tensor& x, std::int64_t k = 0);

/// Elements to add before and after an axis.
struct PadWidth {
  std::int64_t before;
  std::int64_t after;
};

namespace detail {
/// A width for both sides. Raises Error for one that int64 cannot hold.
template <class Width>
PadWidth pad_width(Width width) {
  static_assert(std::is_integral_v<Width> && !std::is_same_v<Width, bool>,
                "trigon: pad(x, 1) takes a whole number of elements");
  const auto each = checked<std::int64_t>("pad", width);
  return {each, each};
}
}  // namespace detail
/// x with elements of `value` around it. `widths` holds one entry for each axis,
/// `pad(x, {{1, 1}, {0, 2}})`, or one for all of them. Raises Error when their number differs, when
/// a width is negative, and when an integer dtype of x cannot hold the value.
[[nodiscard]] Tensor pad(const Tensor& x, std::span<const PadWidth> widths, double value = 0.0);
[[nodiscard]] inline Tensor pad(const Tensor& x, std::initializer_list<PadWidth> widths,
                                double value = 0.0) {
  return pad(x, std::span(widths.begin(), widths.size()), value);
}
/// The same widths for all axes: `pad(x, {1, 2})` adds 1 element before each and 2 after it.
[[nodiscard]] inline Tensor pad(const Tensor& x, const PadWidth& width, double value = 0.0) {
  return pad(x, std::span(&width, 1), value);
}
/// The same width before and after all axes: `pad(x, 1)`.
template <class Width>
  requires std::is_arithmetic_v<Width>
[[nodiscard]] Tensor pad(const Tensor& x, Width width, double value = 0.0) {
  return pad(x, detail::pad_width(width), value);
}

/// The parts one after the other along `axis`, in their promoted dtype. Raises Error without parts,
/// when the axis is out of range, and when shapes differ elsewhere than along it.
[[nodiscard]] Tensor concatenate(std::span<const Tensor> parts, int axis = 0);
[[nodiscard]] inline Tensor concatenate(std::initializer_list<Tensor> parts, int axis = 0) {
  return concatenate(std::span(parts.begin(), parts.size()), axis);
}
/// The same of tensors that are named one by one: `concatenate(x, y)`. With an axis, write
/// `concatenate({x, y}, 1)`.
template <std::derived_from<Tensor> First, class Second, class... More>
[[nodiscard]] Tensor concatenate(const First& first, const Second& second, const More&... more) {
  static_assert(detail::are_tensors<Second, More...>,
                "trigon: concatenate(x, y) takes tensors alone; with an axis or a number write "
                "concatenate({x, y}, 1)");
  return concatenate(detail::listed(first, second, more...));
}
/// The same of a range of Selections: `concatenate(std::vector{x(0), x(1)})`.
template <detail::Selections Parts>
[[nodiscard]] Tensor concatenate(const Parts& parts, int axis = 0) {
  return concatenate(detail::tensors_of(parts), axis);
}
/// The parts, all of one shape, along a new axis, in their promoted dtype. Raises Error without
/// parts, when shapes differ, when the axis is out of range, and for parts of eight axes.
[[nodiscard]] Tensor stack(std::span<const Tensor> parts, int axis = 0);
[[nodiscard]] inline Tensor stack(std::initializer_list<Tensor> parts, int axis = 0) {
  return stack(std::span(parts.begin(), parts.size()), axis);
}
/// The same of tensors that are named one by one: `stack(x, y)`. With an axis, write
/// `stack({x, y}, 1)`.
template <std::derived_from<Tensor> First, class Second, class... More>
[[nodiscard]] Tensor stack(const First& first, const Second& second, const More&... more) {
  static_assert(detail::are_tensors<Second, More...>,
                "trigon: stack(x, y) takes tensors alone; with an axis or a number write "
                "stack({x, y}, 1)");
  return stack(detail::listed(first, second, more...));
}
/// The same of a range of Selections.
template <detail::Selections Parts>
[[nodiscard]] Tensor stack(const Parts& parts, int axis = 0) {
  return stack(detail::tensors_of(parts), axis);
}
/// x cut into `sections` equal parts along `axis`. Raises Error when the axis is out of range,
/// `sections` is below 1 or above 2^20, or the size of the axis is not a multiple of it.
[[nodiscard]] std::vector<Tensor> split(const Tensor& x, int sections, int axis = 0);
/// The same for a number of parts that is known: `auto [a, b] = split<2>(x)`. Raises as above.
template <std::size_t N>
[[nodiscard]] std::array<Tensor, N> split(const Tensor& x, int axis = 0) {
  static_assert(N > 0 && N <= 64, "trigon: split<N>(x) makes 1 to 64 parts; write split(x, n)");
  std::vector<Tensor> parts = split(x, static_cast<int>(N), axis);
  std::array<Tensor, N> result;
  for (std::size_t k = 0; k < N; ++k) result[k] = std::move(parts[k]);
  return result;
}

/// x, taken for a constant by gradients.
[[nodiscard]] Tensor stop_gradient(const Tensor& x);

}  // namespace trigon
