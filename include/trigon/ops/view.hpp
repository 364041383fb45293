// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <vector>

#include <trigon/tensor.hpp>

// Making tensors, and looking at them in another shape. A view costs no draw: it only changes where
// its reader fetches. All names and semantics are NumPy's.

namespace trigon {

/// `shape` filled with `value`; no memory until something writes into it.
Tensor full(const Shape& shape, double value, DType dtype = float32);
Tensor zeros(const Shape& shape, DType dtype = float32);
Tensor ones(const Shape& shape, DType dtype = float32);
Tensor zeros_like(const Tensor& x);
Tensor ones_like(const Tensor& x);

/// 0, 1, ..., n - 1 as int32.
Tensor iota(std::int64_t n);
namespace detail {
Tensor arange(std::int64_t start, std::int64_t stop, std::int64_t step);
Tensor arange(double start, double stop, double step);
}  // namespace detail
/// start, start + step, ... below stop: int32 when all three are of integer types, else float32.
template <HostScalar A, HostScalar B, HostScalar C = int>
Tensor arange(A start, B stop, C step = 1) {
  constexpr bool integral = std::is_integral_v<A> && std::is_integral_v<B> && std::is_integral_v<C>;
  using T = std::conditional_t<integral, std::int64_t, double>;
  return detail::arange(static_cast<T>(start), static_cast<T>(stop), static_cast<T>(step));
}
template <HostScalar B>
Tensor arange(B stop) {
  return arange(0, stop);
}
/// n evenly spaced float32 numbers from start to stop, the last one included unless `endpoint` is
/// false.
Tensor linspace(double start, double stop, std::int64_t n, bool endpoint = true);
/// (n, m) with ones on the k-th diagonal; m = -1 means n.
Tensor eye(std::int64_t n, std::int64_t m = -1, int k = 0, DType dtype = float32);
/// The last two axes with zeros above (tril) or below (triu) the k-th diagonal.
Tensor tril(const Tensor& x, int k = 0);
Tensor triu(const Tensor& x, int k = 0);

/// One size may be -1: what is left. Raises Error when the sizes do not hold as many elements.
Tensor reshape(const Tensor& x, std::span<const std::int64_t> dims);
inline Tensor reshape(const Tensor& x, std::initializer_list<std::int64_t> dims) {
  return reshape(x, std::span(dims.begin(), dims.size()));
}
Tensor reshape(const Tensor& x, const Shape& shape);
Tensor ravel(const Tensor& x);
/// Axes in the order of `axes`, or reversed when it is empty.
Tensor transpose(const Tensor& x, std::span<const int> axes = {});
inline Tensor transpose(const Tensor& x, std::initializer_list<int> axes) {
  return transpose(x, std::span(axes.begin(), axes.size()));
}
Tensor swapaxes(const Tensor& x, int a, int b);
Tensor moveaxis(const Tensor& x, int source, int destination);
Tensor broadcast_to(const Tensor& x, const Shape& shape);
Tensor expand_dims(const Tensor& x, int axis);
/// Without axes: all axes of size 1.
Tensor squeeze(const Tensor& x, std::span<const int> axes = {});
Tensor squeeze(const Tensor& x, int axis);
Tensor flip(const Tensor& x, std::span<const int> axes = {});
Tensor flip(const Tensor& x, int axis);
/// Basic indexing with several entries; missing ones are whole axes.
Tensor index(const Tensor& x, std::span<const Index> entries);

struct PadWidth {
  std::int64_t before;
  std::int64_t after;
};
/// `widths` holds one entry an axis; the new elements are `value`.
Tensor pad(const Tensor& x, std::span<const PadWidth> widths, double value = 0.0);

Tensor concatenate(std::span<const Tensor> parts, int axis = 0);
inline Tensor concatenate(std::initializer_list<Tensor> parts, int axis = 0) {
  return concatenate(std::span(parts.begin(), parts.size()), axis);
}
Tensor stack(std::span<const Tensor> parts, int axis = 0);
inline Tensor stack(std::initializer_list<Tensor> parts, int axis = 0) {
  return stack(std::span(parts.begin(), parts.size()), axis);
}
/// `sections` equal parts along `axis`.
std::vector<Tensor> split(const Tensor& x, int sections, int axis = 0);

/// The same value on which no gradient flows back.
Tensor stop_gradient(const Tensor& x);

}  // namespace trigon
