// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>

#include <trigon/detail/tensor_class.hpp>
#include <trigon/future.hpp>
#include <trigon/index.hpp>
#include <trigon/operators.hpp>
#include <trigon/scalar.hpp>
#include <trigon/tensor_list.hpp>
#include <trigon/values.hpp>

namespace trigon {

/// Computes several values in one plan, so that shared work is done once.
///
/// Each root keeps its value in a texture as long as a tensor refers to it, whatever the root is
/// made of. Intermediate values that no tensor refers to are freed within the evaluation. Freed
/// textures are reused, so a repeated evaluation allocates nothing. It returns once its draws are
/// submitted. Reading a value waits for it; synchronize(device) waits for all.
///
/// roots : tensors of one device; tree.hpp has eval of trees of tensors.
///
/// Raises Error for roots on different devices, DeviceError when memory runs out or a draw failed.
/// In a browser the read of a value may be the first to learn of that.
void eval(const TensorList& roots);
/// The same with tensors as separate arguments: `eval(x, y)`.
template <std::derived_from<Tensor> First, std::derived_from<Tensor>... More>
void eval(const First& first, const More&... more) {
  eval({first, more...});
}

}  // namespace trigon
