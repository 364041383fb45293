// SPDX-License-Identifier: MIT
#include <cmath>

#include "entries/entries.hpp"
#include "trigon/logic.hpp"
#include "trigon/math.hpp"

// Element-wise comparison, logic and tests; the results are bools.

namespace trigon {
namespace detail::entries {
namespace {

constexpr UnarySpec unary[] = {
    // ---- Tests
    {
        .name = "isnan",
        .glsl = "isnan_(x)",
        .glsl_int = "vec4(0.0)",
        .result = Result::boolean,
        .ref = [](double x) -> double { return std::isnan(x); },
        .vjp = nullptr,
        .domain = Range{-10, 10},
        .tolerance = Ulp{0},
    },
    {
        .name = "isinf",
        .glsl = "isinf_(x)",
        .glsl_int = "vec4(0.0)",
        .result = Result::boolean,
        .ref = [](double x) -> double { return std::isinf(x); },
        .vjp = nullptr,
        .domain = Range{-10, 10},
        .tolerance = Ulp{0},
    },
    {
        .name = "isfinite",
        .glsl = "isfinite_(x)",
        .glsl_int = "vec4(1.0)",
        .result = Result::boolean,
        .ref = [](double x) -> double { return std::isfinite(x); },
        .vjp = nullptr,
        .domain = Range{-10, 10},
        .tolerance = Ulp{0},
    },
    {
        .name = "logical_not",
        .glsl = "1.0 - truth_(x)",
        .result = Result::boolean,
        .ref = [](double x) -> double { return x == 0.0; },
        .vjp = nullptr,
        .domain = Range{-1, 1},
        .tolerance = Ulp{0},
    },
};

constexpr BinarySpec binary[] = {
    {
        .name = "equal",
        .glsl = "vec4(equal(a, b))",
        .result = Result::boolean,
        .is_comparison = true,
        .ref = [](double a, double b) -> double { return a == b; },
        .vjp = nullptr,
        .domain_a = Range{-3, 3},
        .domain_b = Range{-3, 3},
        .tolerance = Ulp{0},
    },
    {
        .name = "not_equal",
        .glsl = "vec4(notEqual(a, b))",
        .result = Result::boolean,
        .is_comparison = true,
        .ref = [](double a, double b) -> double { return a != b; },
        .vjp = nullptr,
        .domain_a = Range{-3, 3},
        .domain_b = Range{-3, 3},
        .tolerance = Ulp{0},
    },
    {
        .name = "less",
        .glsl = "vec4(lessThan(a, b))",
        .result = Result::boolean,
        .is_comparison = true,
        .is_less = true,
        .ref = [](double a, double b) -> double { return a < b; },
        .vjp = nullptr,
        .domain_a = Range{-3, 3},
        .domain_b = Range{-3, 3},
        .tolerance = Ulp{0},
    },
    {
        .name = "less_equal",
        .glsl = "vec4(lessThanEqual(a, b))",
        .result = Result::boolean,
        .is_comparison = true,
        .ref = [](double a, double b) -> double { return a <= b; },
        .vjp = nullptr,
        .domain_a = Range{-3, 3},
        .domain_b = Range{-3, 3},
        .tolerance = Ulp{0},
    },
    {
        .name = "greater",
        .glsl = "vec4(greaterThan(a, b))",
        .result = Result::boolean,
        .is_comparison = true,
        .ref = [](double a, double b) -> double { return a > b; },
        .vjp = nullptr,
        .domain_a = Range{-3, 3},
        .domain_b = Range{-3, 3},
        .tolerance = Ulp{0},
    },
    {
        .name = "greater_equal",
        .glsl = "vec4(greaterThanEqual(a, b))",
        .result = Result::boolean,
        .is_comparison = true,
        .ref = [](double a, double b) -> double { return a >= b; },
        .vjp = nullptr,
        .domain_a = Range{-3, 3},
        .domain_b = Range{-3, 3},
        .tolerance = Ulp{0},
    },
    {
        .name = "logical_and",
        .glsl = "truth_(a) * truth_(b)",
        .result = Result::boolean,
        .ref = [](double a, double b) -> double { return a != 0.0 && b != 0.0; },
        .vjp = nullptr,
        .domain_a = Range{-3, 3},
        .domain_b = Range{-3, 3},
        .tolerance = Ulp{0},
    },
    {
        .name = "logical_or",
        .glsl = "max(truth_(a), truth_(b))",
        .result = Result::boolean,
        .ref = [](double a, double b) -> double { return a != 0.0 || b != 0.0; },
        .vjp = nullptr,
        .domain_a = Range{-3, 3},
        .domain_b = Range{-3, 3},
        .tolerance = Ulp{0},
    },
    {
        .name = "logical_xor",
        .glsl = "abs(truth_(a) - truth_(b))",
        .result = Result::boolean,
        .ref = [](double a, double b) -> double { return (a != 0.0) != (b != 0.0); },
        .vjp = nullptr,
        .domain_a = Range{-3, 3},
        .domain_b = Range{-3, 3},
        .tolerance = Ulp{0},
    },
};

}  // namespace

Chapter logic() { return {.unary = unary, .binary = binary}; }

}  // namespace detail::entries

using detail::entries::named;

Tensor equal(const Tensor& a, const Tensor& b) { return detail::apply(named<"equal">(), a, b); }
Tensor not_equal(const Tensor& a, const Tensor& b) {
  return detail::apply(named<"not_equal">(), a, b);
}
Tensor less(const Tensor& a, const Tensor& b) { return detail::apply(named<"less">(), a, b); }
Tensor less_equal(const Tensor& a, const Tensor& b) {
  return detail::apply(named<"less_equal">(), a, b);
}
Tensor greater(const Tensor& a, const Tensor& b) { return detail::apply(named<"greater">(), a, b); }
Tensor greater_equal(const Tensor& a, const Tensor& b) {
  return detail::apply(named<"greater_equal">(), a, b);
}
Tensor logical_and(const Tensor& a, const Tensor& b) {
  return detail::apply(named<"logical_and">(), a, b);
}
Tensor logical_or(const Tensor& a, const Tensor& b) {
  return detail::apply(named<"logical_or">(), a, b);
}
Tensor logical_xor(const Tensor& a, const Tensor& b) {
  return detail::apply(named<"logical_xor">(), a, b);
}
Tensor isnan(const Tensor& x) { return detail::apply(named<"isnan">(), x); }
Tensor isinf(const Tensor& x) { return detail::apply(named<"isinf">(), x); }
Tensor isfinite(const Tensor& x) { return detail::apply(named<"isfinite">(), x); }
Tensor logical_not(const Tensor& x) { return detail::apply(named<"logical_not">(), x); }

}  // namespace trigon
