// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/rooms.hpp"

namespace trigon::detail::core {

/// A hash table from addresses to numbers, in one piece of memory, for the nodes of a graph.
/// Entries are never removed.
class PointerMap {
 public:
  /// The number of `key`, or -1.
  std::int32_t find(const void* key) const {
    const Place& place = places_[place_of(key)];
    return place.key == key ? place.number : -1;
  }
  bool contains(const void* key) const { return places_[place_of(key)].key == key; }

  /// Gives `key`, which is not null, a number of 0 or more; returns false if it has one already.
  bool insert(const void* key, std::int32_t number) {
    if (2 * (size_ + 1) > places_.size()) grow();
    Place& place = places_[place_of(key)];
    if (place.key == key) return false;
    place = {key, number};
    ++size_;
    return true;
  }

  std::size_t size() const { return size_; }

 private:
  struct Place {
    const void* key = nullptr;
    std::int32_t number = -1;
  };

  // The place of `key`, or the free place where it belongs. At most half of the places are taken.
  std::size_t place_of(const void* key) const {
    // Fibonacci hashing: addresses differ in their middle bits.
    const auto bits = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(key));
    const std::size_t mask = places_.size() - 1;
    std::size_t at = (bits * 0x9e3779b97f4a7c15ULL >> 32) & mask;
    while (places_[at].key != nullptr && places_[at].key != key) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    std::vector<Place> old(places_.size() * 4);
    old.swap(places_);
    for (const Place& place : old) {
      if (place.key != nullptr) places_[place_of(place.key)] = place;
    }
  }

  std::vector<Place> places_ = std::vector<Place>(64);  ///< a power of two
  std::size_t size_ = 0;
};

}  // namespace trigon::detail::core
