// SPDX-License-Identifier: MIT
#pragma once

#include <cassert>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

// Containers count with std::size_t; entries, instructions and slots are std::int32_t, axes int,
// numbers of elements are std::int64_t, and rows of tables have an enumeration. These functions
// convert between them; debug builds assert that a number is in range.

#include "core/rooms.hpp"

namespace trigon::detail::core {

/// The k-th item of a container.
template <class Items, class Number>
  requires std::integral<Number> || std::is_enum_v<Number>
constexpr decltype(auto) item(Items&& items, Number k) {
  const auto place = static_cast<std::size_t>(k);
  if constexpr (requires { std::size(items); }) assert(place < std::size(items));
  return std::forward<Items>(items)[place];
}

/// `count` items, each T{} or copies of a value.
template <class T>
std::vector<T> vector_of(std::integral auto count) {
  assert(std::in_range<std::size_t>(count));
  return std::vector<T>(static_cast<std::size_t>(count));
}
template <class T>
std::vector<T> vector_of(std::integral auto count, const T& value) {
  assert(std::in_range<std::size_t>(count));
  return std::vector<T>(static_cast<std::size_t>(count), value);
}

/// Rows of a table with one row for each value of an enumeration.
template <class Enumeration>
  requires std::is_enum_v<Enumeration>
constexpr std::size_t rows_through(Enumeration last) { return static_cast<std::size_t>(last) + 1; }

/// Whether each row k of a table has the enumeration's value k at the member `key`.
template <class Table, class Row, class Enumeration>
constexpr bool in_order(const Table& table, Enumeration Row::*key) {
  std::size_t k = 0;
  for (const Row& row : table) {
    if (static_cast<std::size_t>(row.*key) != k++) return false;
  }
  return true;
}

}  // namespace trigon::detail::core

namespace trigon {

// Short names, since they replace plain indexing everywhere in the library.
using detail::core::item;
using detail::core::vector_of;

}  // namespace trigon
