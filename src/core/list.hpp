// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/rooms.hpp"

// Short lists, which are searched item by item.

namespace trigon::detail::core {

/// The place of an item, which is the list's size if the list has no such item.
template <class Items, class T>
std::size_t place_of(const Items& items, const T& one) {
  const auto first = std::begin(items);
  return static_cast<std::size_t>(std::find(first, std::end(items), one) - first);
}

template <class Items, class T>
bool contains(const Items& items, const T& one) {
  return std::find(std::begin(items), std::end(items), one) != std::end(items);
}

/// The place of an item, which is added at the end if the list has none.
template <class T>
std::size_t place_in(std::vector<T>& items, T one) {
  const std::size_t place = place_of(items, one);
  if (place == items.size()) items.push_back(std::move(one));
  return place;
}

template <class T, class Items>
void append(std::vector<T>& items, const Items& more) {
  items.insert(items.end(), std::begin(more), std::end(more));
}

/// Adds a text to a list of texts with commas between them.
inline void append_text(std::string& list, std::string_view one) {
  if (!list.empty()) list += ", ";
  list += one;
}

/// The product of the sizes of the axes from `first` to before `last`.
template <class Sizes>
std::int64_t product(const Sizes& sizes, int first, int last) {
  std::int64_t product = 1;
  for (int axis = first; axis < last; ++axis) product *= sizes[axis];
  return product;
}

}  // namespace trigon::detail::core
