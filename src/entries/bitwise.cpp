// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>

#include "entries/entries.hpp"
#include "trigon/logic.hpp"

// Element-wise ops of integers. They need GLSL ES 3.00.

namespace trigon {
namespace detail::entries {
namespace {

std::int64_t bits(double x) { return static_cast<std::int64_t>(x); }

// On 32 bits, as the device shifts.
double left_shift(double a, double b) {
  if (b < 0.0 || b >= 32.0) return 0.0;
  const auto r = static_cast<std::uint32_t>(bits(a)) << static_cast<int>(b);
  return a < 0.0 ? static_cast<double>(static_cast<std::int32_t>(r)) : static_cast<double>(r);
}

double right_shift(double a, double b) {
  if (b < 0.0 || b >= 32.0) return a < 0.0 ? -1.0 : 0.0;
  return std::floor(std::ldexp(a, -static_cast<int>(b)));
}

constexpr BinarySpec binary[] = {
    {
        .name = "bitwise_and",
        .glsl = "bitwise_and_(a, b)",
        .result = Result::same,
        .keeps_bool = true,
        .integers_only = true,
        .ref = [](double a, double b) { return static_cast<double>(bits(a) & bits(b)); },
        .vjp = nullptr,
        .domain_a = Range{0, 1e6},
        .domain_b = Range{0, 1e6},
        .tolerance = Ulp{0},
    },
    {
        .name = "bitwise_or",
        .glsl = "bitwise_or_(a, b)",
        .result = Result::same,
        .keeps_bool = true,
        .integers_only = true,
        .ref = [](double a, double b) { return static_cast<double>(bits(a) | bits(b)); },
        .vjp = nullptr,
        .domain_a = Range{0, 1e6},
        .domain_b = Range{0, 1e6},
        .tolerance = Ulp{0},
    },
    {
        .name = "bitwise_xor",
        .glsl = "bitwise_xor_(a, b)",
        .result = Result::same,
        .keeps_bool = true,
        .integers_only = true,
        .ref = [](double a, double b) { return static_cast<double>(bits(a) ^ bits(b)); },
        .vjp = nullptr,
        .domain_a = Range{0, 1e6},
        .domain_b = Range{0, 1e6},
        .tolerance = Ulp{0},
    },
    {
        .name = "left_shift",
        .glsl = "left_shift_(a, b)",
        .result = Result::same,
        .integers_only = true,
        .ref = [](double a, double b) { return left_shift(a, b); },
        .vjp = nullptr,
        .domain_a = Range{0, 1e6},
        .domain_b = Range{0, 8},
        .tolerance = Ulp{0},
    },
    {
        .name = "right_shift",
        .glsl = "right_shift_(a, b)",
        .result = Result::same,
        .integers_only = true,
        .ref = [](double a, double b) { return right_shift(a, b); },
        .vjp = nullptr,
        .domain_a = Range{0, 1e6},
        .domain_b = Range{0, 8},
        .tolerance = Ulp{0},
    },
};

}  // namespace

Chapter bitwise() { return {.binary = binary}; }

}  // namespace detail::entries

using detail::entries::named;

Tensor bitwise_and(const Tensor& a, const Tensor& b) {
  return detail::apply(named<"bitwise_and">(), a, b);
}
Tensor bitwise_or(const Tensor& a, const Tensor& b) {
  return detail::apply(named<"bitwise_or">(), a, b);
}
Tensor bitwise_xor(const Tensor& a, const Tensor& b) {
  return detail::apply(named<"bitwise_xor">(), a, b);
}
Tensor left_shift(const Tensor& a, const Tensor& b) {
  return detail::apply(named<"left_shift">(), a, b);
}
Tensor right_shift(const Tensor& a, const Tensor& b) {
  return detail::apply(named<"right_shift">(), a, b);
}

}  // namespace trigon
