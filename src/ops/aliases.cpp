// SPDX-License-Identifier: MIT
#include "trigon/aliases.hpp"

#include "trigon/logic.hpp"
#include "trigon/math.hpp"

namespace trigon {

Tensor acos(const Tensor& x) { return arccos(x); }
Tensor acosh(const Tensor& x) { return arccosh(x); }
Tensor asin(const Tensor& x) { return arcsin(x); }
Tensor asinh(const Tensor& x) { return arcsinh(x); }
Tensor atan(const Tensor& x) { return arctan(x); }
Tensor atan2(const Tensor& a, const Tensor& b) { return arctan2(a, b); }
Tensor atanh(const Tensor& x) { return arctanh(x); }
Tensor pow(const Tensor& a, const Tensor& b) { return power(a, b); }
Tensor bitwise_invert(const Tensor& x) { return bitwise_not(x); }
Tensor bitwise_left_shift(const Tensor& a, const Tensor& b) { return left_shift(a, b); }
Tensor bitwise_right_shift(const Tensor& a, const Tensor& b) { return right_shift(a, b); }
Tensor astype(const Tensor& x, DType dtype) { return x.astype(dtype); }
Tensor concat(const TensorList& arrays, int axis) { return concatenate(arrays, axis); }
Tensor matrix_transpose(const Tensor& x) { return swapaxes(x, -2, -1); }
Tensor permute_dims(const Tensor& x, const IntegerList<int>& axes) { return transpose(x, axes); }

}  // namespace trigon
