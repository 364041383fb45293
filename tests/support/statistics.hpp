// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <trigon/axes.hpp>
#include <trigon/op.hpp>
#include <trigon/tensor.hpp>

// Reductions that the library only uses within other functions.

namespace trigon {

/// The first element, the mean less the first element, and the sum of squared
/// distances from the mean.
inline std::vector<Tensor> moments(const Tensor& x, const Axes& axes = {}, bool keepdims = false) {
  return detail::reduce(*find_op("moments"), x, axes, keepdims);
}

/// The largest element m and the sum of exp(x - m).
inline std::vector<Tensor> max_sumexp(const Tensor& x, const Axes& axes = {},
                                      bool keepdims = false) {
  return detail::reduce(*find_op("max_sumexp"), x, axes, keepdims);
}

}  // namespace trigon
