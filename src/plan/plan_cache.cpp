// SPDX-License-Identifier: MIT
#include "plan/plan_cache.hpp"

#include <algorithm>

namespace trigon::plan {
namespace {

constexpr std::size_t capacity = 512;

std::uint64_t hash(const std::vector<std::uint64_t>& key) {
  std::uint64_t seed = 0xcbf29ce484222325ULL;
  for (std::uint64_t word : key) seed = (seed ^ word) * 0x100000001b3ULL + (seed >> 29);
  return seed;
}

}  // namespace

std::shared_ptr<const Plan> PlanCache::find(const std::vector<std::uint64_t>& key) {
  const auto [first, last] = by_hash_.equal_range(hash(key));
  for (auto at = first; at != last; ++at) {
    if (at->second->key != key) continue;
    entries_.splice(entries_.begin(), entries_, at->second);
    return at->second->plan;
  }
  return nullptr;
}

void PlanCache::add(std::vector<std::uint64_t> key, std::shared_ptr<const Plan> plan) {
  const std::uint64_t code = hash(key);
  entries_.push_front({std::move(key), std::move(plan)});
  by_hash_.emplace(code, entries_.begin());
  if (entries_.size() <= capacity) return;
  const auto oldest = std::prev(entries_.end());
  const auto [first, last] = by_hash_.equal_range(hash(oldest->key));
  for (auto at = first; at != last; ++at) {
    if (at->second == oldest) {
      by_hash_.erase(at);
      break;
    }
  }
  entries_.erase(oldest);
}

}  // namespace trigon::plan
