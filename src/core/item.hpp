// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace trigon {

/// The k-th item of a container. Containers count with std::size_t; entries, instructions and slots
/// are numbered with std::int32_t, axes with int, and tables by an enumeration.
template <class Items, class Number>
  requires std::integral<Number> || std::is_enum_v<Number>
constexpr decltype(auto) item(Items&& items, Number k) {
  return std::forward<Items>(items)[static_cast<std::size_t>(k)];
}

}  // namespace trigon
