// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <trigon/tensor.hpp>

// Element-wise functions of numbers, with NumPy's and SciPy's names. Gradients follow PyTorch where
// one has to be chosen. Those of two or three tensors raise Error when the shapes do not broadcast.

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

/// -x, element-wise; unsigned integers wrap around.
[[nodiscard]] Tensor negative(const Tensor& x);

/// 1 / x, element-wise, as float32.
[[nodiscard]] Tensor reciprocal(const Tensor& x);

/// a to the power b, element-wise.
///
/// a^0 and 1^b are 1, NaN included; a negative a with a fractional b is NaN. For integers, a
/// negative exponent gives 0 unless a is 1 or -1. A negative exponent that is a number, a Scalar or
/// full() raises Error, as in NumPy.
[[nodiscard]] Tensor power(const Tensor& a, const Tensor& b);

/// floor(a / b) of the exact quotient, element-wise; 0 where integers are divided by 0.
[[nodiscard]] Tensor floor_divide(const Tensor& a, const Tensor& b);

/// a - b floor(a / b), element-wise and exact. The result has the sign of b, even if it is 0.
/// Python's %.
///
/// NaN where b is 0, or 0 for integers.
[[nodiscard]] Tensor remainder(const Tensor& a, const Tensor& b);

/// a - b trunc(a / b), element-wise and exact. The result has the sign of a, even if it is 0. C's
/// fmod.
///
/// NaN where b is 0, or 0 for integers.
[[nodiscard]] Tensor fmod(const Tensor& a, const Tensor& b);

/// The results of divmod: `auto [quotient, remainder] = divmod(a, b)`.
struct DivMod {
  Tensor quotient{};
  Tensor remainder{};
};
/// floor_divide(a, b) and remainder(a, b).
[[nodiscard]] DivMod divmod(const Tensor& a, const Tensor& b);

// ---- Exponentials and logarithms

/// e to the power x, element-wise.
[[nodiscard]] Tensor exp(const Tensor& x);

/// 2 to the power x, element-wise.
[[nodiscard]] Tensor exp2(const Tensor& x);

/// exp(x) - 1, also accurate near 0.
[[nodiscard]] Tensor expm1(const Tensor& x);

/// Natural logarithm, element-wise; -inf at 0, NaN below.
[[nodiscard]] Tensor log(const Tensor& x);

/// Logarithm to base 2, element-wise; -inf at 0, NaN below.
[[nodiscard]] Tensor log2(const Tensor& x);

/// Logarithm to base 10, element-wise; -inf at 0, NaN below.
[[nodiscard]] Tensor log10(const Tensor& x);

/// log(1 + x), also accurate near 0; -inf at -1, NaN below.
[[nodiscard]] Tensor log1p(const Tensor& x);

/// log(exp(a) + exp(b)), element-wise, without overflow.
[[nodiscard]] Tensor logaddexp(const Tensor& a, const Tensor& b);

/// x * log(y), and 0 where x is 0 and y is not NaN; float32.
[[nodiscard]] Tensor xlogy(const Tensor& x, const Tensor& y);

// ---- Powers and roots

/// Square root, element-wise; NaN below 0.
[[nodiscard]] Tensor sqrt(const Tensor& x);

/// 1 / sqrt(x), element-wise; inf at 0, NaN below.
[[nodiscard]] Tensor rsqrt(const Tensor& x);

/// Cube root, element-wise; negative for negative x.
[[nodiscard]] Tensor cbrt(const Tensor& x);

/// x times x, element-wise.
[[nodiscard]] Tensor square(const Tensor& x);

/// sqrt(a^2 + b^2), element-wise, without overflow.
[[nodiscard]] Tensor hypot(const Tensor& a, const Tensor& b);

// ---- Signs and rounding

/// Absolute value, element-wise.
///
/// The gradient at 0 is 0.
[[nodiscard]] Tensor abs(const Tensor& x);

/// -1, 0 or 1, element-wise; NaN where x is NaN.
[[nodiscard]] Tensor sign(const Tensor& x);

/// |a| with the sign of b, element-wise.
[[nodiscard]] Tensor copysign(const Tensor& a, const Tensor& b);

/// 0 where x < 0, `at_zero` where x is 0, 1 where x > 0, NaN where it is NaN; float32.
[[nodiscard]] Tensor heaviside(const Tensor& x, const Tensor& at_zero);

/// Largest integer that is not above x, element-wise.
[[nodiscard]] Tensor floor(const Tensor& x);

/// Smallest integer that is not below x, element-wise.
[[nodiscard]] Tensor ceil(const Tensor& x);

/// x without its fractional part, element-wise.
[[nodiscard]] Tensor trunc(const Tensor& x);

/// Nearest integer, element-wise; halves go to the even one.
[[nodiscard]] Tensor round(const Tensor& x);

// ---- Extrema

/// The larger operand, element-wise; NaN where either is NaN. Equal operands share the gradient.
[[nodiscard]] Tensor maximum(const Tensor& a, const Tensor& b);

/// The smaller operand, element-wise; NaN where either is NaN. Equal operands share the gradient.
[[nodiscard]] Tensor minimum(const Tensor& a, const Tensor& b);

/// The larger operand, element-wise; where one is NaN, the other one.
[[nodiscard]] Tensor fmax(const Tensor& a, const Tensor& b);

/// The smaller operand, element-wise; where one is NaN, the other one.
[[nodiscard]] Tensor fmin(const Tensor& a, const Tensor& b);

/// min(max(a, b), c), element-wise: a kept in [b, c]. NaN where any is NaN.
[[nodiscard]] Tensor clip(const Tensor& a, const Tensor& b, const Tensor& c);

/// Numbers in place of NaN and of the infinities.
struct NanToNum {
  double nan = 0.0;
  /// The largest number of x's dtype if not given.
  std::optional<double> posinf{};
  /// The least number of x's dtype if not given.
  std::optional<double> neginf{};
};
/// x with numbers in place of NaN and of the infinities. Integers are returned as they are.
///
///   nan_to_num(x, {.nan = -1.0});
[[nodiscard]] Tensor nan_to_num(const Tensor& x, const NanToNum& numbers = {});
TRIGON_POSITIONAL_(, nan_to_num, "(x, {.nan = -1.0})", const Tensor&)

// ---- Trigonometry

/// Sine of x in radians, element-wise.
///
/// Source: Cody and Waite's reduction. Accurate for |x| <= 1e5. Beyond, digits are lost; from about
/// 1e7 on, all of them.
[[nodiscard]] Tensor sin(const Tensor& x);

/// Cosine of x in radians, element-wise.
///
/// Source: Cody and Waite's reduction. Accurate for |x| <= 1e5. Beyond, digits are lost; from about
/// 1e7 on, all of them.
[[nodiscard]] Tensor cos(const Tensor& x);

/// Tangent of x in radians, element-wise.
///
/// Source: Cody and Waite's reduction. Accurate for |x| <= 1e5. Beyond, digits are lost; from about
/// 1e7 on, all of them.
[[nodiscard]] Tensor tan(const Tensor& x);

/// Inverse sine in radians, element-wise; NaN outside [-1, 1].
[[nodiscard]] Tensor arcsin(const Tensor& x);

/// Inverse cosine in radians, element-wise; NaN outside [-1, 1].
[[nodiscard]] Tensor arccos(const Tensor& x);

/// Inverse tangent in radians, element-wise.
[[nodiscard]] Tensor arctan(const Tensor& x);

/// Angle of the point (b, a), in (-pi, pi], element-wise; all four quadrants.
[[nodiscard]] Tensor arctan2(const Tensor& a, const Tensor& b);

/// sin(pi x) / (pi x), and 1 where x is 0; float32. pi x is rounded, so the error near a zero is up
/// to 1e-7.
[[nodiscard]] Tensor sinc(const Tensor& x);

// ---- Hyperbolic functions

/// Hyperbolic sine, element-wise.
[[nodiscard]] Tensor sinh(const Tensor& x);

/// Hyperbolic cosine, element-wise.
[[nodiscard]] Tensor cosh(const Tensor& x);

/// Hyperbolic tangent, element-wise.
[[nodiscard]] Tensor tanh(const Tensor& x);

/// Inverse hyperbolic sine, element-wise.
[[nodiscard]] Tensor arcsinh(const Tensor& x);

/// Inverse hyperbolic cosine, element-wise; NaN below 1.
[[nodiscard]] Tensor arccosh(const Tensor& x);

/// Inverse hyperbolic tangent, element-wise; NaN outside [-1, 1].
[[nodiscard]] Tensor arctanh(const Tensor& x);

// ---- Special functions

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

/// log(x / (1 - x)); float32. Inverse of sigmoid.
[[nodiscard]] Tensor logit(const Tensor& x);

}  // namespace trigon
