// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
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
[[nodiscard]] std::array<Tensor, sizeof...(T)> listed(const T&... arrays) {
  if constexpr (are_tensors<T...>) {
    return {arrays...};
  } else {
    return {};
  }
}

}  // namespace detail

/// The arrays one after the other along `axis`, in their promoted dtype. Raises Error without
/// arrays, when the axis is out of range, and when shapes differ along another axis.
[[nodiscard]] Tensor concatenate(const TensorList& arrays, int axis = 0);
/// The same with tensors as separate arguments: `concatenate(x, y)`. With an axis, write
/// `concatenate({x, y}, 1)`.
template <std::derived_from<Tensor> First, class Second, class... More>
[[nodiscard]] Tensor concatenate(const First& first, const Second& second, const More&... more) {
  static_assert(detail::are_tensors<Second, More...>,
                "trigon: concatenate(x, y) takes tensors alone; with an axis or a number write "
                "concatenate({x, y}, 1)");
  return concatenate(detail::listed(first, second, more...));
}
/// The arrays, all of one shape, along a new axis, in their promoted dtype. Raises Error without
/// arrays, when shapes differ, when the axis is out of range, and for arrays of eight axes.
[[nodiscard]] Tensor stack(const TensorList& arrays, int axis = 0);
/// The same with tensors as separate arguments: `stack(x, y)`. With an axis, write
/// `stack({x, y}, 1)`.
template <std::derived_from<Tensor> First, class Second, class... More>
[[nodiscard]] Tensor stack(const First& first, const Second& second, const More&... more) {
  static_assert(detail::are_tensors<Second, More...>,
                "trigon: stack(x, y) takes tensors alone; with an axis or a number write "
                "stack({x, y}, 1)");
  return stack(detail::listed(first, second, more...));
}

/// The arrays below each other: concatenate along axis 0, where a vector is a row and a number a
/// row of one. Raises as concatenate.
[[nodiscard]] Tensor vstack(const TensorList& arrays);
/// The same with tensors as separate arguments.
template <std::derived_from<Tensor> First, class Second, class... More>
[[nodiscard]] Tensor vstack(const First& first, const Second& second, const More&... more) {
  static_assert(detail::are_tensors<Second, More...>,
                "trigon: vstack(x, y) takes tensors alone; with a number write vstack({x, 2.0})");
  return vstack(detail::listed(first, second, more...));
}
/// The arrays side by side: concatenate along axis 1, or of vectors and numbers along axis 0.
/// Raises as concatenate.
[[nodiscard]] Tensor hstack(const TensorList& arrays);
/// The same with tensors as separate arguments.
template <std::derived_from<Tensor> First, class Second, class... More>
[[nodiscard]] Tensor hstack(const First& first, const Second& second, const More&... more) {
  static_assert(detail::are_tensors<Second, More...>,
                "trigon: hstack(x, y) takes tensors alone; with a number write hstack({x, 2.0})");
  return hstack(detail::listed(first, second, more...));
}

/// x cut into `sections` equal pieces along `axis`. Raises Error when the axis is out of range,
/// `sections` is below 1 or above 2^20, or the size of the axis is not a multiple of it.
[[nodiscard]] std::vector<Tensor> split(const Tensor& x, int sections, int axis = 0);
/// The same for a number of sections that is known: `auto [a, b] = split<2>(x)`. Raises as above.
template <std::size_t N>
[[nodiscard]] std::array<Tensor, N> split(const Tensor& x, int axis = 0) {
  static_assert(N > 0 && N <= 64, "trigon: split<N>(x) makes 1 to 64 parts; write split(x, n)");
  std::vector<Tensor> made = split(x, static_cast<int>(N), axis);
  std::array<Tensor, N> result;
  for (std::size_t k = 0; k < N; ++k) result[k] = std::move(made[k]);
  return result;
}

namespace detail {
std::vector<Tensor> array_split(const Tensor& x, std::int64_t sections, int axis);
}
/// x cut into `sections` pieces along `axis`. If they cannot be equal, the first ones have one more
/// element. Raises Error when the axis is out of range and unless 1 <= sections <= 2^20.
template <detail::Integer Integer>
[[nodiscard]] std::vector<Tensor> array_split(const Tensor& x, Integer sections, int axis = 0) {
  return detail::array_split(
      x, detail::checked<std::int64_t>(detail::core::Called("array_split"), sections), axis);
}
/// x cut before each of the positions, by the rules of a Slice. Raises Error when the axis is out
/// of range.
[[nodiscard]] std::vector<Tensor> array_split(const Tensor& x,
                                              const IntegerList<std::int64_t>& positions,
                                              int axis = 0);

/// Elements to add before and after an axis.
struct PadWidth {
  PadWidth() = default;
  template <detail::Integer Before, detail::Integer After>
  PadWidth(Before before_axis, After after_axis)
      : before(detail::checked<std::int64_t>(detail::core::Called("pad"), before_axis)),
        after(detail::checked<std::int64_t>(detail::core::Called("pad"), after_axis)) {}

  std::int64_t before = 0;
  std::int64_t after = 0;
};

/// The widths of pad: `{{1, 1}, {0, 2}}`, or a vector, array or span of PadWidth. `{1, 2}` adds 1
/// element before each axis and 2 after it, `1` as many on both sides.
class PadWidths : public detail::List<PadWidth> {
 public:
  template <class Width>
    requires(std::is_arithmetic_v<Width>)
  PadWidths(Width width) : PadWidths(width, width) {}
  template <class Before, class After>
    requires(std::is_arithmetic_v<Before>&& std::is_arithmetic_v<After>)
  PadWidths(Before before, After after) {
    static_assert(detail::Integer<Before> && detail::Integer<After>,
                  "trigon: pad(x, 1) takes a whole number of elements");
    if constexpr (detail::Integer<Before> && detail::Integer<After>) {
      items_ = {PadWidth(before, after)};
    }
  }
  PadWidths(const PadWidth& each) : List({each}) {}
  PadWidths(std::initializer_list<PadWidth> widths) : List(widths) {}
  template <detail::RangeOf<PadWidth> Range>
  PadWidths(const Range& widths)
      : List({std::data(widths), std::data(widths) + std::size(widths)}) {}
};

/// x with elements of `value` around it, or with elements made by `mode`.
///
/// widths: elements before and after each axis, `pad(x, {{1, 1}, {0, 2}})`, or one entry for all.
/// mode: "constant" (zeros, or the value), "edge" (the nearest element), "reflect" (mirrored at the
///     outermost elements), "symmetric" (mirrored behind them) or "wrap" (the elements from the
///     other end). Wide borders go on in the same way.
/// Raises Error when the number of widths differs, when one is negative, and when an integer dtype
/// of x cannot hold the value. Also for another mode, and when an axis without elements would get
/// some by any mode but "constant".
[[nodiscard]] Tensor pad(const Tensor& x, const PadWidths& widths, double value = 0.0);
[[nodiscard]] Tensor pad(const Tensor& x, const PadWidths& widths, std::string_view mode);

}  // namespace trigon
