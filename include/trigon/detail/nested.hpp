// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include <trigon/config.hpp>

namespace trigon {

/// A host number: bool, an integer or a floating-point type.
template <class T>
concept HostScalar = std::is_arithmetic_v<T>;

namespace detail {

/// False, but only once a template is instantiated: the condition of a static_assert that explains
/// why a call does not compile.
template <class...>
inline constexpr bool never = false;

/// A number or a braced list of them, as in `Tensor m = {{1, 2}, {3, 4}}`. It converts only from
/// numbers, so that braced lists of tensors stay lists of tensors. A list lives as long as the
/// expression that contains it.
class Nested {
 public:
  enum class Kind : std::uint8_t { list, truth, integer, floating };

  template <HostScalar T>
  Nested(T number)
      : kind(std::is_same_v<T, bool> ? Kind::truth
             : std::is_integral_v<T> ? Kind::integer
                                     : Kind::floating),
        value(static_cast<double>(number)) {}
  Nested(std::initializer_list<Nested> items) : kind(Kind::list), list(items) {}

  Kind kind;
  double value = 0;
  std::initializer_list<Nested> list{};
};

}  // namespace detail
}  // namespace trigon
