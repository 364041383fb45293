// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include <trigon/detail/called.hpp>

// For the library's own use: the user's integers, of any type.

namespace trigon::detail {

[[noreturn]] void refuse_integer(const std::string& value, const char* type, std::int64_t low,
                                 std::int64_t high);

/// `value` as a T. Raises Error, naming what is called, for an integer that T cannot hold. A cast
/// would change it: `n - 1` of an unsigned n = 0 would be -1.
template <std::signed_integral T, class Value>
constexpr T checked(const Value& value) {
  if constexpr (std::is_integral_v<Value>) {
    if (!std::in_range<T>(+value)) {
      refuse_integer(std::to_string(+value), sizeof(T) == 8 ? "int64" : "int32",
                     std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    }
  }
  return static_cast<T>(value);
}
/// The same, in the name of that function: `checked<int>(core::Called("Axes"), axis)`.
template <std::signed_integral T, class Value>
constexpr T checked(const core::Called&, const Value& value) {
  return checked<T>(value);
}

}  // namespace trigon::detail
