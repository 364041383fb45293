// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/number_table.hpp"
#include "core/rooms.hpp"

namespace trigon::detail::core {

/// A hash table from addresses to numbers, for the nodes of a graph. Entries are never removed.
class PointerMap {
 public:
  /// The number of `key`, or -1.
  std::int32_t find(const void* key) const {
    return numbers_.find(bits(key), [](std::int32_t) { return true; });
  }
  bool contains(const void* key) const { return find(key) >= 0; }

  /// Gives `key` a number of 0 or more; returns false if it has one already.
  bool insert(const void* key, std::int32_t number) {
    if (contains(key)) return false;
    numbers_.insert(bits(key), number);
    return true;
  }

  std::size_t size() const { return numbers_.size(); }

 private:
  // Differs for different keys.
  static std::uint64_t bits(const void* key) { return reinterpret_cast<std::uintptr_t>(key); }

  NumberTable numbers_;
};

}  // namespace trigon::detail::core
