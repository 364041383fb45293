// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <initializer_list>
#include <span>

#include <trigon/ops/binary.hpp>
#include <trigon/ops/bitwise.hpp>
#include <trigon/ops/trigonometric.hpp>
#include <trigon/ops/view.hpp>

// Functions by the names that the Python array API gives them, where NumPy 1 has other names. Each
// makes the same graph as the function that it calls, and raises as it does. The array API's std is
// stddev here, since std is C++'s namespace.
// Source: https://data-apis.org/array-api/2023.12

namespace trigon {

/// arccos(x).
[[nodiscard]] inline Tensor acos(const Tensor& x) { return arccos(x); }
/// arccosh(x).
[[nodiscard]] inline Tensor acosh(const Tensor& x) { return arccosh(x); }
/// arcsin(x).
[[nodiscard]] inline Tensor asin(const Tensor& x) { return arcsin(x); }
/// arcsinh(x).
[[nodiscard]] inline Tensor asinh(const Tensor& x) { return arcsinh(x); }
/// arctan(x).
[[nodiscard]] inline Tensor atan(const Tensor& x) { return arctan(x); }
/// arctan2(a, b).
[[nodiscard]] inline Tensor atan2(const Tensor& a, const Tensor& b) { return arctan2(a, b); }
/// arctanh(x).
[[nodiscard]] inline Tensor atanh(const Tensor& x) { return arctanh(x); }
/// power(a, b): `pow(x, 2)`.
[[nodiscard]] inline Tensor pow(const Tensor& a, const Tensor& b) { return power(a, b); }

/// bitwise_not(x).
[[nodiscard]] inline Tensor bitwise_invert(const Tensor& x) { return bitwise_not(x); }
/// left_shift(a, b).
[[nodiscard]] inline Tensor bitwise_left_shift(const Tensor& a, const Tensor& b) {
  return left_shift(a, b);
}
/// right_shift(a, b).
[[nodiscard]] inline Tensor bitwise_right_shift(const Tensor& a, const Tensor& b) {
  return right_shift(a, b);
}

/// x.astype(dtype).
[[nodiscard]] inline Tensor astype(const Tensor& x, DType dtype) { return x.astype(dtype); }
/// concatenate(parts, axis).
[[nodiscard]] inline Tensor concat(std::span<const Tensor> parts, int axis = 0) {
  return concatenate(parts, axis);
}
[[nodiscard]] inline Tensor concat(std::initializer_list<Tensor> parts, int axis = 0) {
  return concatenate(parts, axis);
}
template <detail::Selections Parts>
[[nodiscard]] Tensor concat(const Parts& parts, int axis = 0) {
  return concatenate(parts, axis);
}
/// concatenate(x, y).
template <std::derived_from<Tensor> First, class Second, class... More>
[[nodiscard]] Tensor concat(const First& first, const Second& second, const More&... more) {
  static_assert(
      detail::are_tensors<Second, More...>,
      "trigon: concat(x, y) takes tensors alone; with an axis or a number write concat({x, y}, 1)");
  return concatenate(detail::listed(first, second, more...));
}
/// swapaxes(x, -2, -1).
[[nodiscard]] inline Tensor matrix_transpose(const Tensor& x) { return swapaxes(x, -2, -1); }
/// transpose(x, axes).
[[nodiscard]] inline Tensor permute_dims(const Tensor& x, std::span<const int> axes) {
  return transpose(x, axes);
}
[[nodiscard]] inline Tensor permute_dims(const Tensor& x, std::initializer_list<int> axes) {
  return transpose(x, axes);
}

}  // namespace trigon
