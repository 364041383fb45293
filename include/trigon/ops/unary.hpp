// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>

#include <trigon/op.hpp>

// Element-wise ops of one operand; trigonometric ones are in ops/trigonometric.hpp. Gradients
// follow PyTorch where one has to be chosen.

namespace trigon {

[[nodiscard]] Tensor zeros_like(const Tensor& x);
[[nodiscard]] inline Tensor where(const Tensor& a, const Tensor& b, const Tensor& c);
inline Tensor sign(const Tensor& x);

namespace detail {
inline constexpr double ln_2 = 0.69314718055994530942, ln_10 = 2.30258509299404568402;
inline constexpr double two_over_sqrt_pi = 1.12837916709551257390;
double erfinv(double x);
Tensor sigmoid_vjp(const Tensor& g, const Tensor& x, const Tensor& y);
Tensor erf_vjp(const Tensor& g, const Tensor& x, const Tensor& y);
Tensor erfinv_vjp(const Tensor& g, const Tensor& x, const Tensor& y);
}  // namespace detail

// ---- Exponentials and logarithms

/// e to the power x, element-wise.
Tensor exp(const Tensor& x);
TRIGON_UNARY(exp) = {
    .name = "exp",
    .glsl = "exp_(x)",
    .result = Result::floating,
    .ref = [](double x) { return std::exp(x); },
    .vjp = [](const Tensor& g, const Tensor&, const Tensor& y) { return g * y; },
    .domain = Range{-87, 88},
    .tolerance = Ulp{2},
};

/// 2 to the power x, element-wise.
Tensor exp2(const Tensor& x);
TRIGON_UNARY(exp2) = {
    .name = "exp2",
    .glsl = "exp2_(x)",
    .result = Result::floating,
    .ref = [](double x) { return std::exp2(x); },
    .vjp = [](const Tensor& g, const Tensor&, const Tensor& y) { return g * y * detail::ln_2; },
    .domain = Range{-125, 127},
    .tolerance = Ulp{2},
};

/// exp(x) - 1, exact beside 0 too.
Tensor expm1(const Tensor& x);
TRIGON_UNARY(expm1) = {
    .name = "expm1",
    .glsl = "expm1_(x)",
    .result = Result::floating,
    .ref = [](double x) { return std::expm1(x); },
    .vjp = [](const Tensor& g, const Tensor&, const Tensor& y) { return g * (y + 1.0); },
    .domain = Range{-10, 10},
    .tolerance = Ulp{3},
};

/// Natural logarithm, element-wise; -inf at 0, NaN below.
Tensor log(const Tensor& x);
TRIGON_UNARY(log) = {
    .name = "log",
    .glsl = "log_(x)",
    .result = Result::floating,
    .ref = [](double x) { return std::log(x); },
    .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g / x; },
    .domain = Range{1e-3, 1e3},
    .tolerance = Ulp{2},
};

/// Logarithm to base 2, element-wise; -inf at 0, NaN below.
Tensor log2(const Tensor& x);
TRIGON_UNARY(log2) = {
    .name = "log2",
    .glsl = "log2_(x)",
    .result = Result::floating,
    .ref = [](double x) { return std::log2(x); },
    .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g / (x * detail::ln_2); },
    .domain = Range{1e-3, 1e3},
    .tolerance = Ulp{2},
};

/// Logarithm to base 10, element-wise; -inf at 0, NaN below.
Tensor log10(const Tensor& x);
TRIGON_UNARY(log10) = {
    .name = "log10",
    .glsl = "log10_(x)",
    .result = Result::floating,
    .ref = [](double x) { return std::log10(x); },
    .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g / (x * detail::ln_10); },
    .domain = Range{1e-3, 1e3},
    .tolerance = Ulp{2},
};

/// log(1 + x), exact beside 0 too; -inf at -1, NaN below.
Tensor log1p(const Tensor& x);
TRIGON_UNARY(log1p) = {
    .name = "log1p",
    .glsl = "log1p_(x)",
    .result = Result::floating,
    .ref = [](double x) { return std::log1p(x); },
    .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g / (x + 1.0); },
    .domain = Range{-0.9, 1e3},
    .tolerance = Ulp{2},
};

// ---- Powers and roots

/// Square root, element-wise; NaN below 0.
Tensor sqrt(const Tensor& x);
TRIGON_UNARY(sqrt) = {
    .name = "sqrt",
    .glsl = "sqrt(x)",
    .result = Result::floating,
    .ref = [](double x) { return std::sqrt(x); },
    .vjp = [](const Tensor& g, const Tensor&, const Tensor& y) { return g * 0.5 / y; },
    .domain = Range{1e-3, 1e3},
    .tolerance = Ulp{1},
};

/// 1 / sqrt(x), element-wise; inf at 0, NaN below.
Tensor rsqrt(const Tensor& x);
TRIGON_UNARY(rsqrt) = {
    .name = "rsqrt",
    .glsl = "1.0 / sqrt(x)",
    .result = Result::floating,
    .ref = [](double x) { return 1.0 / std::sqrt(x); },
    .vjp = [](const Tensor& g, const Tensor&, const Tensor& y) { return g * -0.5 * y * y * y; },
    .domain = Range{1e-3, 1e3},
    .tolerance = Ulp{2},
};

/// Cube root, element-wise; negative for negative x.
Tensor cbrt(const Tensor& x);
TRIGON_UNARY(cbrt) = {
    .name = "cbrt",
    .glsl = "cbrt_(x)",
    .result = Result::floating,
    .ref = [](double x) { return std::cbrt(x); },
    .vjp = [](const Tensor& g, const Tensor&, const Tensor& y) { return g / (y * y * 3.0); },
    .domain = Range{0.1, 1e3},
    .tolerance = Ulp{2},
};

/// x times x, element-wise.
Tensor square(const Tensor& x);
TRIGON_UNARY(square) = {
    .name = "square",
    .glsl = "x * x",
    .result = Result::same,
    .ref = [](double x) { return x * x; },
    .ref_bits = [](std::uint32_t x) { return x * x; },
    .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g * 2.0 * x; },
    .domain = Range{-100, 100},
    .tolerance = Ulp{1},
};

/// 1 / x, element-wise, as float32.
Tensor reciprocal(const Tensor& x);
TRIGON_UNARY(reciprocal) = {
    .name = "reciprocal",
    .glsl = "1.0 / x",
    .result = Result::floating,
    .ref = [](double x) { return 1.0 / x; },
    .vjp = [](const Tensor& g, const Tensor&, const Tensor& y) { return -g * y * y; },
    .domain = Range{0.1, 100},
    .tolerance = Ulp{1},
};

// ---- Signs and rounding

/// Absolute value, element-wise.
///
/// The gradient at 0 is 0.
Tensor abs(const Tensor& x);
TRIGON_UNARY(abs) = {
    .name = "abs",
    .glsl = "abs_(x)",
    .result = Result::same,
    .keeps_bool = true,
    .ref = [](double x) { return std::abs(x); },
    .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g * sign(x); },
    .domain = Range{-100, 100},
    .tolerance = Ulp{0},
};

/// -x, element-wise; unsigned integers wrap around.
Tensor negative(const Tensor& x);
TRIGON_UNARY(negative) = {
    .name = "negative",
    .glsl = "-x",
    .result = Result::same,
    .ref = [](double x) { return -x; },
    .vjp = [](const Tensor& g, const Tensor&, const Tensor&) { return -g; },
    .domain = Range{-100, 100},
    .tolerance = Ulp{0},
};

/// -1, 0 or 1, element-wise; NaN stays.
Tensor sign(const Tensor& x);
TRIGON_UNARY(sign) = {
    .name = "sign",
    .glsl = "sign_(x)",
    .result = Result::same,
    .ref = [](double x) -> double { return std::isnan(x) ? x : (x > 0.0) - (x < 0.0); },
    .vjp = [](const Tensor& g, const Tensor&, const Tensor&) { return zeros_like(g); },
    .domain = Range{0.1, 100},
    .tolerance = Ulp{0},
};

/// Largest integer that is not above x, element-wise.
Tensor floor(const Tensor& x);
TRIGON_UNARY(floor) = {
    .name = "floor",
    .glsl = "floor(x)",
    .glsl_int = "x",
    .result = Result::same,
    .ref = [](double x) { return std::floor(x); },
    .vjp = [](const Tensor& g, const Tensor&, const Tensor&) { return zeros_like(g); },
    .domain = Range{-100, 100},
    .tolerance = Ulp{0},
};

/// Smallest integer that is not below x, element-wise.
Tensor ceil(const Tensor& x);
TRIGON_UNARY(ceil) = {
    .name = "ceil",
    .glsl = "ceil(x)",
    .glsl_int = "x",
    .result = Result::same,
    .ref = [](double x) { return std::ceil(x); },
    .vjp = [](const Tensor& g, const Tensor&, const Tensor&) { return zeros_like(g); },
    .domain = Range{-100, 100},
    .tolerance = Ulp{0},
};

/// x without its fractional part, element-wise.
Tensor trunc(const Tensor& x);
TRIGON_UNARY(trunc) = {
    .name = "trunc",
    .glsl = "trunc_(x)",
    .glsl_int = "x",
    .result = Result::same,
    .ref = [](double x) { return std::trunc(x); },
    .vjp = [](const Tensor& g, const Tensor&, const Tensor&) { return zeros_like(g); },
    .domain = Range{-100, 100},
    .tolerance = Ulp{0},
};

/// Nearest integer, element-wise; halves go to the even one.
Tensor round(const Tensor& x);
TRIGON_UNARY(round) = {
    .name = "round",
    .glsl = "round_(x)",
    .glsl_int = "x",
    .result = Result::same,
    .ref = [](double x) { return std::nearbyint(x); },
    .vjp = [](const Tensor& g, const Tensor&, const Tensor&) { return zeros_like(g); },
    .domain = Range{-100, 100},
    .tolerance = Ulp{0},
};

// ---- Activations with a GLSL of their own

/// 1 / (1 + exp(-x)), element-wise.
Tensor sigmoid(const Tensor& x);
TRIGON_UNARY(sigmoid) = {
    .name = "sigmoid",
    .glsl = "sigmoid_(x)",
    .result = Result::floating,
    .ref = [](double x) { return 1.0 / (1.0 + std::exp(-x)); },
    .vjp = detail::sigmoid_vjp,
    .domain = Range{-20, 20},
    .tolerance = Ulp{4},
};

/// max(x, 0), element-wise; NaN stays.
///
/// The gradient at 0 is 0.
Tensor relu(const Tensor& x);
TRIGON_UNARY(relu) = {
    .name = "relu",
    .glsl = "relu_(x)",
    .result = Result::same,
    .ref = [](double x) { return x < 0.0 ? 0.0 : x; },
    .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return where(x > 0.0, g, 0.0); },
    .domain = Range{-10, 10},
    .tolerance = Ulp{0},
};

/// log(1 + exp(x)), element-wise, without overflow.
Tensor softplus(const Tensor& x);
TRIGON_UNARY(softplus) = {
    .name = "softplus",
    .glsl = "softplus_(x)",
    .result = Result::floating,
    .ref = [](double x) { return (x > 0.0 ? x : 0.0) + std::log1p(std::exp(-std::abs(x))); },
    .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g * sigmoid(x); },
    .domain = Range{-20, 20},
    .tolerance = Ulp{4},
};

/// Error function, element-wise.
Tensor erf(const Tensor& x);
TRIGON_UNARY(erf) = {
    .name = "erf",
    .glsl = "erf_(x)",
    .result = Result::floating,
    .ref = [](double x) { return std::erf(x); },
    .vjp = detail::erf_vjp,
    .domain = Range{-3, 3},
    .tolerance = Ulp{3},
};

/// Inverse of erf, element-wise; inf at 1, -inf at -1, NaN outside of [-1, 1].
Tensor erfinv(const Tensor& x);
TRIGON_UNARY(erfinv) = {
    .name = "erfinv",
    .glsl = "erfinv_(x)",
    .result = Result::floating,
    .ref = detail::erfinv,
    .vjp = detail::erfinv_vjp,
    .domain = Range{-0.999, 0.999},
    .tolerance = Ulp{4},
};

// ---- Tests

/// Whether x is NaN, element-wise.
Tensor isnan(const Tensor& x);
TRIGON_UNARY(isnan) = {
    .name = "isnan",
    .glsl = "isnan_(x)",
    .glsl_int = "vec4(0.0)",
    .result = Result::boolean,
    .ref = [](double x) -> double { return std::isnan(x); },
    .vjp = nullptr,
    .domain = Range{-10, 10},
    .tolerance = Ulp{0},
};

/// Whether x is inf or -inf, element-wise.
Tensor isinf(const Tensor& x);
TRIGON_UNARY(isinf) = {
    .name = "isinf",
    .glsl = "isinf_(x)",
    .glsl_int = "vec4(0.0)",
    .result = Result::boolean,
    .ref = [](double x) -> double { return std::isinf(x); },
    .vjp = nullptr,
    .domain = Range{-10, 10},
    .tolerance = Ulp{0},
};

/// Whether x is neither NaN nor infinite, element-wise.
Tensor isfinite(const Tensor& x);
TRIGON_UNARY(isfinite) = {
    .name = "isfinite",
    .glsl = "isfinite_(x)",
    .glsl_int = "vec4(1.0)",
    .result = Result::boolean,
    .ref = [](double x) -> double { return std::isfinite(x); },
    .vjp = nullptr,
    .domain = Range{-10, 10},
    .tolerance = Ulp{0},
};

/// Whether the sign is set, of -0.0 too, element-wise.
Tensor signbit(const Tensor& x);
TRIGON_UNARY(signbit) = {
    .name = "signbit",
    .glsl = "signbit_(x)",
    .result = Result::boolean,
    .ref = [](double x) -> double { return std::signbit(x); },
    .vjp = nullptr,
    .domain = Range{-10, 10},
    .tolerance = Ulp{0},
};

/// Whether x is 0, element-wise.
Tensor logical_not(const Tensor& x);
TRIGON_UNARY(logical_not) = {
    .name = "logical_not",
    .glsl = "1.0 - truth_(x)",
    .result = Result::boolean,
    .ref = [](double x) -> double { return x == 0.0; },
    .vjp = nullptr,
    .domain = Range{-1, 1},
    .tolerance = Ulp{0},
};

}  // namespace trigon

#include <trigon/ops/binary.hpp>  // where(), which the gradient of relu calls
