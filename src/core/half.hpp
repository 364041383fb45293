// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace trigon {

/// IEEE 754 binary16 and back; to half rounds to nearest, ties to even.
inline float half_to_float(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  float value = 0;
  if (exponent == 31) {
    value = fraction == 0 ? INFINITY : NAN;
  } else if (exponent == 0) {
    value = std::ldexp(static_cast<float>(fraction), -24);
  } else {
    value = std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

inline std::uint16_t float_to_half(float value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7e00);
  const float size = std::fabs(value);
  if (size >= 65520.0F) return static_cast<std::uint16_t>(sign | 0x7c00);
  if (size < 6.103515625e-5F) {
    return static_cast<std::uint16_t>(sign |
                                      static_cast<int>(std::nearbyint(std::ldexp(size, 24))));
  }
  int exponent = 0;
  const float fraction = std::frexp(size, &exponent);  // [0.5, 1)
  const int rounded = static_cast<int>(std::nearbyint(std::ldexp(fraction, 11)));
  return static_cast<std::uint16_t>(sign | (((exponent + 14) << 10) + rounded - 1024));
}

}  // namespace trigon
