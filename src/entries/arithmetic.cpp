// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "entries/entries.hpp"
#include "trigon/index.hpp"
#include "trigon/logic.hpp"
#include "trigon/math.hpp"

// Element-wise ops of two and three operands. Gradients follow PyTorch where one has to be chosen.

namespace trigon {
namespace detail::entries {
namespace {

// Loop iterations of fmod_ in glsl/remainder.glsl.
constexpr int fmod_iterations = 11;

// NumPy's divmod: the quotient follows from the exact remainder.
double remainder(double a, double b) {
  const double r = std::fmod(a, b);
  if (r == 0.0) return std::copysign(r, b);
  return (r < 0.0) != (b < 0.0) ? r + b : r;
}

double floor_divide(double a, double b) {
  const double r = std::fmod(a, b);
  if (b == 0.0 || std::isnan(r)) return b == 0.0 ? a / b : r;
  const double q = (a - r) / b - (r != 0.0 && (r < 0.0) != (b < 0.0) ? 1.0 : 0.0);
  const double n = std::floor(q) + (q - std::floor(q) > 0.5 ? 1.0 : 0.0);
  return n == 0.0 ? std::copysign(n, a / b) : n;
}

double logaddexp(double a, double b) {
  if (a == b) return a + std::numbers::ln2;
  return (a > b ? a : b) + std::log1p(std::exp(-std::abs(a - b)));
}

constexpr BinarySpec binary[] = {
    // ---- Arithmetic
    {
        .name = "add",
        .glsl = "a + b",
        .result = Result::same,
        .is_sum = true,
        .folds_exactly = true,
        .identity_a = -0.0,  // 0 would make 0 of -0
        .identity_b = -0.0,
        .ref = [](double a, double b) { return a + b; },
        .vjp = [](const Tensor& g, const Tensor&, const Tensor&,
                  const Tensor&) -> std::array<Tensor, 2> {
          return {g, g};
        },
        .domain_a = Range{-100, 100},
        .domain_b = Range{-100, 100},
        .tolerance = Ulp{1},
    },
    // a, which is computed again where a itself is not kept: see trigon/checkpoint.hpp.
    {
        .name = "barrier",
        .glsl = "a",
        .result = Result::same,
        .keeps_bool = true,
        .ref = [](double a, double) { return a; },
        .vjp = [](const Tensor& g, const Tensor&, const Tensor&,
                  const Tensor&) -> std::array<Tensor, 2> {
          return {g, Tensor()};
        },
        .domain_a = Range{-100, 100},
        .domain_b = Range{-100, 100},
        .tolerance = Ulp{0},
    },
    {
        .name = "subtract",
        .glsl = "a - b",
        .result = Result::same,
        .folds_exactly = true,
        .identity_b = 0.0,
        .ref = [](double a, double b) { return a - b; },
        .vjp = [](const Tensor& g, const Tensor&, const Tensor&,
                  const Tensor&) -> std::array<Tensor, 2> {
          return {g, -g};
        },
        .domain_a = Range{-100, 100},
        .domain_b = Range{-100, 100},
        .tolerance = Ulp{1},
    },
    {
        .name = "multiply",
        .glsl = "a * b",
        .result = Result::same,
        .folds_exactly = true,
        .identity_a = 1.0,
        .identity_b = 1.0,
        .ref = [](double a, double b) { return a * b; },
        .ref_bits = [](std::uint32_t a, std::uint32_t b) { return a * b; },
        .vjp = [](const Tensor& g, const Tensor& a, const Tensor& b,
                  const Tensor&) -> std::array<Tensor, 2> {
          return {g * b, g * a};
        },
        .domain_a = Range{-100, 100},
        .domain_b = Range{-100, 100},
        .tolerance = Ulp{1},
    },
    {
        .name = "divide",
        .glsl = "a / b",
        .result = Result::floating,
        .identity_b = 1.0,
        .ref = [](double a, double b) { return a / b; },
        .vjp = [](const Tensor& g, const Tensor&, const Tensor& b,
                  const Tensor& y) -> std::array<Tensor, 2> {
          return {g / b, -g * y / b};
        },
        .domain_a = Range{-100, 100},
        .domain_b = Range{0.1, 100},
        .tolerance = Ulp{1},
    },
    {
        .name = "power",
        .glsl = "power_(a, b)",
        .result = Result::same,
        .negative_b = "integers to negative integer powers are not allowed",
        .leaves_integers = true,
        .loop_iterations_int = 32,
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
    },
    {
        .name = "floor_divide",
        .glsl = "floor_divide_(a, b)",
        .result = Result::same,
        .leaves_integers = true,
        .loop_iterations = fmod_iterations,
        .ref = [](double a, double b) { return floor_divide(a, b); },
        .vjp = [](const Tensor&, const Tensor&, const Tensor&,
                  const Tensor&) -> std::array<Tensor, 2> {
          return {Tensor(), Tensor()};
        },
        .domain_a = Range{-100, 100},
        .domain_b = Range{0.1, 100},
        .tolerance = Ulp{1},
    },
    {
        .name = "remainder",
        .glsl = "remainder_(a, b)",
        .result = Result::same,
        .leaves_integers = true,
        .loop_iterations = fmod_iterations,
        .ref = [](double a, double b) { return remainder(a, b); },
        .vjp = [](const Tensor& g, const Tensor& a, const Tensor& b,
                  const Tensor&) -> std::array<Tensor, 2> {
          return {g, g * -floor_divide(a, b)};
        },
        .domain_a = Range{-100, 100},
        .domain_b = Range{0.1, 100},
        .tolerance = Ulp{1},
    },
    {
        .name = "fmod",
        .glsl = "fmod_(a, b)",
        .result = Result::same,
        .leaves_integers = true,
        .loop_iterations = fmod_iterations,
        .ref = [](double a, double b) { return std::fmod(a, b); },
        .vjp = [](const Tensor& g, const Tensor& a, const Tensor& b,
                  const Tensor&) -> std::array<Tensor, 2> {
          return {g, g * -trunc(a / b)};
        },
        .domain_a = Range{-100, 100},
        .domain_b = Range{0.1, 100},
        .tolerance = Ulp{0},
    },
    {
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
    },
    {
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
    },
    {
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
    },
    {
        .name = "logaddexp",
        .glsl = "logaddexp_(a, b)",
        .result = Result::floating,
        .ref = [](double a, double b) { return logaddexp(a, b); },
        .vjp = [](const Tensor& g, const Tensor& a, const Tensor& b,
                  const Tensor&) -> std::array<Tensor, 2> {
          return {g * sigmoid(a - b), g * sigmoid(b - a)};
        },
        .domain_a = Range{-20, 20},
        .domain_b = Range{-20, 20},
        .tolerance = Tolerance(Ulp{4}, Abs{1e-6}),
    },

    // ---- Extrema
    {
        .name = "maximum",
        .glsl = "maximum_(a, b)",
        .result = Result::same,
        .keeps_bool = true,
        .folds_exactly = true,
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
    },
    {
        .name = "minimum",
        .glsl = "minimum_(a, b)",
        .result = Result::same,
        .keeps_bool = true,
        .folds_exactly = true,
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
    },
    {
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
    },
    {
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
    },
};

constexpr TernarySpec ternary[] = {
    // ---- Ternary
    {
        .name = "where",
        .glsl = "select_(a, b, c)",
        .condition_first = true,
        .chooses = true,
        .ref = [](double a, double b, double c) { return a != 0.0 ? b : c; },
        .vjp = [](const Tensor& g, const Tensor& a, const Tensor&, const Tensor&,
                  const Tensor&) -> std::array<Tensor, 3> {
          return {Tensor(), where(a, g, 0.0), where(a, 0.0, g)};
        },
        .domain = Range{-10, 10},
        .tolerance = Ulp{0},
    },
    {
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
          return {where(is_outside, 0.0, g), where(is_low, g, 0.0),
                  where(c < maximum(a, b), g, 0.0)};
        },
        .domain = Range{-10, 10},
        .tolerance = Ulp{0},
    },
};

}  // namespace

Chapter arithmetic() { return {.binary = binary, .ternary = ternary}; }

}  // namespace detail::entries

using detail::entries::named;

Tensor add(const Tensor& a, const Tensor& b) { return detail::apply(named<"add">(), a, b); }
Tensor subtract(const Tensor& a, const Tensor& b) {
  return detail::apply(named<"subtract">(), a, b);
}
Tensor multiply(const Tensor& a, const Tensor& b) {
  return detail::apply(named<"multiply">(), a, b);
}
Tensor divide(const Tensor& a, const Tensor& b) { return detail::apply(named<"divide">(), a, b); }
Tensor power(const Tensor& a, const Tensor& b) { return detail::apply(named<"power">(), a, b); }
Tensor floor_divide(const Tensor& a, const Tensor& b) {
  return detail::apply(named<"floor_divide">(), a, b);
}
Tensor remainder(const Tensor& a, const Tensor& b) {
  return detail::apply(named<"remainder">(), a, b);
}
Tensor fmod(const Tensor& a, const Tensor& b) { return detail::apply(named<"fmod">(), a, b); }
Tensor arctan2(const Tensor& a, const Tensor& b) { return detail::apply(named<"arctan2">(), a, b); }
Tensor hypot(const Tensor& a, const Tensor& b) { return detail::apply(named<"hypot">(), a, b); }
Tensor copysign(const Tensor& a, const Tensor& b) {
  return detail::apply(named<"copysign">(), a, b);
}
Tensor logaddexp(const Tensor& a, const Tensor& b) {
  return detail::apply(named<"logaddexp">(), a, b);
}
Tensor maximum(const Tensor& a, const Tensor& b) { return detail::apply(named<"maximum">(), a, b); }
Tensor minimum(const Tensor& a, const Tensor& b) { return detail::apply(named<"minimum">(), a, b); }
Tensor fmax(const Tensor& a, const Tensor& b) { return detail::apply(named<"fmax">(), a, b); }
Tensor fmin(const Tensor& a, const Tensor& b) { return detail::apply(named<"fmin">(), a, b); }
Tensor where(const Tensor& a, const Tensor& b, const Tensor& c) {
  return detail::apply(named<"where">(), a, b, c);
}
Tensor clip(const Tensor& a, const Tensor& b, const Tensor& c) {
  return detail::apply(named<"clip">(), a, b, c);
}

}  // namespace trigon
