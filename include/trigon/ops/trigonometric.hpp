// SPDX-License-Identifier: MIT
#pragma once

#include <trigon/tensor.hpp>

// Trigonometric and hyperbolic functions and their inverses, element-wise.

namespace trigon {

// ---- Trigonometry

/// Sine of x in radians, element-wise.
///
/// Source: Cody and Waite's reduction. Accurate for |x| <= 1e5; beyond, digits are lost, from about
/// 1e7 on all of them.
[[nodiscard]] Tensor sin(const Tensor& x);

/// Cosine of x in radians, element-wise.
///
/// Source: Cody and Waite's reduction. Accurate for |x| <= 1e5; beyond, digits are lost, from about
/// 1e7 on all of them.
[[nodiscard]] Tensor cos(const Tensor& x);

/// Tangent of x in radians, element-wise.
///
/// Source: Cody and Waite's reduction. Accurate for |x| <= 1e5; beyond, digits are lost, from about
/// 1e7 on all of them.
[[nodiscard]] Tensor tan(const Tensor& x);

/// Inverse sine in radians, element-wise; NaN outside [-1, 1].
[[nodiscard]] Tensor arcsin(const Tensor& x);

/// Inverse cosine in radians, element-wise; NaN outside [-1, 1].
[[nodiscard]] Tensor arccos(const Tensor& x);

/// Inverse tangent in radians, element-wise.
[[nodiscard]] Tensor arctan(const Tensor& x);

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

}  // namespace trigon
