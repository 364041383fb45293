// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <limits>

#include <trigon/op.hpp>
#include <trigon/ops/unary.hpp>

// Trigonometric and hyperbolic functions and their inverses, element-wise.

namespace trigon {

inline Tensor cos(const Tensor& x);
inline Tensor cosh(const Tensor& x);

// ---- Trigonometry

/// Sine of x in radians, element-wise.
///
/// Source: Cody and Waite's reduction. Accurate for |x| <= 1e5; beyond, digits are lost, from about
/// 1e7 on all of them.
Tensor sin(const Tensor& x);
TRIGON_UNARY(sin) = {
    .name = "sin",
    .glsl = "sin_(x)",
    .result = Result::floating,
    .ref = [](double x) { return std::sin(x); },
    .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g * cos(x); },
    .domain = Range{-10, 10},
    .tolerance = Ulp{3},
};

/// Cosine of x in radians, element-wise.
///
/// Source: Cody and Waite's reduction. Accurate for |x| <= 1e5; beyond, digits are lost, from about
/// 1e7 on all of them.
Tensor cos(const Tensor& x);
TRIGON_UNARY(cos) = {
    .name = "cos",
    .glsl = "cos_(x)",
    .result = Result::floating,
    .ref = [](double x) { return std::cos(x); },
    .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g * -sin(x); },
    .domain = Range{-10, 10},
    .tolerance = Ulp{3},
};

/// Tangent of x in radians, element-wise.
///
/// Source: Cody and Waite's reduction. Accurate for |x| <= 1e5; beyond, digits are lost, from about
/// 1e7 on all of them.
Tensor tan(const Tensor& x);
TRIGON_UNARY(tan) = {
    .name = "tan",
    .glsl = "tan_(x)",
    .result = Result::floating,
    .ref = [](double x) { return std::tan(x); },
    .vjp = [](const Tensor& g, const Tensor&, const Tensor& y) { return g * (y * y + 1.0); },
    .domain = Range{-1.3, 1.3},
    .tolerance = Ulp{4},
};

/// Inverse sine in radians, element-wise; NaN outside [-1, 1].
Tensor arcsin(const Tensor& x);
TRIGON_UNARY(arcsin) = {
    .name = "arcsin",
    .glsl = "arcsin_(x)",
    .result = Result::floating,
    .ref = [](double x) { return std::asin(x); },
    .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g * rsqrt(1.0 - x * x); },
    .domain = Range{-0.95, 0.95},
    .tolerance = Ulp{4},
};

/// Inverse cosine in radians, element-wise; NaN outside [-1, 1].
Tensor arccos(const Tensor& x);
TRIGON_UNARY(arccos) = {
    .name = "arccos",
    .glsl = "arccos_(x)",
    .result = Result::floating,
    .ref = [](double x) { return std::acos(x); },
    .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g * -rsqrt(1.0 - x * x); },
    .domain = Range{-0.95, 0.95},
    .tolerance = Ulp{4},
};

/// Inverse tangent in radians, element-wise.
Tensor arctan(const Tensor& x);
TRIGON_UNARY(arctan) = {
    .name = "arctan",
    .glsl = "arctan_(x)",
    .result = Result::floating,
    .ref = [](double x) { return std::atan(x); },
    .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g / (x * x + 1.0); },
    .domain = Range{-10, 10},
    .tolerance = Ulp{3},
};

// ---- Hyperbolic functions

/// Hyperbolic sine, element-wise.
Tensor sinh(const Tensor& x);
TRIGON_UNARY(sinh) = {
    .name = "sinh",
    .glsl = "sinh_(x)",
    .result = Result::floating,
    .ref = [](double x) { return std::sinh(x); },
    .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g * cosh(x); },
    .domain = Range{-10, 10},
    .tolerance = Ulp{3},
};

/// Hyperbolic cosine, element-wise.
Tensor cosh(const Tensor& x);
TRIGON_UNARY(cosh) = {
    .name = "cosh",
    .glsl = "cosh_(x)",
    .result = Result::floating,
    .ref = [](double x) { return std::cosh(x); },
    .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g * sinh(x); },
    .domain = Range{-10, 10},
    .tolerance = Ulp{3},
};

/// Hyperbolic tangent, element-wise.
Tensor tanh(const Tensor& x);
TRIGON_UNARY(tanh) = {
    .name = "tanh",
    .glsl = "tanh_(x)",
    .result = Result::floating,
    .ref = [](double x) { return std::tanh(x); },
    .vjp = [](const Tensor& g, const Tensor&, const Tensor& y) { return g * (1.0 - y * y); },
    .domain = Range{-5, 5},
    .tolerance = Ulp{3},
};

/// Inverse hyperbolic sine, element-wise.
Tensor arcsinh(const Tensor& x);
TRIGON_UNARY(arcsinh) = {
    .name = "arcsinh",
    .glsl = "arcsinh_(x)",
    .result = Result::floating,
    .ref = [](double x) { return std::asinh(x); },
    .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g * rsqrt(x * x + 1.0); },
    .domain = Range{-100, 100},
    .tolerance = Ulp{4},
};

/// Inverse hyperbolic cosine, element-wise; NaN below 1.
Tensor arccosh(const Tensor& x);
TRIGON_UNARY(arccosh) = {
    .name = "arccosh",
    .glsl = "arccosh_(x)",
    .result = Result::floating,
    // musl's, which a browser has, may give a number below 1.
    .ref =
        [](double x) { return x < 1 ? std::numeric_limits<double>::quiet_NaN() : std::acosh(x); },
    .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g * rsqrt(x * x - 1.0); },
    .domain = Range{1.1, 100},
    .tolerance = Ulp{4},
};

/// Inverse hyperbolic tangent, element-wise; NaN outside [-1, 1].
Tensor arctanh(const Tensor& x);
TRIGON_UNARY(arctanh) = {
    .name = "arctanh",
    .glsl = "arctanh_(x)",
    .result = Result::floating,
    .ref = [](double x) { return std::atanh(x); },
    .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g / (1.0 - x * x); },
    .domain = Range{-0.95, 0.95},
    .tolerance = Ulp{4},
};

}  // namespace trigon
