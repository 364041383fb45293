// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <utility>

#include <trigon/axes.hpp>
#include <trigon/tensor.hpp>

// Comparisons with a tolerance, special functions and averages, with NumPy's and SciPy's names.
// Each is an expression of element-wise operations, which fuse; those of two tensors raise Error
// when the shapes do not broadcast.

namespace trigon {

/// |a - b| <= atol + rtol * |b| in float32, or a == b, as bool; NaN is close to NaN if `equal_nan`.
[[nodiscard]] Tensor isclose(const Tensor& a, const Tensor& b, double rtol = 1e-5,
                             double atol = 1e-8, bool equal_nan = false);
/// Whether all elements are close, of shape (): `allclose(a, b).item<bool>()`.
[[nodiscard]] Tensor allclose(const Tensor& a, const Tensor& b, double rtol = 1e-5,
                              double atol = 1e-8, bool equal_nan = false);
/// Whether the shapes and all elements are equal, of shape (). It raises no Error for shapes.
[[nodiscard]] Tensor array_equal(const Tensor& a, const Tensor& b, bool equal_nan = false);
/// x with numbers in place of NaN and of the infinities; by default 0 and the largest and least
/// numbers of x's dtype. Integers are returned as they are.
[[nodiscard]] Tensor nan_to_num(const Tensor& x, double nan = 0.0,
                                std::optional<double> posinf = {},
                                std::optional<double> neginf = {});

/// 0 where x < 0, `at_zero` where x is 0, 1 where x > 0, NaN where it is NaN; float32.
[[nodiscard]] Tensor heaviside(const Tensor& x, const Tensor& at_zero);
/// sin(pi x) / (pi x), and 1 where x is 0; float32. pi x is rounded, so that near a zero the error
/// is up to 1e-7.
[[nodiscard]] Tensor sinc(const Tensor& x);
/// x * log(y), and 0 where x is 0 and y is not NaN; float32.
[[nodiscard]] Tensor xlogy(const Tensor& x, const Tensor& y);
/// log(x / (1 - x)); float32. Inverse of sigmoid.
[[nodiscard]] Tensor logit(const Tensor& x);
/// floor_divide(a, b) and remainder(a, b).
[[nodiscard]] std::pair<Tensor, Tensor> divmod(const Tensor& a, const Tensor& b);

/// The mean along `axes`, of elements that count as much as their weights say; float32. The weights
/// have x's shape, or one axis for the one axis given. Where the weights sum to 0 the mean is inf
/// or NaN, since a shader cannot throw; NumPy raises ZeroDivisionError. Raises Error for other
/// weights.
[[nodiscard]] Tensor average(const Tensor& x, const Axes& axes = {}, const Tensor& weights = {});

}  // namespace trigon
