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

/// Plans by the words of their graph: found by hash, confirmed by equality. Bounded by the bytes of
/// plans and keys; the plan that was not used for the longest time leaves first. The one added last
/// stays, however large it is. Holds no tensor.
class PlanCache {
 public:
  static constexpr std::size_t default_bytes = std::size_t{64} << 20;

  explicit PlanCache(std::size_t most_bytes = default_bytes) : most_bytes_(most_bytes) {}

  std::shared_ptr<const Plan> find(const std::vector<std::uint64_t>& key);
  void add(std::vector<std::uint64_t> key, std::shared_ptr<const Plan> plan);

  /// An estimate of the host memory that it holds.
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

  Entries entries_;  ///< the last used first
  std::unordered_multimap<std::uint64_t, Entries::iterator> by_hash_;
  std::size_t bytes_ = 0;
  std::size_t most_bytes_;
};

}  // namespace trigon::detail::plan
