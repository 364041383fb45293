// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <trigon/ops/view.hpp>
#include <trigon/tensor.hpp>

// Repeating, shifting, joining and cutting tensors, with NumPy's names, parameters and semantics.
// None of these functions draws: a reader computes the index at which it fetches, or the value
// itself.

namespace trigon {

/// `value` in x's shape; in x's dtype unless one is given. Raises as full.
[[nodiscard]] Tensor full_like(const Tensor& x, double value, std::optional<DType> dtype = {});
/// NumPy's empty, which here is zeros: textures are never handed out with what they held before.
[[nodiscard]] Tensor empty(const Shape& shape, DType dtype = float32);
/// The same of these sizes: `empty(2, 3)`.
template <HostScalar N, class... More>
  requires detail::are_sizes<N, More...>
[[nodiscard]] Tensor empty(N size, More... more) {
  const auto [sizes, dtype] = detail::sizes_and_dtype("empty", size, more...);
  return empty(Shape(sizes), dtype);
}
/// empty of x's shape and dtype.
[[nodiscard]] Tensor empty_like(const Tensor& x);
/// `n` float32 powers of `base` whose exponents are linspace(start, stop, n, endpoint). Raises as
/// linspace.
[[nodiscard]] Tensor logspace(double start, double stop, std::int64_t n = 50, bool endpoint = true,
                              double base = 10.0);
/// The index along each axis of a shape: int32 of (rank, shape...). Raises Error for eight axes.
[[nodiscard]] Tensor indices(const Shape& shape);

/// x shifted by `shift` elements along `axis`; those that leave at an end enter at the other one.
/// Without an axis x is shifted as a vector, and keeps its shape. Raises Error when the axis is out
/// of range.
///
///   roll(arange(5), 2);  // 3 4 0 1 2
[[nodiscard]] Tensor roll(const Tensor& x, std::int64_t shift, std::optional<int> axis = {});
/// x shifted by shifts[k] along axes[k]; an axis may occur several times. Raises Error when their
/// numbers differ.
[[nodiscard]] Tensor roll(const Tensor& x, std::span<const std::int64_t> shifts,
                          std::span<const int> axes);
[[nodiscard]] inline Tensor roll(const Tensor& x, std::initializer_list<std::int64_t> shifts,
                                 std::initializer_list<int> axes) {
  return roll(x, std::span(shifts.begin(), shifts.size()), std::span(axes.begin(), axes.size()));
}
/// x as a whole, reps[k] times along axis k. Axes are matched from the last; x or `reps` gets
/// leading ones. Raises Error for a negative count and past eight axes.
[[nodiscard]] Tensor tile(const Tensor& x, std::span<const std::int64_t> reps);
[[nodiscard]] inline Tensor tile(const Tensor& x, std::initializer_list<std::int64_t> reps) {
  return tile(x, std::span(reps.begin(), reps.size()));
}
[[nodiscard]] inline Tensor tile(const Tensor& x, std::int64_t reps) {
  return tile(x, std::span(&reps, 1));
}
/// Each element `repeats` times in a row along `axis`; without one, of x as a vector. Raises Error
/// for a negative count and when the axis is out of range.
[[nodiscard]] Tensor repeat(const Tensor& x, std::int64_t repeats, std::optional<int> axis = {});
/// x turned by k quarters from the first of the two axes towards the second. Raises Error when they
/// are the same or out of range.
[[nodiscard]] Tensor rot90(const Tensor& x, int k = 1, const std::array<int, 2>& axes = {0, 1});
/// Axis sources[k] moved to destinations[k], the others in their order. Raises Error when the
/// numbers differ, when one is out of range and when one occurs twice.
[[nodiscard]] Tensor moveaxis(const Tensor& x, std::span<const int> sources,
                              std::span<const int> destinations);
[[nodiscard]] inline Tensor moveaxis(const Tensor& x, std::initializer_list<int> sources,
                                     std::initializer_list<int> destinations) {
  return moveaxis(x, std::span(sources.begin(), sources.size()),
                  std::span(destinations.begin(), destinations.size()));
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

/// The coordinates of a grid: of vectors x_k of n_k elements, one tensor each.
///
/// indexing: "xy" (n_1, n_0, n_2, ...), as images are indexed, or "ij" (n_0, n_1, n_2, ...).
/// Raises Error for another indexing, for more than eight vectors and for more than one axis; a
/// number counts as a vector of one.
///
///   meshgrid({arange(3), arange(2)})[0];  // 0 1 2, 0 1 2
[[nodiscard]] std::vector<Tensor> meshgrid(std::span<const Tensor> xs,
                                           std::string_view indexing = "xy");
[[nodiscard]] inline std::vector<Tensor> meshgrid(std::initializer_list<Tensor> xs,
                                                  std::string_view indexing = "xy") {
  return meshgrid(std::span(xs.begin(), xs.size()), indexing);
}
/// The same of tensors that are named one by one: `meshgrid(u, v)`.
template <std::derived_from<Tensor> First, std::derived_from<Tensor>... More>
[[nodiscard]] std::vector<Tensor> meshgrid(const First& first, const More&... more) {
  return meshgrid({first, more...});
}
/// The same of a range of Selections.
template <detail::Selections Parts>
[[nodiscard]] std::vector<Tensor> meshgrid(const Parts& parts, std::string_view indexing = "xy") {
  return meshgrid(detail::tensors_of(parts), indexing);
}
/// All in the shape that they broadcast to. Raises Error when they do not.
[[nodiscard]] std::vector<Tensor> broadcast_arrays(std::span<const Tensor> xs);
[[nodiscard]] inline std::vector<Tensor> broadcast_arrays(std::initializer_list<Tensor> xs) {
  return broadcast_arrays(std::span(xs.begin(), xs.size()));
}
/// The same of tensors that are named one by one.
template <std::derived_from<Tensor> First, std::derived_from<Tensor>... More>
[[nodiscard]] std::vector<Tensor> broadcast_arrays(const First& first, const More&... more) {
  return broadcast_arrays({first, more...});
}
/// The same of a range of Selections.
template <detail::Selections Parts>
[[nodiscard]] std::vector<Tensor> broadcast_arrays(const Parts& parts) {
  return broadcast_arrays(detail::tensors_of(parts));
}
/// The parts below each other: concatenate along axis 0, where a vector is a row and a number a row
/// of one. Raises as concatenate.
[[nodiscard]] Tensor vstack(std::span<const Tensor> parts);
[[nodiscard]] inline Tensor vstack(std::initializer_list<Tensor> parts) {
  return vstack(std::span(parts.begin(), parts.size()));
}
/// The same of tensors that are named one by one.
template <std::derived_from<Tensor> First, class Second, class... More>
[[nodiscard]] Tensor vstack(const First& first, const Second& second, const More&... more) {
  static_assert(detail::are_tensors<Second, More...>,
                "trigon: vstack(x, y) takes tensors alone; with a number write vstack({x, 2.0})");
  return vstack(detail::listed(first, second, more...));
}
/// The same of a range of Selections.
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
/// The same of tensors that are named one by one.
template <std::derived_from<Tensor> First, class Second, class... More>
[[nodiscard]] Tensor hstack(const First& first, const Second& second, const More&... more) {
  static_assert(detail::are_tensors<Second, More...>,
                "trigon: hstack(x, y) takes tensors alone; with a number write hstack({x, 2.0})");
  return hstack(detail::listed(first, second, more...));
}
/// The same of a range of Selections.
template <detail::Selections Parts>
[[nodiscard]] Tensor hstack(const Parts& parts) {
  return hstack(detail::tensors_of(parts));
}
/// x cut into `sections` parts along `axis`, of which the first ones have one element more where
/// they do not come out even. Raises Error when the axis is out of range and unless
/// 1 <= sections <= 2^20.
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

/// The sum along a diagonal, as sum(diagonal(x, offset, axis1, axis2), -1). Raises as diagonal.
[[nodiscard]] Tensor trace(const Tensor& x, std::int64_t offset = 0, int axis1 = 0, int axis2 = 1);
/// The Kronecker product: each element of a times the whole of b. The one with fewer axes gets
/// leading ones. Raises Error past eight axes within it, which has two for each axis.
[[nodiscard]] Tensor kron(const Tensor& a, const Tensor& b);

}  // namespace trigon
