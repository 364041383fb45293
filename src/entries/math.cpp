// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <numbers>

#include "entries/entries.hpp"
#include "trigon/create.hpp"
#include "trigon/index.hpp"
#include "trigon/logic.hpp"
#include "trigon/math.hpp"

// Element-wise ops of one operand. Gradients follow PyTorch where one has to be chosen.

namespace trigon {
namespace detail::entries {
namespace {

constexpr double two_over_sqrt_pi = 1.12837916709551257390;

// Winitzki's approximation, then Halley's steps; the third is already exact to the last digits.
double erfinv(double x) {
  const double a = std::abs(x);
  if (!(a < 1.0)) return a == 1.0 ? std::copysign(HUGE_VAL, x) : std::nan("");
  if (a < 1e-8) return x / two_over_sqrt_pi;
  const double l = std::log((1.0 - a) * (1.0 + a));
  const double m = 4.33 + 0.5 * l;
  double y = std::sqrt(std::sqrt(m * m - l / 0.147) - m);
  for (int k = 0; k < 4; ++k) {
    const double miss = a < 0.5 ? std::erf(y) - a : (1.0 - a) - std::erfc(y);
    const double step = miss / (two_over_sqrt_pi * std::exp(-y * y));
    y -= step / (1.0 + y * step);
  }
  return std::copysign(y, x);
}

// The factors are named, as C++ leaves the order of an operator's operands to the compiler.
Tensor sigmoid_vjp(const Tensor& g, const Tensor&, const Tensor& y) {
  const Tensor g_y = g * y;
  return g_y * (1.0 - y);
}

Tensor erf_vjp(const Tensor& g, const Tensor& x, const Tensor&) {
  const Tensor scaled = g * two_over_sqrt_pi;
  return scaled * exp(-square(x));
}

Tensor erfinv_vjp(const Tensor& g, const Tensor&, const Tensor& y) {
  const Tensor scaled = g * (1.0 / two_over_sqrt_pi);
  return scaled * exp(square(y));
}

constexpr UnarySpec unary[] = {
    // ---- Exponentials and logarithms
    {
        .name = "exp",
        .glsl = "exp_(x)",
        .result = Result::floating,
        .ref = [](double x) { return std::exp(x); },
        .vjp = [](const Tensor& g, const Tensor&, const Tensor& y) { return g * y; },
        .domain = Range{-87, 88},
        .tolerance = Ulp{2},
    },
    {
        .name = "exp2",
        .glsl = "exp2_(x)",
        .result = Result::floating,
        .ref = [](double x) { return std::exp2(x); },
        .vjp = [](const Tensor& g, const Tensor&,
                  const Tensor& y) { return g * y * std::numbers::ln2; },
        .domain = Range{-125, 127},
        .tolerance = Ulp{2},
    },
    {
        .name = "expm1",
        .glsl = "expm1_(x)",
        .result = Result::floating,
        .ref = [](double x) { return std::expm1(x); },
        .vjp = [](const Tensor& g, const Tensor&, const Tensor& y) { return g * (y + 1.0); },
        .domain = Range{-10, 10},
        .tolerance = Ulp{3},
    },
    {
        .name = "log",
        .glsl = "log_(x)",
        .result = Result::floating,
        .ref = [](double x) { return std::log(x); },
        .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g / x; },
        .domain = Range{1e-3, 1e3},
        .tolerance = Ulp{2},
    },
    {
        .name = "log2",
        .glsl = "log2_(x)",
        .result = Result::floating,
        .ref = [](double x) { return std::log2(x); },
        .vjp = [](const Tensor& g, const Tensor& x,
                  const Tensor&) { return g / (x * std::numbers::ln2); },
        .domain = Range{1e-3, 1e3},
        .tolerance = Ulp{2},
    },
    {
        .name = "log10",
        .glsl = "log10_(x)",
        .result = Result::floating,
        .ref = [](double x) { return std::log10(x); },
        .vjp = [](const Tensor& g, const Tensor& x,
                  const Tensor&) { return g / (x * std::numbers::ln10); },
        .domain = Range{1e-3, 1e3},
        .tolerance = Ulp{2},
    },
    {
        .name = "log1p",
        .glsl = "log1p_(x)",
        .result = Result::floating,
        .ref = [](double x) { return std::log1p(x); },
        .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g / (x + 1.0); },
        .domain = Range{-0.9, 1e3},
        .tolerance = Ulp{2},
    },

    // ---- Powers and roots
    {
        .name = "sqrt",
        .glsl = "sqrt(x)",
        .result = Result::floating,
        .ref = [](double x) { return std::sqrt(x); },
        .vjp = [](const Tensor& g, const Tensor&, const Tensor& y) { return g * 0.5 / y; },
        .domain = Range{1e-3, 1e3},
        .tolerance = Ulp{1},
    },
    {
        .name = "rsqrt",
        .glsl = "1.0 / sqrt(x)",
        .result = Result::floating,
        .ref = [](double x) { return 1.0 / std::sqrt(x); },
        .vjp = [](const Tensor& g, const Tensor&, const Tensor& y) { return g * -0.5 * y * y * y; },
        .domain = Range{1e-3, 1e3},
        .tolerance = Ulp{2},
    },
    {
        .name = "cbrt",
        .glsl = "cbrt_(x)",
        .result = Result::floating,
        .ref = [](double x) { return std::cbrt(x); },
        .vjp = [](const Tensor& g, const Tensor&, const Tensor& y) { return g / (y * y * 3.0); },
        .domain = Range{0.1, 1e3},
        .tolerance = Ulp{2},
    },
    {
        .name = "square",
        .glsl = "x * x",
        .result = Result::same,
        .ref = [](double x) { return x * x; },
        .ref_bits = [](std::uint32_t x) { return x * x; },
        .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g * 2.0 * x; },
        .domain = Range{-100, 100},
        .tolerance = Ulp{1},
    },
    {
        .name = "reciprocal",
        .glsl = "1.0 / x",
        .result = Result::floating,
        .ref = [](double x) { return 1.0 / x; },
        .vjp = [](const Tensor& g, const Tensor&, const Tensor& y) { return -g * y * y; },
        .domain = Range{0.1, 100},
        .tolerance = Ulp{1},
    },

    // ---- Signs and rounding
    {
        .name = "abs",
        .glsl = "abs_(x)",
        .result = Result::same,
        .keeps_bool = true,
        .ref = [](double x) { return std::abs(x); },
        .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g * sign(x); },
        .domain = Range{-100, 100},
        .tolerance = Ulp{0},
    },
    {
        .name = "negative",
        .glsl = "-x",
        .result = Result::same,
        .folds_exactly = true,
        .ref = [](double x) { return -x; },
        .vjp = [](const Tensor& g, const Tensor&, const Tensor&) { return -g; },
        .domain = Range{-100, 100},
        .tolerance = Ulp{0},
    },
    {
        .name = "sign",
        .glsl = "sign_(x)",
        .result = Result::same,
        .ref = [](double x) -> double { return std::isnan(x) ? x : (x > 0.0) - (x < 0.0); },
        .vjp = [](const Tensor& g, const Tensor&, const Tensor&) { return zeros_like(g); },
        .domain = Range{0.1, 100},
        .tolerance = Ulp{0},
    },
    {
        .name = "signbit",
        .glsl = "signbit_(x)",
        .result = Result::boolean,
        .ref = [](double x) -> double { return std::signbit(x); },
        .vjp = nullptr,
        .domain = Range{-10, 10},
        .tolerance = Ulp{0},
    },
    {
        .name = "floor",
        .glsl = "floor(x)",
        .glsl_int = "x",
        .result = Result::same,
        .ref = [](double x) { return std::floor(x); },
        .vjp = [](const Tensor& g, const Tensor&, const Tensor&) { return zeros_like(g); },
        .domain = Range{-100, 100},
        .tolerance = Ulp{0},
    },
    {
        .name = "ceil",
        .glsl = "ceil(x)",
        .glsl_int = "x",
        .result = Result::same,
        .ref = [](double x) { return std::ceil(x); },
        .vjp = [](const Tensor& g, const Tensor&, const Tensor&) { return zeros_like(g); },
        .domain = Range{-100, 100},
        .tolerance = Ulp{0},
    },
    {
        .name = "trunc",
        .glsl = "trunc_(x)",
        .glsl_int = "x",
        .result = Result::same,
        .ref = [](double x) { return std::trunc(x); },
        .vjp = [](const Tensor& g, const Tensor&, const Tensor&) { return zeros_like(g); },
        .domain = Range{-100, 100},
        .tolerance = Ulp{0},
    },
    {
        .name = "round",
        .glsl = "round_(x)",
        .glsl_int = "x",
        .result = Result::same,
        .ref = [](double x) { return std::nearbyint(x); },
        .vjp = [](const Tensor& g, const Tensor&, const Tensor&) { return zeros_like(g); },
        .domain = Range{-100, 100},
        .tolerance = Ulp{0},
    },

    // ---- Activations with a GLSL of their own
    {
        .name = "sigmoid",
        .glsl = "sigmoid_(x)",
        .result = Result::floating,
        .ref = [](double x) { return 1.0 / (1.0 + std::exp(-x)); },
        .vjp = sigmoid_vjp,
        .domain = Range{-20, 20},
        .tolerance = Ulp{4},
    },
    {
        .name = "relu",
        .glsl = "relu_(x)",
        .result = Result::same,
        .ref = [](double x) { return x < 0.0 ? 0.0 : x; },
        .vjp = [](const Tensor& g, const Tensor& x,
                  const Tensor&) { return where(x > 0.0, g, 0.0); },
        .domain = Range{-10, 10},
        .tolerance = Ulp{0},
    },
    {
        .name = "softplus",
        .glsl = "softplus_(x)",
        .result = Result::floating,
        .ref = [](double x) { return (x > 0.0 ? x : 0.0) + std::log1p(std::exp(-std::abs(x))); },
        .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g * sigmoid(x); },
        .domain = Range{-20, 20},
        .tolerance = Ulp{4},
    },
    {
        .name = "erf",
        .glsl = "erf_(x)",
        .result = Result::floating,
        .ref = [](double x) { return std::erf(x); },
        .vjp = erf_vjp,
        .domain = Range{-3, 3},
        .tolerance = Ulp{3},
    },
    {
        .name = "erfinv",
        .glsl = "erfinv_(x)",
        .result = Result::floating,
        .ref = erfinv,
        .vjp = erfinv_vjp,
        .domain = Range{-0.999, 0.999},
        .tolerance = Ulp{4},
    },
};

}  // namespace

Chapter math() { return {.unary = unary}; }

}  // namespace detail::entries

using detail::entries::named;

Tensor exp(const Tensor& x) { return detail::apply(named<"exp">(), x); }
Tensor exp2(const Tensor& x) { return detail::apply(named<"exp2">(), x); }
Tensor expm1(const Tensor& x) { return detail::apply(named<"expm1">(), x); }
Tensor log(const Tensor& x) { return detail::apply(named<"log">(), x); }
Tensor log2(const Tensor& x) { return detail::apply(named<"log2">(), x); }
Tensor log10(const Tensor& x) { return detail::apply(named<"log10">(), x); }
Tensor log1p(const Tensor& x) { return detail::apply(named<"log1p">(), x); }
Tensor sqrt(const Tensor& x) { return detail::apply(named<"sqrt">(), x); }
Tensor rsqrt(const Tensor& x) { return detail::apply(named<"rsqrt">(), x); }
Tensor cbrt(const Tensor& x) { return detail::apply(named<"cbrt">(), x); }
Tensor square(const Tensor& x) { return detail::apply(named<"square">(), x); }
Tensor reciprocal(const Tensor& x) { return detail::apply(named<"reciprocal">(), x); }
Tensor abs(const Tensor& x) { return detail::apply(named<"abs">(), x); }
Tensor negative(const Tensor& x) { return detail::apply(named<"negative">(), x); }
Tensor sign(const Tensor& x) { return detail::apply(named<"sign">(), x); }
Tensor signbit(const Tensor& x) { return detail::apply(named<"signbit">(), x); }
Tensor floor(const Tensor& x) { return detail::apply(named<"floor">(), x); }
Tensor ceil(const Tensor& x) { return detail::apply(named<"ceil">(), x); }
Tensor trunc(const Tensor& x) { return detail::apply(named<"trunc">(), x); }
Tensor round(const Tensor& x) { return detail::apply(named<"round">(), x); }
Tensor sigmoid(const Tensor& x) { return detail::apply(named<"sigmoid">(), x); }
Tensor relu(const Tensor& x) { return detail::apply(named<"relu">(), x); }
Tensor softplus(const Tensor& x) { return detail::apply(named<"softplus">(), x); }
Tensor erf(const Tensor& x) { return detail::apply(named<"erf">(), x); }
Tensor erfinv(const Tensor& x) { return detail::apply(named<"erfinv">(), x); }

}  // namespace trigon
