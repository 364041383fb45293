// SPDX-License-Identifier: MIT
#pragma once

#include <trigon/tensor.hpp>

// Element-wise ops of two and three operands; comparisons are in ops/logic.hpp, those of integers
// alone in ops/bitwise.hpp. Gradients follow PyTorch where one has to be chosen. All raise Error
// when the shapes do not broadcast.

namespace trigon {

// ---- Arithmetic

/// a + b, element-wise.
[[nodiscard]] Tensor add(const Tensor& a, const Tensor& b);

/// a - b, element-wise.
[[nodiscard]] Tensor subtract(const Tensor& a, const Tensor& b);

/// a times b, element-wise.
[[nodiscard]] Tensor multiply(const Tensor& a, const Tensor& b);

/// a / b, element-wise, as float32.
[[nodiscard]] Tensor divide(const Tensor& a, const Tensor& b);

/// a to the power b, element-wise.
///
/// a^0 and 1^b are 1, NaN included; a negative a with a fractional b is NaN. Of integers, a
/// negative exponent gives 0 unless a is 1 or -1; one that is a number, a Scalar or full() raises
/// Error, as in NumPy.
[[nodiscard]] Tensor power(const Tensor& a, const Tensor& b);

/// floor(a / b) of the exact quotient, element-wise; 0 where integers are divided by 0.
[[nodiscard]] Tensor floor_divide(const Tensor& a, const Tensor& b);

/// a - b floor(a / b), element-wise, with the sign of b, 0 too; exact. Python's %.
///
/// NaN where b is 0, or 0 for integers.
[[nodiscard]] Tensor remainder(const Tensor& a, const Tensor& b);

/// a - b trunc(a / b), element-wise, with the sign of a, 0 too; exact. C's fmod.
///
/// NaN where b is 0, or 0 for integers.
[[nodiscard]] Tensor fmod(const Tensor& a, const Tensor& b);

/// Angle of the point (b, a), in (-pi, pi], element-wise; all four quadrants.
[[nodiscard]] Tensor arctan2(const Tensor& a, const Tensor& b);

/// sqrt(a^2 + b^2), element-wise, without overflow.
[[nodiscard]] Tensor hypot(const Tensor& a, const Tensor& b);

/// |a| with the sign of b, element-wise.
[[nodiscard]] Tensor copysign(const Tensor& a, const Tensor& b);

/// log(exp(a) + exp(b)), element-wise, without overflow.
[[nodiscard]] Tensor logaddexp(const Tensor& a, const Tensor& b);

// ---- Extrema

/// The larger one, element-wise; NaN where either is NaN. Equal operands share the gradient.
[[nodiscard]] Tensor maximum(const Tensor& a, const Tensor& b);

/// The smaller one, element-wise; NaN where either is NaN. Equal operands share the gradient.
[[nodiscard]] Tensor minimum(const Tensor& a, const Tensor& b);

/// The larger one, element-wise; the other one where one is NaN.
[[nodiscard]] Tensor fmax(const Tensor& a, const Tensor& b);

/// The smaller one, element-wise; the other one where one is NaN.
[[nodiscard]] Tensor fmin(const Tensor& a, const Tensor& b);

// ---- Ternary

/// b where the bool a holds, else c, element-wise. What is not taken may be NaN.
[[nodiscard]] Tensor where(const Tensor& a, const Tensor& b, const Tensor& c);

/// min(max(a, b), c), element-wise: a kept in [b, c]. NaN where any is NaN.
[[nodiscard]] Tensor clip(const Tensor& a, const Tensor& b, const Tensor& c);

}  // namespace trigon
