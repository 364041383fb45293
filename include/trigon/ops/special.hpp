// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <trigon/op.hpp>
#include <trigon/ops/reduce.hpp>
#include <trigon/ops/unary.hpp>
#include <trigon/tensor.hpp>

// Comparisons with a tolerance, special functions and averages, with NumPy's and SciPy's names.
// Each but erfinv, an op, is an expression of element-wise operations, which fuse; those of two
// tensors raise Error when the shapes do not broadcast.

namespace trigon {

namespace detail {

// A first value by S. Winitzki, then steps of Halley, each of which triples the digits.
inline double erfinv(double x) {
  const double a = std::abs(x);
  if (!(a < 1.0)) return a == 1.0 ? x * HUGE_VAL : NAN;
  const double log = std::log((1.0 - a) * (1.0 + a));
  const double t = 4.3307467508 + log / 2.0;
  double y = std::sqrt(std::sqrt(t * t - log / 0.147) - t);
  for (int step = 0; step < 3; ++step) {
    const double over = a < 0.5 ? std::erf(y) - a : 1.0 - a - std::erfc(y);
    const double u = over / (two_over_sqrt_pi * std::exp(-y * y));
    y -= u / (1.0 + y * u);
  }
  return std::copysign(y, x);
}

}  // namespace detail

/// Inverse of erf, element-wise: inf at 1, NaN past it. Source: M. Giles, "Approximating the erfinv
/// function", GPU Computing Gems, 2011.
Tensor erfinv(const Tensor& x);
TRIGON_UNARY(erfinv) = {
    .name = "erfinv",
    .glsl = "erfinv_(x)",
    .result = Result::floating,
    .ref = [](double x) { return detail::erfinv(x); },
    .vjp = [](const Tensor& g, const Tensor&,
              const Tensor& y) { return g * exp(square(y)) / detail::two_over_sqrt_pi; },
    .domain = Range{-0.99, 0.99},
    .tolerance = Ulp{4},
};

/// |a - b| <= atol + rtol * |b| in float32, or a == b, as bool; NaN is close to NaN if `equal_nan`.
Tensor isclose(const Tensor& a, const Tensor& b, double rtol = 1e-5, double atol = 1e-8,
               bool equal_nan = false);
/// Whether all elements are close, of shape (): `allclose(a, b).item<bool>()`.
Tensor allclose(const Tensor& a, const Tensor& b, double rtol = 1e-5, double atol = 1e-8,
                bool equal_nan = false);
/// Whether the shapes and all elements are equal, of shape (). It raises no Error for shapes.
Tensor array_equal(const Tensor& a, const Tensor& b, bool equal_nan = false);
/// x with numbers in place of NaN and of the infinities; by default 0 and the largest and least
/// numbers of x's dtype. Integers are returned as they are.
Tensor nan_to_num(const Tensor& x, double nan = 0.0, std::optional<double> posinf = {},
                  std::optional<double> neginf = {});

/// 0 where x < 0, `at_zero` where x is 0, 1 where x > 0, NaN where it is NaN; float32.
Tensor heaviside(const Tensor& x, const Tensor& at_zero);
/// sin(pi x) / (pi x), and 1 where x is 0; float32. pi x is rounded, so that near a zero the error
/// is up to 1e-7.
Tensor sinc(const Tensor& x);
/// x * log(y), and 0 where x is 0 and y is not NaN; float32.
Tensor xlogy(const Tensor& x, const Tensor& y);
/// log(x / (1 - x)); float32. Inverse of sigmoid.
Tensor logit(const Tensor& x);
/// floor_divide(a, b) and remainder(a, b).
std::pair<Tensor, Tensor> divmod(const Tensor& a, const Tensor& b);

/// The mean along `axes`, of elements that count as much as their weights say; float32. The weights
/// have x's shape, or one axis for the one axis given. Raises Error for other weights.
Tensor average(const Tensor& x, const Axes& axes = {}, const Tensor& weights = {});

}  // namespace trigon
