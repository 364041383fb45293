// SPDX-License-Identifier: MIT
#pragma once

#include <trigon/tensor.hpp>

// Element-wise comparison and logic; the results are bools. All raise Error when the shapes do not
// broadcast.

namespace trigon {

/// a == b, element-wise; false where either is NaN.
[[nodiscard]] Tensor equal(const Tensor& a, const Tensor& b);

/// a != b, element-wise; true where either is NaN.
[[nodiscard]] Tensor not_equal(const Tensor& a, const Tensor& b);

/// a < b, element-wise; false where either is NaN.
[[nodiscard]] Tensor less(const Tensor& a, const Tensor& b);

/// a <= b, element-wise; false where either is NaN.
[[nodiscard]] Tensor less_equal(const Tensor& a, const Tensor& b);

/// a > b, element-wise; false where either is NaN.
[[nodiscard]] Tensor greater(const Tensor& a, const Tensor& b);

/// a >= b, element-wise; false where either is NaN.
[[nodiscard]] Tensor greater_equal(const Tensor& a, const Tensor& b);

/// Whether both are not 0, element-wise.
[[nodiscard]] Tensor logical_and(const Tensor& a, const Tensor& b);

/// Whether either is not 0, element-wise.
[[nodiscard]] Tensor logical_or(const Tensor& a, const Tensor& b);

/// Whether exactly one is not 0, element-wise.
[[nodiscard]] Tensor logical_xor(const Tensor& a, const Tensor& b);

}  // namespace trigon
