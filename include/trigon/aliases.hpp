// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>

#include <trigon/join.hpp>
#include <trigon/shape.hpp>

// Functions by the names that the Python array API gives them, where NumPy 1 has other names. Each
// makes the same graph as the function that it calls, and raises as it does. The array API's std is
// stddev here, since std is C++'s namespace.
// Source: https://data-apis.org/array-api/2023.12

namespace trigon {

/// arccos(x).
[[nodiscard]] Tensor acos(const Tensor& x);
/// arccosh(x).
[[nodiscard]] Tensor acosh(const Tensor& x);
/// arcsin(x).
[[nodiscard]] Tensor asin(const Tensor& x);
/// arcsinh(x).
[[nodiscard]] Tensor asinh(const Tensor& x);
/// arctan(x).
[[nodiscard]] Tensor atan(const Tensor& x);
/// arctan2(a, b).
[[nodiscard]] Tensor atan2(const Tensor& a, const Tensor& b);
/// arctanh(x).
[[nodiscard]] Tensor atanh(const Tensor& x);
/// power(a, b): `pow(x, 2)`.
[[nodiscard]] Tensor pow(const Tensor& a, const Tensor& b);

/// bitwise_not(x).
[[nodiscard]] Tensor bitwise_invert(const Tensor& x);
/// left_shift(a, b).
[[nodiscard]] Tensor bitwise_left_shift(const Tensor& a, const Tensor& b);
/// right_shift(a, b).
[[nodiscard]] Tensor bitwise_right_shift(const Tensor& a, const Tensor& b);

/// x.astype(dtype).
[[nodiscard]] Tensor astype(const Tensor& x, DType dtype);
/// concatenate(arrays, axis).
[[nodiscard]] Tensor concat(const TensorList& arrays, int axis = 0);
/// concatenate(x, y).
template <std::derived_from<Tensor> First, class Second, class... More>
[[nodiscard]] Tensor concat(const First& first, const Second& second, const More&... more) {
  static_assert(
      detail::are_tensors<Second, More...>,
      "trigon: concat(x, y) takes tensors alone; with an axis or a number write concat({x, y}, 1)");
  return concatenate(detail::listed(first, second, more...));
}
/// swapaxes(x, -2, -1).
[[nodiscard]] Tensor matrix_transpose(const Tensor& x);
/// transpose(x, axes).
[[nodiscard]] Tensor permute_dims(const Tensor& x, const IntegerList<int>& axes);

}  // namespace trigon
