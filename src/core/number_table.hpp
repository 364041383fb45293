// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/rooms.hpp"

namespace trigon::detail::core {

/// A hash table in one piece of memory, which holds the hashes and numbers of things, not the
/// things. Numbers are never removed.
class NumberTable {
 public:
  /// The number with this hash for which same(number) holds, which is at most one, or -1.
  template <class Same>
  std::int32_t find(std::uint64_t hash, const Same& same) const {
    for (std::size_t at = first(hash);; at = (at + 1) & (places_.size() - 1)) {
      const Place& place = places_[at];
      if (place.number < 0 || (place.hash == hash && same(place.number))) return place.number;
    }
  }

  /// Adds a number of 0 or more.
  void insert(std::uint64_t hash, std::int32_t number) {
    if (2 * (size_ + 1) > places_.size()) grow();
    put({hash, number});
    ++size_;
  }

  std::size_t size() const { return size_; }

 private:
  struct Place {
    std::uint64_t hash = 0;
    std::int32_t number = -1;  ///< of a free place
  };

  // Fibonacci hashing, since an address may be the hash: these differ in their middle bits.
  std::size_t first(std::uint64_t hash) const {
    return (hash * 0x9e3779b97f4a7c15ULL >> 32) & (places_.size() - 1);
  }

  // At most half of the places are taken.
  void put(const Place& one) {
    std::size_t at = first(one.hash);
    while (places_[at].number >= 0) at = (at + 1) & (places_.size() - 1);
    places_[at] = one;
  }

  void grow() {
    std::vector<Place> old(places_.size() * 4);
    old.swap(places_);
    for (const Place& place : old) {
      if (place.number >= 0) put(place);
    }
  }

  std::vector<Place> places_ = std::vector<Place>(64);  ///< a power of two
  std::size_t size_ = 0;
};

}  // namespace trigon::detail::core
