// SPDX-License-Identifier: MIT
#pragma once

#include <trigon/tensor.hpp>

// Element-wise ops of integers. They need GLSL ES 3.00. All raise Error when the shapes do not
// broadcast or an operand is a float.

namespace trigon {

/// Bitwise and of integers, or logical and of bools, element-wise.
[[nodiscard]] Tensor bitwise_and(const Tensor& a, const Tensor& b);

/// Bitwise or of integers, or logical or of bools, element-wise.
[[nodiscard]] Tensor bitwise_or(const Tensor& a, const Tensor& b);

/// Bitwise exclusive or of integers, or logical of bools, element-wise.
[[nodiscard]] Tensor bitwise_xor(const Tensor& a, const Tensor& b);

/// All bits of integers turned, or logical not of bools, element-wise. Raises Error for floats.
[[nodiscard]] Tensor bitwise_not(const Tensor& x);

/// a shifted left by b bits, element-wise, integers only; 0 from 32 bits on.
[[nodiscard]] Tensor left_shift(const Tensor& a, const Tensor& b);

/// a shifted right by b bits, element-wise, integers only; the sign is kept.
[[nodiscard]] Tensor right_shift(const Tensor& a, const Tensor& b);

}  // namespace trigon
