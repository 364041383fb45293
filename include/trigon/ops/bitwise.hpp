// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>

#include <trigon/op.hpp>

// Element-wise ops of integers. They need GLSL ES 3.00. All raise Error when the shapes do not
// broadcast or an operand is a float.

namespace trigon {

namespace detail {

inline std::int64_t bits(double x) { return static_cast<std::int64_t>(x); }

// Of 32 bits, as the device shifts.
inline double left_shift(double a, double b) {
  if (b < 0.0 || b >= 32.0) return 0.0;
  const auto r = static_cast<std::uint32_t>(bits(a)) << static_cast<int>(b);
  return a < 0.0 ? static_cast<double>(static_cast<std::int32_t>(r)) : static_cast<double>(r);
}

inline double right_shift(double a, double b) {
  if (b < 0.0 || b >= 32.0) return a < 0.0 ? -1.0 : 0.0;
  return std::floor(std::ldexp(a, -static_cast<int>(b)));
}

}  // namespace detail

/// Bitwise and of integers, or logical and of bools, element-wise.
Tensor bitwise_and(const Tensor& a, const Tensor& b);
TRIGON_BINARY(bitwise_and) = {
    .name = "bitwise_and",
    .glsl = "bitwise_and_(a, b)",
    .result = Result::same,
    .keeps_bool = true,
    .integers_only = true,
    .ref = [](double a,
              double b) { return static_cast<double>(detail::bits(a) & detail::bits(b)); },
    .vjp = nullptr,
    .domain_a = Range{0, 1e6},
    .domain_b = Range{0, 1e6},
    .tolerance = Ulp{0},
};

/// Bitwise or of integers, or logical or of bools, element-wise.
Tensor bitwise_or(const Tensor& a, const Tensor& b);
TRIGON_BINARY(bitwise_or) = {
    .name = "bitwise_or",
    .glsl = "bitwise_or_(a, b)",
    .result = Result::same,
    .keeps_bool = true,
    .integers_only = true,
    .ref = [](double a,
              double b) { return static_cast<double>(detail::bits(a) | detail::bits(b)); },
    .vjp = nullptr,
    .domain_a = Range{0, 1e6},
    .domain_b = Range{0, 1e6},
    .tolerance = Ulp{0},
};

/// Bitwise exclusive or of integers, or logical of bools, element-wise.
Tensor bitwise_xor(const Tensor& a, const Tensor& b);
TRIGON_BINARY(bitwise_xor) = {
    .name = "bitwise_xor",
    .glsl = "bitwise_xor_(a, b)",
    .result = Result::same,
    .keeps_bool = true,
    .integers_only = true,
    .ref = [](double a,
              double b) { return static_cast<double>(detail::bits(a) ^ detail::bits(b)); },
    .vjp = nullptr,
    .domain_a = Range{0, 1e6},
    .domain_b = Range{0, 1e6},
    .tolerance = Ulp{0},
};

/// All bits of integers turned, or logical not of bools, element-wise. Raises Error for floats.
[[nodiscard]] Tensor bitwise_not(const Tensor& x);

/// a shifted left by b bits, element-wise, integers only; 0 from 32 bits on.
Tensor left_shift(const Tensor& a, const Tensor& b);
TRIGON_BINARY(left_shift) = {
    .name = "left_shift",
    .glsl = "left_shift_(a, b)",
    .result = Result::same,
    .integers_only = true,
    .ref = [](double a, double b) { return detail::left_shift(a, b); },
    .vjp = nullptr,
    .domain_a = Range{0, 1e6},
    .domain_b = Range{0, 8},
    .tolerance = Ulp{0},
};

/// a shifted right by b bits, element-wise, integers only; the sign is kept.
Tensor right_shift(const Tensor& a, const Tensor& b);
TRIGON_BINARY(right_shift) = {
    .name = "right_shift",
    .glsl = "right_shift_(a, b)",
    .result = Result::same,
    .integers_only = true,
    .ref = [](double a, double b) { return detail::right_shift(a, b); },
    .vjp = nullptr,
    .domain_a = Range{0, 1e6},
    .domain_b = Range{0, 8},
    .tolerance = Ulp{0},
};

}  // namespace trigon
