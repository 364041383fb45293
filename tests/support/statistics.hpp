// SPDX-License-Identifier: MIT
#pragma once

#include <trigon/axes.hpp>
#include <trigon/op.hpp>
#include <trigon/tensor.hpp>

// Reductions that the library only uses within other functions.

namespace trigon {

/// (3, kept axes...): the first element, the mean less the first element, and the sum of squared
/// distances from the mean.
inline Tensor moments(const Tensor& x, const Axes& axes = {}, bool keepdims = false) {
  return detail::reduce(*find_op("moments"), x, axes, keepdims);
}

/// (2, kept axes...): the largest element m and the sum of exp(x - m).
inline Tensor max_sumexp(const Tensor& x, const Axes& axes = {}, bool keepdims = false) {
  return detail::reduce(*find_op("max_sumexp"), x, axes, keepdims);
}

}  // namespace trigon
