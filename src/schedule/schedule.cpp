// SPDX-License-Identifier: MIT
#include "schedule/schedule.hpp"

#include <algorithm>
#include <set>

#include "core/hash.hpp"
#include "core/item.hpp"
#include "core/list.hpp"
#include "core/walk.hpp"
#include "schedule/state.hpp"

namespace trigon::detail::schedule {
namespace {

constexpr std::size_t max_epilogue = 32;  // ops on the result of a contraction or reduction

/// Whether an entry's fetches, or all of its work, are known only at run time.
bool gathers(const ir::Graph::Entry& entry) {
  const bool is_kernel = entry.op != nullptr && entry.op->family == Family::kernel;
  const bool of_user = is_kernel && entry.op->kernel().is_of_user();
  return info(entry.kind).gathers || of_user;
}

}  // namespace

bool keeps_index(const ir::Graph& graph, std::int32_t k) {
  const ir::Graph::Entry& entry = graph[k];
  if (info(entry.kind).keeps_index) return true;
  if (entry.kind != ir::Kind::view) return false;
  const Shape& source = graph[entry.inputs[0]].shape;
  ir::View same;
  return core::same_but_ones(source, entry.shape) && reshape_view(source, entry.shape, same) &&
         same == entry.view;
}

std::int64_t instructions_of(const ir::Graph& graph, std::int32_t k) {
  const ir::Graph::Entry& entry = graph[k];
  switch (entry.kind) {
    case ir::Kind::map:
    case ir::Kind::kernel: return ir::instructions_of(*entry.op);
    case ir::Kind::reduce: return ir::instructions_of(*entry.op) + 8;
    case ir::Kind::cast: return 1;
    case ir::Kind::pad:
    case ir::Kind::take:
    case ir::Kind::take_along: return 4;
    case ir::Kind::write: return 8;
    default: return 0;
  }
}

bool can_store_all(const ir::Graph& graph, const core::Target& target) {
  return std::all_of(graph.entries.begin(), graph.entries.end(),
                     [&](const ir::Graph::Entry& entry) {
                       const bool is_stored_itself = !is_number(entry.kind) && !is_view(entry.kind);
                       if (is_stored_itself && !core::fits(target, entry.shape)) return false;
                       return entry.body == nullptr || can_store_all(*entry.body, target);
                     });
}

Region region_of(const State& state, std::int32_t root) {
  constexpr std::size_t enough = 1025;
  Region region;
  // An entry counts once for each index at which it is read, since its values differ.
  using Visit = std::pair<std::int32_t, std::uint64_t>;
  std::set<std::int32_t> sources;
  core::Walk<Visit> walk({{root, 0}});
  for (const auto& [k, way] : walk) {
    if (walk.seen().size() > enough) break;
    if (k != root && (state.is_loaded(k) || state.is_anchor(k))) {
      ++region.loads;
      if (sources.insert(k).second) ++region.sources;
      if (state.at(k).kind == ir::Kind::reduce) core::place_in(region.reductions, k);
      continue;
    }
    if (is_number(state.at(k).kind)) continue;
    region.instructions += instructions_of(state.graph, k);
    region.ops += is_view(state.at(k).kind) ? 0 : 1;
    region.gathers = region.gathers || gathers(state.at(k));
    const std::uint64_t below =
        keeps_index(state.graph, k) ? way : core::mix(way, static_cast<std::uint64_t>(k));
    for (std::int32_t input : state.at(k).inputs) walk.add({input, below});
  }
  return region;
}

/// Finds the last of the ops that can follow an anchor in its draw: all ways from the anchor to the
/// rest of the graph lead through it.
void find_end(State& state, std::int32_t anchor) {
  const ir::Graph& graph = state.graph;
  const auto readers = [&](std::int32_t k) -> const Ids& { return item(graph.readers, k); };
  // A tuple of results goes to the target unchanged, except that its shape may change.
  const bool several =
      graph[anchor].kind == ir::Kind::reduce && graph[anchor].op->reduce().outputs > 1;
  std::int32_t end = anchor;
  Ids inside{anchor};
  std::size_t open = readers(anchor).size();
  std::set<std::int32_t> next(readers(anchor).begin(), readers(anchor).end());
  while (!state.is_stored(end) && !next.empty() && inside.size() < max_epilogue) {
    const std::int32_t k = *next.begin();
    next.erase(next.begin());
    const bool claimed = item(state.claimed, k);
    if (!keeps_index(graph, k) || claimed || (several && !is_view(graph[k].kind))) break;
    // Entries that only one side of a cond needs have separate draws.
    if (state.sides.need(k) != state.sides.need(anchor)) break;
    const auto& inputs = graph[k].inputs;
    open += readers(k).size();
    for (std::int32_t input : inputs) {
      if (core::contains(inside, input)) --open;
    }
    inside.push_back(k);
    next.insert(readers(k).begin(), readers(k).end());
    const bool all_through = open == readers(k).size();
    if (all_through) end = k;
    if (state.is_stored(k) && !all_through) break;
  }
  for (std::int32_t k : inside) {
    if (k <= end) item(state.claimed, k) = true;
  }
  state.store(end, Reason::result);
  item(state.anchor_of, end) = anchor;
}

Schedule schedule(const ir::Graph& graph, const std::vector<bool>& wanted,
                  const core::Target& target, const core::Costs& costs, Recompute recompute) {
  State state(graph, target, costs);
  for (std::int32_t k = 0; k < graph.size(); ++k) {
    if (state.is_leaf(k) || state.is_empty(k)) continue;
    const bool asked = item(wanted, k);
    if (asked) state.store(k, Reason::root);
    if (graph[k].kind == ir::Kind::loop) item(state.claimed, k) = true;
    if (!info(graph[k].kind).is_drawn) continue;
    state.store(k, is_update(graph[k].kind) ? Reason::update : Reason::drawn);
  }
  mark_sides(state);
  // Products come first, so that their epilogues are known to be stored when rows are chosen.
  for (const ir::Kind kind : {ir::Kind::contract, ir::Kind::reduce}) {
    if (kind == ir::Kind::reduce) mark_rows(state);
    for (std::int32_t k = 0; k < graph.size(); ++k) {
      if (graph[k].kind == kind && state.is_anchor(k) && !state.is_empty(k)) find_end(state, k);
    }
  }
  mark_operands(state);
  mark_captured(state);
  for (const std::int32_t k : graph.pieces) {
    if (!state.is_empty(k) && core::fits(target, graph[k].shape)) state.store(k, Reason::piece);
  }
  if (recompute == Recompute::never) mark_all_shared(state);
  if (recompute != Recompute::always) mark_shared(state);
  mark_long(state);
  return make_groups(state);
}

}  // namespace trigon::detail::schedule
