// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "core/item.hpp"
#include "rewrite/batch.hpp"
#include "schedule/schedule.hpp"
#include "schedule/state.hpp"

// Stores values to keep programs short, since compile time is a cost, too.

namespace trigon::detail::schedule {
namespace {

// Up to this many operations are computed wherever their result is read.
constexpr std::int64_t few = 8;
// As many operations as compiling a fetch costs.
constexpr std::int64_t of_a_load = 3;

/// The same for values made only of numbers. They need no fetch, but storing them needs a further
/// program, since nothing else shares their draw.
double few_of_numbers(const core::Costs& costs) {
  return costs.compile_program / costs.compile_operation;
}

bool can_store(const State& state, std::int32_t k) {
  const ir::Graph::Entry& entry = state.at(k);
  return !state.is_loaded(k) && !state.is_empty(k) && !state.is_anchor(k) &&
         !item(state.claimed, k) && !item(state.inlined, k) && !is_number(entry.kind) &&
         !info(entry.kind).only_moves && entry.kind != ir::Kind::parameter &&
         core::fits(state.target, entry.shape);
}

/// The number of indices at which readers use each entry: one for all that read it at their own
/// index, one for each other reader. A view or a loop counts as often as it is itself used.
std::vector<std::int64_t> ways_in(const State& state) {
  std::vector<std::int64_t> ways(state.graph.entries.size(), 0);
  for (std::int32_t k = state.graph.size(); k-- > 0;) {
    bool aligned = false;
    std::int64_t moved = 0;
    for (const std::int32_t reader : item(state.graph.readers, k)) {
      const bool keeps = keeps_index(state.graph, reader);
      const ir::Kind kind = state.at(reader).kind;
      const bool is_seen_through =
          (is_view(kind) || kind == ir::Kind::loop) && !state.is_stored(reader);
      aligned = aligned || (keeps && !is_seen_through);
      if (is_seen_through) {
        moved += item(ways, reader);
      } else if (!keeps) {
        ++moved;
      }
    }
    item(ways, k) = std::min<std::int64_t>(moved + (aligned ? 1 : 0), 1 << 20);
  }
  return ways;
}

/// Whether each fragment reads captured values at one index only, so that computing them there
/// makes no kernel longer.
bool reads_captured_once(const ir::Graph::Entry& loop, const ir::LoopAttrs& numbers) {
  if (numbers.is_rolled) return true;
  const rewrite::LoopBatch batch = rewrite::loop_batch(loop);
  if (batch.axes < 0) return false;
  for (std::int64_t j = 0; j < numbers.carries; ++j) {
    const std::int32_t result = item(loop.body->results, j);
    if (values_per_element(batch, (*loop.body)[result].shape).numel() > 1) return false;
  }
  return true;
}

}  // namespace

void mark_captured(State& state) {
  for (std::int32_t k = 0; k < state.graph.size(); ++k) {
    if (state.at(k).kind != ir::Kind::loop) continue;
    const ir::LoopAttrs numbers = loop_attrs(state.at(k));
    if (reads_captured_once(state.at(k), numbers)) continue;
    const auto& inputs = state.at(k).inputs;
    for (std::size_t i = static_cast<std::size_t>(numbers.carries); i < inputs.size(); ++i) {
      std::int32_t base = inputs[i];
      while (is_view(state.at(base).kind) && !state.is_loaded(base))
        base = state.at(base).inputs[0];
      if (can_store(state, base) && region_of(state, base).instructions > few) {
        state.store(base, Reason::captured);
      }
    }
  }
}

namespace {

/// Stores entries that take more than a few operations and are `wanted`. Goes from the inputs up,
/// so that the cost of an entry at one of its places is known by then.
template <class Wanted>
void store_where(State& state, const Wanted& wanted) {
  constexpr std::int64_t most = 1 << 20;
  std::vector<std::int64_t> operations(state.graph.entries.size(), 0);  // of one use
  std::vector<bool> loads(state.graph.entries.size(), false);
  for (std::int32_t k = 0; k < state.graph.size(); ++k) {
    std::int64_t sum = 0;
    bool any = false;
    if (!state.is_leaf(k) && !is_number(state.at(k).kind)) {
      sum = instructions_of(state.graph, k);
      for (const std::int32_t input : state.at(k).inputs) {
        sum = std::min(most, sum + item(operations, input));
        any = any || item(loads, input);
      }
      const double least = any ? few : few_of_numbers(state.costs);
      if (static_cast<double>(sum) > least && can_store(state, k) && wanted(k)) {
        state.store(k, Reason::compile);
      }
    }
    const bool loaded = state.is_loaded(k);
    item(operations, k) = loaded ? of_a_load : sum;
    item(loads, k) = loaded || any;
  }
}

/// By entry, whether draws at different depths compute it. Then the stored entries to which it
/// leads have different numbers of draws below them, and no such reader could be stored in its
/// place.
std::vector<bool> spread_over_draws(const State& state) {
  const std::size_t count = state.graph.entries.size();
  std::vector<std::int32_t> level(count, 0);
  for (std::int32_t k = 0; k < state.graph.size(); ++k) {
    for (const std::int32_t input : state.at(k).inputs) {
      const bool drawn = state.is_stored(input) && !state.is_leaf(input);
      item(level, k) = std::max(item(level, k), item(level, input) + (drawn ? 1 : 0));
    }
  }
  constexpr std::int32_t none = -1;
  std::vector<std::int32_t> low(count, none), high(count, none);
  // Whether all uses of an entry go through values that are spread equally widely.
  std::vector<bool> passed_on(count, false);
  std::vector<bool> spread(count, false);
  for (std::int32_t k = state.graph.size(); k-- > 0;) {
    for (const std::int32_t reader : item(state.graph.readers, k)) {
      const bool drawn = state.is_stored(reader);
      const std::int32_t first = drawn ? item(level, reader) : item(low, reader);
      const std::int32_t last = drawn ? item(level, reader) : item(high, reader);
      if (first == none) continue;
      item(low, k) = item(low, k) == none ? first : std::min(item(low, k), first);
      item(high, k) = std::max(item(high, k), last);
    }
    const Ids& readers = item(state.graph.readers, k);
    passed_on[static_cast<std::size_t>(k)] =
        std::all_of(readers.begin(), readers.end(), [&](std::int32_t reader) {
          return !state.is_stored(reader) && item(low, reader) == item(low, k) &&
                 item(high, reader) == item(high, k) &&
                 (can_store(state, reader) || item(passed_on, reader));
        });
    spread[static_cast<std::size_t>(k)] = item(low, k) != item(high, k) && !item(passed_on, k);
  }
  return spread;
}

}  // namespace

void mark_all_shared(State& state) {
  const std::vector<std::int64_t> ways = ways_in(state);
  store_where(state, [&](std::int32_t k) { return item(ways, k) > 1; });
  const std::vector<bool> spread = spread_over_draws(state);
  store_where(state, [&](std::int32_t k) { return item(spread, k); });
}

}  // namespace trigon::detail::schedule
