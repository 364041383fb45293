// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "plan/plan.hpp"

namespace trigon::plan {

/// Plans by the words of their graph: found by hash, confirmed by equality. Bounded; the plan that
/// was not used for the longest time leaves first. Holds no tensor.
class PlanCache {
 public:
  std::shared_ptr<const Plan> find(const std::vector<std::uint64_t>& key);
  void add(std::vector<std::uint64_t> key, std::shared_ptr<const Plan> plan);

 private:
  struct Entry {
    std::vector<std::uint64_t> key;
    std::shared_ptr<const Plan> plan;
  };
  using Entries = std::list<Entry>;

  Entries entries_;  ///< the last used first
  std::unordered_multimap<std::uint64_t, Entries::iterator> by_hash_;
};

}  // namespace trigon::plan
