// SPDX-License-Identifier: MIT
#include "plan/plan_cache.hpp"

#include <iterator>
#include <utility>

namespace trigon::detail::plan {
namespace {

/// One multiplication per word: the key of a training step has 56,000 of them.
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
  // With the links of the list and of the hash table.
  constexpr std::size_t per_entry = sizeof(Entry) + 6 * sizeof(void*);
  const std::size_t bytes = per_entry + key.capacity() * sizeof(std::uint64_t) + plan->host_bytes();
  const std::uint64_t code = hash(key);
  std::list<Entry> made;  // added to the others last, since that cannot fail
  made.push_front({std::move(key), std::move(plan), bytes});
  by_hash_.emplace(code, made.begin());
  entries_.splice(entries_.begin(), made);
  bytes_ += bytes;
  while (bytes_ > most_bytes_ && entries_.size() > 1) drop_oldest();
}

void PlanCache::drop_oldest() {
  const auto oldest = std::prev(entries_.end());
  auto [at, end] = by_hash_.equal_range(hash(oldest->key));
  while (at->second != oldest) ++at;
  by_hash_.erase(at);
  bytes_ -= oldest->bytes;
  entries_.erase(oldest);
}

}  // namespace trigon::detail::plan
