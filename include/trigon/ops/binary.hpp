// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>

#include <trigon/op.hpp>
#include <trigon/ops/logic.hpp>
#include <trigon/ops/unary.hpp>

// Element-wise ops of two and three operands; comparisons are in ops/logic.hpp, those of integers
// alone in ops/bitwise.hpp. Gradients follow PyTorch where one has to be chosen. All raise Error
// when the shapes do not broadcast.

namespace trigon {

namespace detail {

// Of fmod_ in glsl/remainder.glsl.
inline constexpr int fmod_trips = 11;

// NumPy's divmod: the quotient follows from the exact remainder.
inline double remainder(double a, double b) {
  const double r = std::fmod(a, b);
  if (r == 0.0) return std::copysign(r, b);
  return (r < 0.0) != (b < 0.0) ? r + b : r;
}

inline double floor_divide(double a, double b) {
  const double r = std::fmod(a, b);
  if (b == 0.0 || std::isnan(r)) return b == 0.0 ? a / b : r;
  const double q = (a - r) / b - (r != 0.0 && (r < 0.0) != (b < 0.0) ? 1.0 : 0.0);
  const double n = std::floor(q) + (q - std::floor(q) > 0.5 ? 1.0 : 0.0);
  return n == 0.0 ? std::copysign(n, a / b) : n;
}

inline double logaddexp(double a, double b) {
  if (a == b) return a + ln_2;
  return (a > b ? a : b) + std::log1p(std::exp(-std::abs(a - b)));
}

}  // namespace detail

// ---- Arithmetic

/// a + b, element-wise.
Tensor add(const Tensor& a, const Tensor& b);
TRIGON_BINARY(add) = {
    .name = "add",
    .glsl = "a + b",
    .result = Result::same,
    .ref = [](double a, double b) { return a + b; },
    .vjp = [](const Tensor& g, const Tensor&, const Tensor&,
              const Tensor&) -> std::array<Tensor, 2> {
      return {g, g};
    },
    .domain_a = Range{-100, 100},
    .domain_b = Range{-100, 100},
    .tolerance = Ulp{1},
};

/// a - b, element-wise.
Tensor subtract(const Tensor& a, const Tensor& b);
TRIGON_BINARY(subtract) = {
    .name = "subtract",
    .glsl = "a - b",
    .result = Result::same,
    .ref = [](double a, double b) { return a - b; },
    .vjp = [](const Tensor& g, const Tensor&, const Tensor&,
              const Tensor&) -> std::array<Tensor, 2> {
      return {g, -g};
    },
    .domain_a = Range{-100, 100},
    .domain_b = Range{-100, 100},
    .tolerance = Ulp{1},
};

/// a times b, element-wise.
Tensor multiply(const Tensor& a, const Tensor& b);
TRIGON_BINARY(multiply) = {
    .name = "multiply",
    .glsl = "a * b",
    .result = Result::same,
    .ref = [](double a, double b) { return a * b; },
    .ref_bits = [](std::uint32_t a, std::uint32_t b) { return a * b; },
    .vjp = [](const Tensor& g, const Tensor& a, const Tensor& b,
              const Tensor&) -> std::array<Tensor, 2> {
      return {g * b, g * a};
    },
    .domain_a = Range{-100, 100},
    .domain_b = Range{-100, 100},
    .tolerance = Ulp{1},
};

/// a / b, element-wise, as float32.
Tensor divide(const Tensor& a, const Tensor& b);
TRIGON_BINARY(divide) = {
    .name = "divide",
    .glsl = "a / b",
    .result = Result::floating,
    .ref = [](double a, double b) { return a / b; },
    .vjp = [](const Tensor& g, const Tensor&, const Tensor& b,
              const Tensor& y) -> std::array<Tensor, 2> {
      return {g / b, -g * y / b};
    },
    .domain_a = Range{-100, 100},
    .domain_b = Range{0.1, 100},
    .tolerance = Ulp{1},
};

/// a to the power b, element-wise.
///
/// a^0 and 1^b are 1, NaN included; a negative a with a fractional b is NaN. Of integers, a
/// negative exponent gives 0 unless a is 1 or -1; one that is a number, a Scalar or full() raises
/// Error, as in NumPy.
Tensor power(const Tensor& a, const Tensor& b);
TRIGON_BINARY(power) = {
    .name = "power",
    .glsl = "power_(a, b)",
    .result = Result::same,
    .loop_trips_int = 32,
    .ref = [](double a, double b) { return std::pow(a, b); },
    .vjp = [](const Tensor& g, const Tensor& a, const Tensor& b,
              const Tensor& y) -> std::array<Tensor, 2> {
      const Tensor g_b = g * b;
      const Tensor da = g_b * power(a, b - 1.0);
      const Tensor g_y = g * y;
      const Tensor db = g_y * log(a);
      const Tensor is_zero = a == 0.0;
      return {where(b == 0.0, 0.0, da), where(logical_and(is_zero, b >= 0.0), 0.0, db)};
    },
    .domain_a = Range{0.1, 100},
    .domain_b = Range{-3, 3},
    .tolerance = Ulp{4},
};

// `max(x, 0)` reduces along axis 0, so a float or a tensor beside x does not compile.
template <class T>
  requires(std::floating_point<T> || std::derived_from<T, Tensor>)
[[nodiscard]] Tensor max(const Tensor&, const T&, bool = false) {
  static_assert(detail::never<T>,
                "trigon: max(x, axes) reduces; write maximum(a, b) for the larger of two");
  return {};
}
template <class T>
  requires(std::floating_point<T> || std::derived_from<T, Tensor>)
[[nodiscard]] Tensor min(const Tensor&, const T&, bool = false) {
  static_assert(detail::never<T>,
                "trigon: min(x, axes) reduces; write minimum(a, b) for the smaller of two");
  return {};
}

/// floor(a / b) of the exact quotient, element-wise; 0 where integers are divided by 0.
Tensor floor_divide(const Tensor& a, const Tensor& b);
TRIGON_BINARY(floor_divide) = {
    .name = "floor_divide",
    .glsl = "floor_divide_(a, b)",
    .result = Result::same,
    .loop_trips = detail::fmod_trips,
    .ref = [](double a, double b) { return detail::floor_divide(a, b); },
    .vjp = [](const Tensor&, const Tensor&, const Tensor&, const Tensor&) -> std::array<Tensor, 2> {
      return {Tensor(), Tensor()};
    },
    .domain_a = Range{-100, 100},
    .domain_b = Range{0.1, 100},
    .tolerance = Ulp{1},
};

/// a - b floor(a / b), element-wise, with the sign of b, 0 too; exact. Python's %.
///
/// NaN where b is 0, or 0 for integers.
Tensor remainder(const Tensor& a, const Tensor& b);
TRIGON_BINARY(remainder) = {
    .name = "remainder",
    .glsl = "remainder_(a, b)",
    .result = Result::same,
    .loop_trips = detail::fmod_trips,
    .ref = [](double a, double b) { return detail::remainder(a, b); },
    .vjp = [](const Tensor& g, const Tensor& a, const Tensor& b,
              const Tensor&) -> std::array<Tensor, 2> {
      return {g, g * -floor_divide(a, b)};
    },
    .domain_a = Range{-100, 100},
    .domain_b = Range{0.1, 100},
    .tolerance = Ulp{1},
};

/// a - b trunc(a / b), element-wise, with the sign of a, 0 too; exact. C's fmod.
///
/// NaN where b is 0, or 0 for integers.
Tensor fmod(const Tensor& a, const Tensor& b);
TRIGON_BINARY(fmod) = {
    .name = "fmod",
    .glsl = "fmod_(a, b)",
    .result = Result::same,
    .loop_trips = detail::fmod_trips,
    .ref = [](double a, double b) { return std::fmod(a, b); },
    .vjp = [](const Tensor& g, const Tensor& a, const Tensor& b,
              const Tensor&) -> std::array<Tensor, 2> {
      return {g, g * -trunc(a / b)};
    },
    .domain_a = Range{-100, 100},
    .domain_b = Range{0.1, 100},
    .tolerance = Ulp{0},
};

/// Angle of the point (b, a), in (-pi, pi], element-wise; all four quadrants.
Tensor arctan2(const Tensor& a, const Tensor& b);
TRIGON_BINARY(arctan2) = {
    .name = "arctan2",
    .glsl = "arctan2_(a, b)",
    .result = Result::floating,
    .ref = [](double a, double b) { return std::atan2(a, b); },
    .vjp = [](const Tensor& g, const Tensor& a, const Tensor& b,
              const Tensor&) -> std::array<Tensor, 2> {
      const Tensor square_of_a = a * a;
      const Tensor squares = square_of_a + b * b;
      return {g * b / squares, -g * a / squares};
    },
    .domain_a = Range{-100, 100},
    .domain_b = Range{0.1, 100},
    .tolerance = Ulp{4},
};

/// sqrt(a^2 + b^2), element-wise, without overflow.
Tensor hypot(const Tensor& a, const Tensor& b);
TRIGON_BINARY(hypot) = {
    .name = "hypot",
    .glsl = "hypot_(a, b)",
    .result = Result::floating,
    .ref = [](double a, double b) { return std::hypot(a, b); },
    .vjp = [](const Tensor& g, const Tensor& a, const Tensor& b,
              const Tensor& y) -> std::array<Tensor, 2> {
      return {g * a / y, g * b / y};
    },
    .domain_a = Range{-100, 100},
    .domain_b = Range{0.1, 100},
    .tolerance = Ulp{3},
};

/// |a| with the sign of b, element-wise.
Tensor copysign(const Tensor& a, const Tensor& b);
TRIGON_BINARY(copysign) = {
    .name = "copysign",
    .glsl = "copysign_(a, b)",
    .result = Result::floating,
    .ref = [](double a, double b) { return std::copysign(a, b); },
    .vjp = [](const Tensor& g, const Tensor& a, const Tensor&,
              const Tensor& y) -> std::array<Tensor, 2> {
      const Tensor da = g * (y / a);
      return {where(a == 0.0, 0.0, da), Tensor()};
    },
    .domain_a = Range{0.1, 100},
    .domain_b = Range{-100, 100},
    .tolerance = Ulp{0},
};

/// log(exp(a) + exp(b)), element-wise, without overflow.
Tensor logaddexp(const Tensor& a, const Tensor& b);
TRIGON_BINARY(logaddexp) = {
    .name = "logaddexp",
    .glsl = "logaddexp_(a, b)",
    .result = Result::floating,
    .ref = [](double a, double b) { return detail::logaddexp(a, b); },
    .vjp = [](const Tensor& g, const Tensor& a, const Tensor& b,
              const Tensor&) -> std::array<Tensor, 2> {
      return {g * sigmoid(a - b), g * sigmoid(b - a)};
    },
    .domain_a = Range{-20, 20},
    .domain_b = Range{-20, 20},
    .tolerance = Tolerance(Ulp{4}, Abs{1e-6}),
};

// ---- Extrema

/// The larger one, element-wise; NaN where either is NaN. Equal operands share the gradient.
Tensor maximum(const Tensor& a, const Tensor& b);
TRIGON_BINARY(maximum) = {
    .name = "maximum",
    .glsl = "maximum_(a, b)",
    .result = Result::same,
    .keeps_bool = true,
    .ref = [](double a, double b) { return std::isnan(a) || a > b ? a : b; },
    .vjp = [](const Tensor& g, const Tensor& a, const Tensor& b,
              const Tensor&) -> std::array<Tensor, 2> {
      const Tensor half = g * 0.5;
      const Tensor shared = where(a == b, half, g);
      return {where(a < b, 0.0, shared), where(b < a, 0.0, shared)};
    },
    .domain_a = Range{-100, 100},
    .domain_b = Range{-100, 100},
    .tolerance = Ulp{0},
};

/// The smaller one, element-wise; NaN where either is NaN. Equal operands share the gradient.
Tensor minimum(const Tensor& a, const Tensor& b);
TRIGON_BINARY(minimum) = {
    .name = "minimum",
    .glsl = "minimum_(a, b)",
    .result = Result::same,
    .keeps_bool = true,
    .ref = [](double a, double b) { return std::isnan(a) || a < b ? a : b; },
    .vjp = [](const Tensor& g, const Tensor& a, const Tensor& b,
              const Tensor&) -> std::array<Tensor, 2> {
      const Tensor half = g * 0.5;
      const Tensor shared = where(a == b, half, g);
      return {where(a > b, 0.0, shared), where(b > a, 0.0, shared)};
    },
    .domain_a = Range{-100, 100},
    .domain_b = Range{-100, 100},
    .tolerance = Ulp{0},
};

/// The larger one, element-wise; the other one where one is NaN.
Tensor fmax(const Tensor& a, const Tensor& b);
TRIGON_BINARY(fmax) = {
    .name = "fmax",
    .glsl = "fmax_(a, b)",
    .glsl_int = "maximum_(a, b)",
    .result = Result::same,
    .keeps_bool = true,
    .ref = [](double a, double b) { return std::fmax(a, b); },
    .vjp = [](const Tensor& g, const Tensor& a, const Tensor& b,
              const Tensor&) -> std::array<Tensor, 2> {
      const Tensor is_nan = isnan(b);
      const Tensor is_a = logical_or(a >= b, is_nan);
      return {where(is_a, g, 0.0), where(is_a, 0.0, g)};
    },
    .domain_a = Range{-100, 100},
    .domain_b = Range{-100, 100},
    .tolerance = Ulp{0},
};

/// The smaller one, element-wise; the other one where one is NaN.
Tensor fmin(const Tensor& a, const Tensor& b);
TRIGON_BINARY(fmin) = {
    .name = "fmin",
    .glsl = "fmin_(a, b)",
    .glsl_int = "minimum_(a, b)",
    .result = Result::same,
    .keeps_bool = true,
    .ref = [](double a, double b) { return std::fmin(a, b); },
    .vjp = [](const Tensor& g, const Tensor& a, const Tensor& b,
              const Tensor&) -> std::array<Tensor, 2> {
      const Tensor is_nan = isnan(b);
      const Tensor is_a = logical_or(a <= b, is_nan);
      return {where(is_a, g, 0.0), where(is_a, 0.0, g)};
    },
    .domain_a = Range{-100, 100},
    .domain_b = Range{-100, 100},
    .tolerance = Ulp{0},
};

// ---- Ternary

/// b where the bool a holds, else c, element-wise. What is not taken may be NaN.
Tensor where(const Tensor& a, const Tensor& b, const Tensor& c);
TRIGON_TERNARY(where) = {
    .name = "where",
    .glsl = "select_(a, b, c)",
    .condition_first = true,
    .ref = [](double a, double b, double c) { return a != 0.0 ? b : c; },
    .vjp = [](const Tensor& g, const Tensor& a, const Tensor&, const Tensor&,
              const Tensor&) -> std::array<Tensor, 3> {
      return {Tensor(), where(a, g, 0.0), where(a, 0.0, g)};
    },
    .domain = Range{-10, 10},
    .tolerance = Ulp{0},
};

/// min(max(a, b), c), element-wise: a kept in [b, c]. NaN where any is NaN.
Tensor clip(const Tensor& a, const Tensor& b, const Tensor& c);
TRIGON_TERNARY(clip) = {
    .name = "clip",
    .glsl = "minimum_(maximum_(a, b), c)",
    .ref =
        [](double a, double b, double c) {
          const double low = std::isnan(a) || a > b ? a : b;
          return std::isnan(low) || low < c ? low : c;
        },
    .vjp = [](const Tensor& g, const Tensor& a, const Tensor& b, const Tensor& c,
              const Tensor&) -> std::array<Tensor, 3> {
      const Tensor is_below = a < b;
      const Tensor is_outside = logical_or(is_below, c < a);
      const Tensor is_low = logical_and(is_below, b <= c);
      return {where(is_outside, 0.0, g), where(is_low, g, 0.0), where(c < maximum(a, b), g, 0.0)};
    },
    .domain = Range{-10, 10},
    .tolerance = Ulp{0},
};

}  // namespace trigon
