// SPDX-License-Identifier: MIT
#pragma once

#include <trigon/op.hpp>

// Element-wise comparison and logic; the results are bools. All raise Error when the shapes do not
// broadcast.

namespace trigon {

/// a == b, element-wise; false where either is NaN.
Tensor equal(const Tensor& a, const Tensor& b);
TRIGON_BINARY(equal) = {
    .name = "equal",
    .glsl = "vec4(equal(a, b))",
    .result = Result::boolean,
    .ref = [](double a, double b) -> double { return a == b; },
    .vjp = nullptr,
    .domain_a = Range{-3, 3},
    .domain_b = Range{-3, 3},
    .tolerance = Ulp{0},
};

/// a != b, element-wise; true where either is NaN.
Tensor not_equal(const Tensor& a, const Tensor& b);
TRIGON_BINARY(not_equal) = {
    .name = "not_equal",
    .glsl = "vec4(notEqual(a, b))",
    .result = Result::boolean,
    .ref = [](double a, double b) -> double { return a != b; },
    .vjp = nullptr,
    .domain_a = Range{-3, 3},
    .domain_b = Range{-3, 3},
    .tolerance = Ulp{0},
};

/// a < b, element-wise; false where either is NaN.
Tensor less(const Tensor& a, const Tensor& b);
TRIGON_BINARY(less) = {
    .name = "less",
    .glsl = "vec4(lessThan(a, b))",
    .result = Result::boolean,
    .ref = [](double a, double b) -> double { return a < b; },
    .vjp = nullptr,
    .domain_a = Range{-3, 3},
    .domain_b = Range{-3, 3},
    .tolerance = Ulp{0},
};

/// a <= b, element-wise; false where either is NaN.
Tensor less_equal(const Tensor& a, const Tensor& b);
TRIGON_BINARY(less_equal) = {
    .name = "less_equal",
    .glsl = "vec4(lessThanEqual(a, b))",
    .result = Result::boolean,
    .ref = [](double a, double b) -> double { return a <= b; },
    .vjp = nullptr,
    .domain_a = Range{-3, 3},
    .domain_b = Range{-3, 3},
    .tolerance = Ulp{0},
};

/// a > b, element-wise; false where either is NaN.
Tensor greater(const Tensor& a, const Tensor& b);
TRIGON_BINARY(greater) = {
    .name = "greater",
    .glsl = "vec4(greaterThan(a, b))",
    .result = Result::boolean,
    .ref = [](double a, double b) -> double { return a > b; },
    .vjp = nullptr,
    .domain_a = Range{-3, 3},
    .domain_b = Range{-3, 3},
    .tolerance = Ulp{0},
};

/// a >= b, element-wise; false where either is NaN.
Tensor greater_equal(const Tensor& a, const Tensor& b);
TRIGON_BINARY(greater_equal) = {
    .name = "greater_equal",
    .glsl = "vec4(greaterThanEqual(a, b))",
    .result = Result::boolean,
    .ref = [](double a, double b) -> double { return a >= b; },
    .vjp = nullptr,
    .domain_a = Range{-3, 3},
    .domain_b = Range{-3, 3},
    .tolerance = Ulp{0},
};

/// Whether both are not 0, element-wise.
Tensor logical_and(const Tensor& a, const Tensor& b);
TRIGON_BINARY(logical_and) = {
    .name = "logical_and",
    .glsl = "truth_(a) * truth_(b)",
    .result = Result::boolean,
    .ref = [](double a, double b) -> double { return a != 0.0 && b != 0.0; },
    .vjp = nullptr,
    .domain_a = Range{-3, 3},
    .domain_b = Range{-3, 3},
    .tolerance = Ulp{0},
};

/// Whether either is not 0, element-wise.
Tensor logical_or(const Tensor& a, const Tensor& b);
TRIGON_BINARY(logical_or) = {
    .name = "logical_or",
    .glsl = "max(truth_(a), truth_(b))",
    .result = Result::boolean,
    .ref = [](double a, double b) -> double { return a != 0.0 || b != 0.0; },
    .vjp = nullptr,
    .domain_a = Range{-3, 3},
    .domain_b = Range{-3, 3},
    .tolerance = Ulp{0},
};

/// Whether exactly one is not 0, element-wise.
Tensor logical_xor(const Tensor& a, const Tensor& b);
TRIGON_BINARY(logical_xor) = {
    .name = "logical_xor",
    .glsl = "abs(truth_(a) - truth_(b))",
    .result = Result::boolean,
    .ref = [](double a, double b) -> double { return (a != 0.0) != (b != 0.0); },
    .vjp = nullptr,
    .domain_a = Range{-3, 3},
    .domain_b = Range{-3, 3},
    .tolerance = Ulp{0},
};

}  // namespace trigon
