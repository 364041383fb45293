// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace gpt2 {

/// Finds numbers, such as ids and ranks, by keys that are stored elsewhere. It takes five bytes per
/// number; a map of texts takes a hundred.
class IndexTable {
 public:
  IndexTable() = default;
  /// For up to `count` numbers.
  explicit IndexTable(std::size_t count) : cells_(count + count / 3 + 1, none) {}

  /// The number with this hash that `is_it` accepts.
  template <class Is>
  std::optional<std::uint32_t> find(std::uint64_t hash, const Is& is_it) const {
    if (cells_.empty()) return std::nullopt;
    const std::uint32_t found = cells_[place(hash, is_it)];
    return found == none ? std::nullopt : std::optional(found);
  }
  /// Adds a number with this hash. If one that `is_it` accepts is there already, returns that
  /// instead.
  template <class Is>
  std::optional<std::uint32_t> put(std::uint64_t hash, std::uint32_t number, const Is& is_it) {
    std::uint32_t& cell = cells_[place(hash, is_it)];
    if (cell != none) return cell;
    cell = number;
    return std::nullopt;
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// The cell that holds it, or where it belongs.
  template <class Is>
  std::size_t place(std::uint64_t hash, const Is& is_it) const {
    hash ^= hash >> 33;  // the finalizer of MurmurHash3
    hash *= 0xff51afd7ed558ccdU;
    hash ^= hash >> 33;
    std::size_t at = (hash >> 32) * cells_.size() >> 32;
    while (cells_[at] != none && !is_it(cells_[at])) at = at + 1 == cells_.size() ? 0 : at + 1;
    return at;
  }

  std::vector<std::uint32_t> cells_{};
};

}  // namespace gpt2
