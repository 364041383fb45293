// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <trigon/tensor.hpp>

namespace trigon {

/// NumPy's take: slices of x along `axis` at integer `indices`, of shape x.shape[:axis] +
/// indices.shape + x.shape[axis+1:] and x's dtype.
///
/// The slices are fetched in the shader that reads the result. A negative index counts from the
/// end. An index out of range is clamped, since a shader cannot throw. Raises Error when the axis
/// is out of range or empty, `indices` are not integers, or the result would have more than eight
/// axes.
Tensor take(const Tensor& x, const Tensor& indices, int axis = 0);

/// NumPy's take_along_axis: element i along `axis` is x's element at indices[..., i, ...]. The
/// result has the shape of `indices`, which may differ from x's along `axis` only. Negative and too
/// large indices as in take. Raises Error when the shapes do not fit, the axis is out of range or
/// empty, or `indices` are not integers.
Tensor take_along_axis(const Tensor& x, const Tensor& indices, int axis);

/// NumPy's nonzero: the places where x is not 0 (NaN is not), one int32 tensor of shape (n,) for
/// each axis, in C order.
///
/// n depends on the values, so the host counts: `x != 0` is evaluated and read back, one byte per
/// element, and the indices are uploaded to x's device. No gradient flows back. Raises Error for a
/// scalar, which has no axes; DeviceError when x cannot be computed.
std::vector<Tensor> nonzero(const Tensor& x);

}  // namespace trigon
