// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/detail/integer.hpp>
#include <trigon/tensor.hpp>

// Joining, cutting and padding tensors, with NumPy's names, parameters and semantics. None of these
// functions draws: a reader computes the index at which it fetches.

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

/// The parts one after the other along `axis`, in their promoted dtype. Raises Error without parts,
/// when the axis is out of range, and when shapes differ along another axis.
[[nodiscard]] Tensor concatenate(std::span<const Tensor> parts, int axis = 0);
[[nodiscard]] inline Tensor concatenate(std::initializer_list<Tensor> parts, int axis = 0) {
  return concatenate(std::span(parts.begin(), parts.size()), axis);
}
/// The same with tensors as separate arguments: `concatenate(x, y)`. With an axis, write
/// `concatenate({x, y}, 1)`.
template <std::derived_from<Tensor> First, class Second, class... More>
[[nodiscard]] Tensor concatenate(const First& first, const Second& second, const More&... more) {
  static_assert(detail::are_tensors<Second, More...>,
                "trigon: concatenate(x, y) takes tensors alone; with an axis or a number write "
                "concatenate({x, y}, 1)");
  return concatenate(detail::listed(first, second, more...));
}
/// The same for a range of Selections: `concatenate(std::vector{x(0), x(1)})`.
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
/// The same with tensors as separate arguments: `stack(x, y)`. With an axis, write
/// `stack({x, y}, 1)`.
template <std::derived_from<Tensor> First, class Second, class... More>
[[nodiscard]] Tensor stack(const First& first, const Second& second, const More&... more) {
  static_assert(detail::are_tensors<Second, More...>,
                "trigon: stack(x, y) takes tensors alone; with an axis or a number write "
                "stack({x, y}, 1)");
  return stack(detail::listed(first, second, more...));
}
/// The same for a range of Selections.
template <detail::Selections Parts>
[[nodiscard]] Tensor stack(const Parts& parts, int axis = 0) {
  return stack(detail::tensors_of(parts), axis);
}

/// The parts below each other: concatenate along axis 0, where a vector is a row and a number a row
/// of one. Raises as concatenate.
[[nodiscard]] Tensor vstack(std::span<const Tensor> parts);
[[nodiscard]] inline Tensor vstack(std::initializer_list<Tensor> parts) {
  return vstack(std::span(parts.begin(), parts.size()));
}
/// The same with tensors as separate arguments.
template <std::derived_from<Tensor> First, class Second, class... More>
[[nodiscard]] Tensor vstack(const First& first, const Second& second, const More&... more) {
  static_assert(detail::are_tensors<Second, More...>,
                "trigon: vstack(x, y) takes tensors alone; with a number write vstack({x, 2.0})");
  return vstack(detail::listed(first, second, more...));
}
/// The same for a range of Selections.
template <detail::Selections Parts>
[[nodiscard]] Tensor vstack(const Parts& parts) {
  return vstack(detail::tensors_of(parts));
}
/// The parts side by side: concatenate along axis 1, or of vectors and numbers along axis 0. Raises
/// as concatenate.
[[nodiscard]] Tensor hstack(std::span<const Tensor> parts);
[[nodiscard]] inline Tensor hstack(std::initializer_list<Tensor> parts) {
  return hstack(std::span(parts.begin(), parts.size()));
}
/// The same with tensors as separate arguments.
template <std::derived_from<Tensor> First, class Second, class... More>
[[nodiscard]] Tensor hstack(const First& first, const Second& second, const More&... more) {
  static_assert(detail::are_tensors<Second, More...>,
                "trigon: hstack(x, y) takes tensors alone; with a number write hstack({x, 2.0})");
  return hstack(detail::listed(first, second, more...));
}
/// The same for a range of Selections.
template <detail::Selections Parts>
[[nodiscard]] Tensor hstack(const Parts& parts) {
  return hstack(detail::tensors_of(parts));
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

/// x cut into `sections` parts along `axis`. If they cannot be equal, the first ones have one more
/// element. Raises Error when the axis is out of range and unless 1 <= sections <= 2^20.
[[nodiscard]] std::vector<Tensor> array_split(const Tensor& x, std::int64_t sections, int axis = 0);
/// x cut before each of the positions, by the rules of a Slice. Raises Error when the axis is out
/// of range.
[[nodiscard]] std::vector<Tensor> array_split(const Tensor& x,
                                              std::span<const std::int64_t> positions,
                                              int axis = 0);
[[nodiscard]] inline std::vector<Tensor> array_split(const Tensor& x,
                                                     std::initializer_list<std::int64_t> positions,
                                                     int axis = 0) {
  return array_split(x, std::span(positions.begin(), positions.size()), axis);
}

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

/// x with elements around it, made by `mode`; widths as for pad with a value.
///
/// mode: "constant" (zeros), "edge" (the nearest element), "reflect" (mirrored at the outermost
///     elements), "symmetric" (mirrored behind them) or "wrap" (the elements from the other end).
///     Wide borders go on in the same way.
/// Raises Error for another mode, as pad with a value, and when an axis without elements would get
/// some by any mode but "constant".
[[nodiscard]] Tensor pad(const Tensor& x, std::span<const PadWidth> widths, std::string_view mode);
[[nodiscard]] inline Tensor pad(const Tensor& x, std::initializer_list<PadWidth> widths,
                                std::string_view mode) {
  return pad(x, std::span(widths.begin(), widths.size()), mode);
}
[[nodiscard]] inline Tensor pad(const Tensor& x, const PadWidth& width, std::string_view mode) {
  return pad(x, std::span(&width, 1), mode);
}
template <class Width>
  requires std::is_arithmetic_v<Width>
[[nodiscard]] Tensor pad(const Tensor& x, Width width, std::string_view mode) {
  return pad(x, detail::pad_width(width), mode);
}

}  // namespace trigon
