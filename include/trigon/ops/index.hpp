// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <trigon/tensor.hpp>

namespace trigon {

/// NumPy's take: slices of x along `axis` at integer `indices`, of shape x.shape[:axis] +
/// indices.shape + x.shape[axis+1:] and x's dtype. Without an axis they are rows, as of x[indices];
/// NumPy's take is of the flat x there, which is ravel(x).
///
/// The slices are fetched in the shader that reads the result. A negative index counts from the
/// end. An index out of range is clamped, since a shader cannot throw; with TRIGON_CHECK=1 in the
/// environment the evaluation raises Error for it. Raises Error when the axis is out of range,
/// empty or, under profile webgl1, longer than 2^24, `indices` are not integers, or the result
/// would have more than eight axes.
[[nodiscard]] Tensor take(const Tensor& x, const Tensor& indices, int axis = 0);

/// NumPy's take_along_axis: element i along `axis` is x's element at indices[..., i, ...]. The
/// result has the shape of `indices`, which may differ from x's along `axis` only. Negative and too
/// large indices as in take. Raises Error when the shapes do not fit, the axis is out of range,
/// empty or, under profile webgl1, longer than 2^24, or `indices` are not integers.
[[nodiscard]] Tensor take_along_axis(const Tensor& x, const Tensor& indices, int axis);

/// x with v added at rows `indices` along `axis`: the opposite of taking, as NumPy's `add.at`.
/// Indices that occur several times add up: a device that blends adds them to x in C order of v,
/// another adds their sum to x. A driver gives the same result each time. The form follows from the
/// shapes:
/// - v has the shape of take(x, indices, axis), or is a scalar: whole slices are added
///   (`np.add.at(x, indices, v)` for axis 0, PyTorch's `index_add`);
/// - v has the shape of `indices`, whose axes but `axis` are x's: each element has its own index
///   (PyTorch's `scatter_add`, the opposite of take_along_axis).
///
/// A negative index counts from the end; an update out of range is dropped, since a shader can't
/// throw (NumPy raises, and so does the evaluation with TRIGON_CHECK=1). v is cast to x's dtype;
/// float16 is added up in float32. Four neighbours share a texel, and adding to one of them adds 0
/// to the others: a -0 there becomes 0.
///
/// Where the device adds by blending (float32 in webgl2) the work is that of v, in place if nothing
/// else refers to x. Elsewhere every element of x reads all indices along the axis, and evaluating
/// raises DeviceError when that is too much work.
///
/// x: any dtype but bool. indices: int32, uint32 or uint8. Returns x's shape and dtype.
/// Raises Error for a bool x, indices of another dtype, an axis out of range or, under profile
/// webgl1, longer than 2^24, and shapes that do not fit.
/// Example: a histogram of ids in [0, n) is `scatter_add(zeros({n}), ids, 1.0, 0)`.
[[nodiscard]] Tensor scatter_add(const Tensor& x, const Tensor& indices, const Tensor& v, int axis);

/// NumPy's nonzero: the places where x is not 0 (NaN is not), one int32 tensor of shape (n,) for
/// each axis, in C order.
///
/// n depends on the values, so the host counts: `x != 0` is evaluated and read back, one byte per
/// element, and the indices are uploaded to x's device. No gradient flows back. Raises Error for a
/// scalar, which has no axes, and under profile webgl1 for an axis of more than 2^24 + 1 elements;
/// DeviceError when x cannot be computed.
[[nodiscard]] std::vector<Tensor> nonzero(const Tensor& x);

}  // namespace trigon
