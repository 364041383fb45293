// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/rooms.hpp"

namespace trigon::detail::core {

/// a / b, rounded up, for a >= 0 and b > 0. a + b may be too large for the type.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}
template <std::unsigned_integral T>
constexpr T ceil_div(T a, std::type_identity_t<T> b) {
  return static_cast<T>(a / b + (a % b != 0 ? 1 : 0));
}

/// a / b, rounded down, for b > 0.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

/// a - floor_div(a, b) * b, which is at least 0, for b > 0.
constexpr std::int64_t floor_mod(std::int64_t a, std::int64_t b) { return a - floor_div(a, b) * b; }

/// a + b, for a and b of at least 0; -1 if the sum reaches 2^63.
constexpr std::int64_t sum_or_none(std::int64_t a, std::int64_t b) {
  return b > std::numeric_limits<std::int64_t>::max() - a ? -1 : a + b;
}

/// The smallest multiple of `unit` that is at least a, for a >= 0 and unit > 0.
constexpr std::int64_t round_up(std::int64_t a, std::int64_t unit) {
  return ceil_div(a, unit) * unit;
}
template <std::unsigned_integral T>
constexpr T round_up(T a, std::type_identity_t<T> unit) {
  return static_cast<T>(ceil_div(a, unit) * unit);
}

}  // namespace trigon::detail::core
