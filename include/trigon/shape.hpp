// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <vector>

#include <trigon/axes.hpp>
#include <trigon/detail/shape_class.hpp>
#include <trigon/tensor.hpp>

// Tensors in another shape, with NumPy's names and semantics. These functions cost no draw: they
// only change where their reader fetches.

namespace trigon {

/// The same elements in C order in another shape; one size may be -1 and is inferred. Raises Error
/// when the sizes do not hold as many elements as x.
[[nodiscard]] Tensor reshape(const Tensor& x, const Dims& dims);
/// The same for these sizes: `reshape(x, 4, -1)`, `reshape(x, -1)`.
template <std::convertible_to<std::int64_t>... N>
  requires(sizeof...(N) > 0)
[[nodiscard]] Tensor reshape(const Tensor& x, N... dims) { return x.reshape(dims...); }
/// The elements in C order as a vector.
[[nodiscard]] Tensor ravel(const Tensor& x);
/// Axes in the order of `axes`, or reversed when it is empty. Raises Error unless every axis occurs
/// once.
[[nodiscard]] Tensor transpose(const Tensor& x, const IntegerList<int>& axes = {});
/// The same: `transpose(x, 1, 0)`.
template <std::integral... N>
  requires(sizeof...(N) > 0)
[[nodiscard]] Tensor transpose(const Tensor& x, N... axes) { return x.transpose(axes...); }
/// Axes a and b exchanged. Raises Error when one is out of range.
[[nodiscard]] Tensor swapaxes(const Tensor& x, int a, int b);
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

/// Axis sources[k] moved to destinations[k], the others in their order: `moveaxis(x, 0, -1)`.
/// Raises Error when the numbers differ, when one is out of range and when one occurs twice.
[[nodiscard]] Tensor moveaxis(const Tensor& x, const IntegerList<int>& sources,
                              const IntegerList<int>& destinations);
/// The tensors in the shape that they broadcast to. Raises Error when they do not broadcast.
[[nodiscard]] std::vector<Tensor> broadcast_arrays(const TensorList& xs);
/// The same with tensors as separate arguments.
template <std::derived_from<Tensor> First, std::derived_from<Tensor>... More>
[[nodiscard]] std::vector<Tensor> broadcast_arrays(const First& first, const More&... more) {
  return broadcast_arrays({first, more...});
}
/// x shifted by `shift` elements along `axis`; those that leave at an end enter at the other one.
/// Without an axis x is shifted as a vector and keeps its shape. Raises Error when the axis is out
/// of range.
///
///   roll(arange(5), 2);  // 3 4 0 1 2
[[nodiscard]] Tensor roll(const Tensor& x, std::int64_t shift, std::optional<int> axis = {});
/// x shifted by shifts[k] along axes[k]; an axis may occur several times. Raises Error when their
/// numbers differ.
[[nodiscard]] Tensor roll(const Tensor& x, const IntegerList<std::int64_t>& shifts,
                          const IntegerList<int>& axes);
/// x turned by k quarters from the first of the two axes towards the second. Raises Error when they
/// are the same or out of range.
[[nodiscard]] Tensor rot90(const Tensor& x, int k = 1, const std::array<int, 2>& axes = {0, 1});
/// x repeated as a whole, reps[k] times along axis k. Axes are matched from the last; the shorter
/// of x.shape() and `reps` gets leading ones. Raises Error for a negative count and past eight
/// axes.
[[nodiscard]] Tensor tile(const Tensor& x, const IntegerList<std::int64_t>& reps);
/// Each element `repeats` times in a row along `axis`; without an axis x is repeated as a vector.
/// Raises Error for a negative count and when the axis is out of range.
[[nodiscard]] Tensor repeat(const Tensor& x, std::int64_t repeats, std::optional<int> axis = {});

}  // namespace trigon
