// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "plan/plan.hpp"

namespace trigon::detail::plan {

/// Plans by the words of their graph: found by hash, confirmed by equality. Limited by the bytes of
/// plans and keys; the least recently used plan is dropped first. The last one added stays, however
/// large it is. Holds no tensor.
class PlanCache {
 public:
  static constexpr std::size_t default_bytes = std::size_t{64} << 20;

  explicit PlanCache(std::size_t most_bytes = default_bytes) : most_bytes_(most_bytes) {}

  std::shared_ptr<const Plan> find(const std::vector<std::uint64_t>& key);
  void add(std::vector<std::uint64_t> key, std::shared_ptr<const Plan> plan);

  /// An estimate of the host memory in use.
  std::size_t bytes() const { return bytes_; }
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::vector<std::uint64_t> key;
    std::shared_ptr<const Plan> plan;
    std::size_t bytes;
  };
  using Entries = std::list<Entry>;

  void drop_oldest();

  Entries entries_;  ///< the most recently used first
  std::unordered_multimap<std::uint64_t, Entries::iterator> by_hash_;
  std::size_t bytes_ = 0;
  std::size_t most_bytes_;
};

}  // namespace trigon::detail::plan
