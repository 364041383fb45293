// SPDX-License-Identifier: MIT
#pragma once

#include <trigon/tensor.hpp>

// Element-wise comparisons, logic and bits; all results but bits are bools. Functions of two
// tensors raise Error when the shapes do not broadcast.

namespace trigon {

// ---- Comparisons

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

/// How close numbers must be.
struct Closeness {
  double rtol = 1e-5;
  double atol = 1e-8;
  /// Whether NaN is close to NaN.
  bool equal_nan = false;
};
/// |a - b| <= atol + rtol * |b| in float32, or a == b, as bool.
///
///   isclose(x, y, {.atol = 1e-3});
[[nodiscard]] Tensor isclose(const Tensor& a, const Tensor& b, const Closeness& closeness = {});
/// Whether all elements are close, of shape (): `allclose(a, b).item<bool>()`.
[[nodiscard]] Tensor allclose(const Tensor& a, const Tensor& b, const Closeness& closeness = {});
TRIGON_POSITIONAL_(, isclose, "(x, y, {.rtol = 1e-2})", const Tensor&, const Tensor&)
TRIGON_POSITIONAL_(, allclose, "(x, y, {.rtol = 1e-2})", const Tensor&, const Tensor&)
/// Whether the shapes and all elements are equal, of shape (). Different shapes give false.
[[nodiscard]] Tensor array_equal(const Tensor& a, const Tensor& b, bool equal_nan = false);

// ---- Logic

/// Whether both are not 0, element-wise.
[[nodiscard]] Tensor logical_and(const Tensor& a, const Tensor& b);

/// Whether either is not 0, element-wise.
[[nodiscard]] Tensor logical_or(const Tensor& a, const Tensor& b);

/// Whether exactly one is not 0, element-wise.
[[nodiscard]] Tensor logical_xor(const Tensor& a, const Tensor& b);

/// Whether x is 0, element-wise.
[[nodiscard]] Tensor logical_not(const Tensor& x);

// ---- Tests of numbers

/// Whether x is NaN, element-wise.
[[nodiscard]] Tensor isnan(const Tensor& x);

/// Whether x is inf or -inf, element-wise.
[[nodiscard]] Tensor isinf(const Tensor& x);

/// Whether x is neither NaN nor infinite, element-wise.
[[nodiscard]] Tensor isfinite(const Tensor& x);

/// Whether the sign bit is set, element-wise; true for -0.0.
[[nodiscard]] Tensor signbit(const Tensor& x);

// ---- Bits
// They need GLSL ES 3.00, and raise Error when an operand is a float.

/// Bitwise and of integers, or logical and of bools, element-wise.
[[nodiscard]] Tensor bitwise_and(const Tensor& a, const Tensor& b);

/// Bitwise or of integers, or logical or of bools, element-wise.
[[nodiscard]] Tensor bitwise_or(const Tensor& a, const Tensor& b);

/// Bitwise exclusive or of integers, or logical of bools, element-wise.
[[nodiscard]] Tensor bitwise_xor(const Tensor& a, const Tensor& b);

/// All bits inverted for integers, logical not for bools, element-wise. Raises Error for floats.
[[nodiscard]] Tensor bitwise_not(const Tensor& x);

/// a shifted left by b bits, element-wise, integers only; 0 from 32 bits on.
[[nodiscard]] Tensor left_shift(const Tensor& a, const Tensor& b);

/// a shifted right by b bits, element-wise, integers only; the sign is kept.
[[nodiscard]] Tensor right_shift(const Tensor& a, const Tensor& b);

}  // namespace trigon
