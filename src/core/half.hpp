// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

#include "core/rooms.hpp"

namespace trigon::detail::core {

/// Converts the bits of an IEEE 754 binary16, exactly; NaN keeps its bits.
inline float half_to_float(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16U;
  const std::uint32_t exponent = bits >> 10U & 0x1fU;
  const std::uint32_t fraction = bits & 0x3ffU;
  if (exponent == 0) {
    const float size = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -size : size;
  }
  const std::uint32_t wider = exponent == 0x1f ? 0xffU : exponent + 127 - 15;
  return std::bit_cast<float>(sign | wider << 23U | fraction << 13U);
}

/// The bits of the nearest binary16, ties to even, whatever the host's rounding mode.
inline std::uint16_t float_to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16U & 0x8000U;
  const std::uint32_t size = bits & 0x7fffffffU;
  if (size > 0x7f800000U) return static_cast<std::uint16_t>(sign | 0x7e00U);
  if (size >= 0x477ff000U) return static_cast<std::uint16_t>(sign | 0x7c00U);  // from 65520 on
  const std::uint32_t exponent = size >> 23U;
  // Below 2^-14, steps are 2^-24 wide: more bits are lost. Below 2^-25 the result is 0.
  if (exponent < 102) return static_cast<std::uint16_t>(sign);
  const bool subnormal = exponent < 113;
  const std::uint32_t significand = (size & 0x7fffffU) | 0x800000U;
  const std::uint32_t lost = subnormal ? 126 - exponent : 13;
  const std::uint32_t tie = (1U << (lost - 1)) - 1 + (significand >> lost & 1U);
  const std::uint32_t rounded = (significand + tie) >> lost;
  const std::uint32_t base = subnormal ? 0 : (exponent - 113) << 10U;
  return static_cast<std::uint16_t>(sign | (base + rounded));
}

}  // namespace trigon::detail::core
