// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <trigon/tensor.hpp>

namespace trigon {

/// NumPy's take: slices of x along `axis` at integer `indices`, of shape x.shape[:axis] +
/// indices.shape + x.shape[axis+1:]. The rows are fetched in the shader, so it fuses with what
/// reads it. A negative index counts from the end; one out of range is clamped, since a shader
/// can't throw. Raises Error when `indices` is not of an integer dtype or the axis is empty.
Tensor take(const Tensor& x, const Tensor& indices, int axis = 0);

/// Element i of each lane along `axis` is x[..., indices[..., i, ...], ...]; shapes equal but along
/// `axis`.
Tensor take_along_axis(const Tensor& x, const Tensor& indices, int axis);

/// NumPy's nonzero: where x is not 0 (NaN is not), an int32 tensor of shape (n) for each axis, in C
/// order. n depends on the values, so this is no node of a graph: it reads `x != 0`, a byte an
/// element, counts on the host and uploads the indices to x's device. No gradient flows. Raises
/// Error for a scalar, which has no axes.
std::vector<Tensor> nonzero(const Tensor& x);

}  // namespace trigon
