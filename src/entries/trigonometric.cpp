// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "entries/entries.hpp"
#include "trigon/math.hpp"

// Trigonometric and hyperbolic functions and their inverses, element-wise.

namespace trigon {
namespace detail::entries {
namespace {

constexpr UnarySpec unary[] = {
    // ---- Trigonometry
    {
        .name = "sin",
        .glsl = "sin_(x)",
        .result = Result::floating,
        .ref = [](double x) { return std::sin(x); },
        .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g * cos(x); },
        .domain = Range{-10, 10},
        .tolerance = Ulp{3},
    },
    {
        .name = "cos",
        .glsl = "cos_(x)",
        .result = Result::floating,
        .ref = [](double x) { return std::cos(x); },
        .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g * -sin(x); },
        .domain = Range{-10, 10},
        .tolerance = Ulp{3},
    },
    {
        .name = "tan",
        .glsl = "tan_(x)",
        .result = Result::floating,
        .ref = [](double x) { return std::tan(x); },
        .vjp = [](const Tensor& g, const Tensor&, const Tensor& y) { return g * (y * y + 1.0); },
        .domain = Range{-1.3, 1.3},
        .tolerance = Ulp{4},
    },
    {
        .name = "arcsin",
        .glsl = "arcsin_(x)",
        .result = Result::floating,
        .ref = [](double x) { return std::asin(x); },
        .vjp = [](const Tensor& g, const Tensor& x,
                  const Tensor&) { return g * rsqrt(1.0 - x * x); },
        .domain = Range{-0.95, 0.95},
        .tolerance = Ulp{4},
    },
    {
        .name = "arccos",
        .glsl = "arccos_(x)",
        .result = Result::floating,
        .ref = [](double x) { return std::acos(x); },
        .vjp = [](const Tensor& g, const Tensor& x,
                  const Tensor&) { return g * -rsqrt(1.0 - x * x); },
        .domain = Range{-0.95, 0.95},
        .tolerance = Ulp{4},
    },
    {
        .name = "arctan",
        .glsl = "arctan_(x)",
        .result = Result::floating,
        .ref = [](double x) { return std::atan(x); },
        .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g / (x * x + 1.0); },
        .domain = Range{-10, 10},
        .tolerance = Ulp{3},
    },

    // ---- Hyperbolic functions
    {
        .name = "sinh",
        .glsl = "sinh_(x)",
        .result = Result::floating,
        .ref = [](double x) { return std::sinh(x); },
        .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g * cosh(x); },
        .domain = Range{-10, 10},
        .tolerance = Ulp{3},
    },
    {
        .name = "cosh",
        .glsl = "cosh_(x)",
        .result = Result::floating,
        .ref = [](double x) { return std::cosh(x); },
        .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g * sinh(x); },
        .domain = Range{-10, 10},
        .tolerance = Ulp{3},
    },
    {
        .name = "tanh",
        .glsl = "tanh_(x)",
        .result = Result::floating,
        .ref = [](double x) { return std::tanh(x); },
        .vjp = [](const Tensor& g, const Tensor&, const Tensor& y) { return g * (1.0 - y * y); },
        .domain = Range{-5, 5},
        .tolerance = Ulp{3},
    },
    {
        .name = "arcsinh",
        .glsl = "arcsinh_(x)",
        .result = Result::floating,
        .ref = [](double x) { return std::asinh(x); },
        .vjp = [](const Tensor& g, const Tensor& x,
                  const Tensor&) { return g * rsqrt(x * x + 1.0); },
        .domain = Range{-100, 100},
        .tolerance = Ulp{4},
    },
    {
        .name = "arccosh",
        .glsl = "arccosh_(x)",
        .result = Result::floating,
        // musl's, which a browser has, may give a number below 1.
        .ref =
            [](double x) {
              return x < 1 ? std::numeric_limits<double>::quiet_NaN() : std::acosh(x);
            },
        .vjp = [](const Tensor& g, const Tensor& x,
                  const Tensor&) { return g * rsqrt(x * x - 1.0); },
        .domain = Range{1.1, 100},
        .tolerance = Ulp{4},
    },
    {
        .name = "arctanh",
        .glsl = "arctanh_(x)",
        .result = Result::floating,
        .ref = [](double x) { return std::atanh(x); },
        .vjp = [](const Tensor& g, const Tensor& x, const Tensor&) { return g / (1.0 - x * x); },
        .domain = Range{-0.95, 0.95},
        .tolerance = Ulp{4},
    },
};

}  // namespace

Chapter trigonometric() { return {.unary = unary}; }

}  // namespace detail::entries

using detail::entries::named;

Tensor sin(const Tensor& x) { return detail::apply(named<"sin">(), x); }
Tensor cos(const Tensor& x) { return detail::apply(named<"cos">(), x); }
Tensor tan(const Tensor& x) { return detail::apply(named<"tan">(), x); }
Tensor arcsin(const Tensor& x) { return detail::apply(named<"arcsin">(), x); }
Tensor arccos(const Tensor& x) { return detail::apply(named<"arccos">(), x); }
Tensor arctan(const Tensor& x) { return detail::apply(named<"arctan">(), x); }
Tensor sinh(const Tensor& x) { return detail::apply(named<"sinh">(), x); }
Tensor cosh(const Tensor& x) { return detail::apply(named<"cosh">(), x); }
Tensor tanh(const Tensor& x) { return detail::apply(named<"tanh">(), x); }
Tensor arcsinh(const Tensor& x) { return detail::apply(named<"arcsinh">(), x); }
Tensor arccosh(const Tensor& x) { return detail::apply(named<"arccosh">(), x); }
Tensor arctanh(const Tensor& x) { return detail::apply(named<"arctanh">(), x); }

}  // namespace trigon
