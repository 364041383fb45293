// SPDX-License-Identifier: MIT
#pragma once

#include <trigon/tensor.hpp>

// Element-wise ops of one operand; trigonometric ones are in ops/trigonometric.hpp. Gradients
// follow PyTorch where one has to be chosen.

namespace trigon {

// ---- Exponentials and logarithms

/// e to the power x, element-wise.
[[nodiscard]] Tensor exp(const Tensor& x);

/// 2 to the power x, element-wise.
[[nodiscard]] Tensor exp2(const Tensor& x);

/// exp(x) - 1, exact beside 0 too.
[[nodiscard]] Tensor expm1(const Tensor& x);

/// Natural logarithm, element-wise; -inf at 0, NaN below.
[[nodiscard]] Tensor log(const Tensor& x);

/// Logarithm to base 2, element-wise; -inf at 0, NaN below.
[[nodiscard]] Tensor log2(const Tensor& x);

/// Logarithm to base 10, element-wise; -inf at 0, NaN below.
[[nodiscard]] Tensor log10(const Tensor& x);

/// log(1 + x), exact beside 0 too; -inf at -1, NaN below.
[[nodiscard]] Tensor log1p(const Tensor& x);

// ---- Powers and roots

/// Square root, element-wise; NaN below 0.
[[nodiscard]] Tensor sqrt(const Tensor& x);

/// 1 / sqrt(x), element-wise; inf at 0, NaN below.
[[nodiscard]] Tensor rsqrt(const Tensor& x);

/// Cube root, element-wise; negative for negative x.
[[nodiscard]] Tensor cbrt(const Tensor& x);

/// x times x, element-wise.
[[nodiscard]] Tensor square(const Tensor& x);

/// 1 / x, element-wise, as float32.
[[nodiscard]] Tensor reciprocal(const Tensor& x);

// ---- Signs and rounding

/// Absolute value, element-wise.
///
/// The gradient at 0 is 0.
[[nodiscard]] Tensor abs(const Tensor& x);

/// -x, element-wise; unsigned integers wrap around.
[[nodiscard]] Tensor negative(const Tensor& x);

/// -1, 0 or 1, element-wise; NaN stays.
[[nodiscard]] Tensor sign(const Tensor& x);

/// Largest integer that is not above x, element-wise.
[[nodiscard]] Tensor floor(const Tensor& x);

/// Smallest integer that is not below x, element-wise.
[[nodiscard]] Tensor ceil(const Tensor& x);

/// x without its fractional part, element-wise.
[[nodiscard]] Tensor trunc(const Tensor& x);

/// Nearest integer, element-wise; halves go to the even one.
[[nodiscard]] Tensor round(const Tensor& x);

// ---- Activations with a GLSL of their own

/// 1 / (1 + exp(-x)), element-wise.
[[nodiscard]] Tensor sigmoid(const Tensor& x);

/// max(x, 0), element-wise; NaN stays.
///
/// The gradient at 0 is 0.
[[nodiscard]] Tensor relu(const Tensor& x);

/// log(1 + exp(x)), element-wise, without overflow.
[[nodiscard]] Tensor softplus(const Tensor& x);

/// Error function, element-wise.
[[nodiscard]] Tensor erf(const Tensor& x);

/// Inverse of erf, element-wise; inf at 1, -inf at -1, NaN outside of [-1, 1].
[[nodiscard]] Tensor erfinv(const Tensor& x);

// ---- Tests

/// Whether x is NaN, element-wise.
[[nodiscard]] Tensor isnan(const Tensor& x);

/// Whether x is inf or -inf, element-wise.
[[nodiscard]] Tensor isinf(const Tensor& x);

/// Whether x is neither NaN nor infinite, element-wise.
[[nodiscard]] Tensor isfinite(const Tensor& x);

/// Whether the sign is set, of -0.0 too, element-wise.
[[nodiscard]] Tensor signbit(const Tensor& x);

/// Whether x is 0, element-wise.
[[nodiscard]] Tensor logical_not(const Tensor& x);

}  // namespace trigon
