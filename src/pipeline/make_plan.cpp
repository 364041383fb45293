// SPDX-License-Identifier: MIT
#include "pipeline/make_plan.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/item.hpp"
#include "lower/domain.hpp"
#include "pipeline/steps.hpp"
#include "reroll/pieces.hpp"
#include "reroll/roll.hpp"
#include "rewrite/rewrite.hpp"

namespace trigon::detail::pipeline {
namespace {

/// Joins the stages: binds the collected nodes to the steps of their graph.
class Maker {
 public:
  Maker(const graph::Collected& collected, const ir::Graph& graph, const core::Target& target,
        const core::Costs& costs, schedule::Recompute recompute, PlanRecord* record)
      : collected_(collected),
        graph_(graph),
        numbering_{target, costs, 0, static_cast<std::int32_t>(collected.scalars.size())},
        steps_(graph_, wanted(), numbering_, recompute, record),
        record_(record) {}

  plan::Plan run() {
    place_leaves();
    mark_kept();
    plan_.steps = steps_.run();
    plan_.slots = numbering_.slots;
    plan_.scalars = numbering_.scalars;
    plan_.notes = std::move(numbering_.notes);
    name_nodes();
    bind_results();
    fill_last_use(plan_);
    if (record_ != nullptr) record_->graph = graph_;
    return std::move(plan_);
  }

 private:
  std::int32_t became(std::size_t k) const { return graph_.became[k]; }

  std::vector<bool> wanted() const {
    std::vector<bool> result(graph_.entries.size(), false);
    for (std::int32_t root : graph_.results) item(result, root) = true;
    return result;
  }

  void place_leaves() {
    std::unordered_map<std::int32_t, std::int32_t> slots;
    for (std::int32_t k = 0; k < graph_.size(); ++k) {
      const std::int32_t leaf = graph_[k].leaf;
      if (graph_[k].kind != ir::Kind::leaf || !collected_[leaf].stored) continue;
      const auto [slot, fresh] = slots.try_emplace(collected_[leaf].alias, numbering_.slots);
      const core::Layout& layout = collected_.layout(leaf);
      steps_.place(k, {slot->second, layout});
      if (!fresh) continue;
      ++numbering_.slots;
      plan_.leaves.push_back({leaf, slot->second, layout});
    }
  }

  /// Marks entries that are needed after this evaluation: those referred to from outside, and
  /// inputs of needed nodes that stay lazy.
  void mark_kept() {
    std::vector<bool> live(collected_.entries.size(), false);
    for (std::size_t k = collected_.entries.size(); k-- > 0;) {
      const graph::Collected::Entry& entry = collected_.entries[k];
      live[k] = live[k] || entry.outside;
      const std::int32_t e = became(k);
      if (live[k] && e >= 0) steps_.keep(e);
      if (entry.stored && !entry.owned && e >= 0) steps_.share(e);
      if (!live[k] || (e >= 0 && steps_.stores(e) && !steps_.may_skip(e))) continue;
      for (std::int32_t input : collected_.inputs(static_cast<std::int32_t>(k))) {
        item(live, input) = true;
      }
    }
    live_ = std::move(live);
  }

  /// Makes steps refer to collected entries.
  void name_nodes() {
    std::vector<std::int32_t> nodes(graph_.entries.size(), -1);
    for (std::size_t k = graph_.became.size(); k-- > 0;) {
      if (became(k) >= 0) item(nodes, became(k)) = static_cast<std::int32_t>(k);
    }
    for (plan::Step& step : plan_.steps) {
      if (step.node >= 0) step.node = item(nodes, step.node);
    }
  }

  void bind_results() {
    for (std::size_t k = 0; k < collected_.entries.size(); ++k) {
      const graph::Collected::Entry& entry = collected_.entries[k];
      const std::int32_t e = became(k);
      if (entry.stored || !live_[k] || e < 0) continue;
      const lower::Place& place = steps_.place_of(e);
      if (place.slot < 0 || steps_.may_skip(e)) continue;
      plan_.stored.push_back({static_cast<std::int32_t>(k), place.slot, place.layout});
    }
  }

  const graph::Collected& collected_;
  const ir::Graph& graph_;
  Numbering numbering_;
  StepMaker steps_;
  std::vector<bool> live_;  ///< of the collected entries
  PlanRecord* record_;
  plan::Plan plan_;
};

}  // namespace

ir::Graph canonical_graph(const graph::Collected& collected, const core::Target& target) {
  return reroll::rolled(rewrite::rewrite(collected, target), collected, target);
}

plan::Plan make_plan(const graph::Collected& collected, const core::Target& target,
                     const core::Costs& costs, PlanRecord* record) {
  const auto plan_with = [&](const ir::Graph& graph, const core::Target& device,
                             schedule::Recompute recompute, PlanRecord& why) {
    return Maker(collected, graph, device, costs, recompute, record == nullptr ? nullptr : &why)
        .run();
  };
  PlanRecord why;
  ir::Graph graph = canonical_graph(collected, target);
  plan::Plan best = plan_with(graph, target, schedule::Recompute::if_cheaper, why);
  // Other plans store values that this one only computes; these may be too large for a texture.
  const bool has_others = schedule::can_store_all(graph, target);
  const auto is_done = [&] {
    return !has_others ||
           lower::compile_nanoseconds_of(best.steps, costs) <= lower::quick_to_compile;
  };
  const auto try_with = [&](const ir::Graph& other_graph, const core::Target& device,
                            schedule::Recompute recompute) {
    PlanRecord why_other;
    plan::Plan other = plan_with(other_graph, device, recompute, why_other);
    if (lower::total_nanoseconds_of(other.steps, costs) >=
        lower::total_nanoseconds_of(best.steps, costs)) {
      return false;
    }
    best = std::move(other);
    why = std::move(why_other);
    return true;
  };
  // Entries that do the same are one value there, which may be too large for a texture.
  const auto pieces_of = [&](const ir::Graph& whole, const core::Target& device) {
    std::optional<ir::Graph> pieces = reroll::in_pieces(whole, collected, device);
    if (pieces && !schedule::can_store_all(*pieces, device)) pieces.reset();
    return pieces;
  };
  // Other plans start from the graph in pieces if that is better.
  bool is_in_pieces = false;
  if (!is_done()) {
    std::optional<ir::Graph> pieces = pieces_of(graph, target);
    is_in_pieces = pieces && try_with(*pieces, target, schedule::Recompute::if_cheaper);
    if (is_in_pieces) graph = *std::move(pieces);
  }
  if (!is_done()) try_with(graph, target, schedule::Recompute::never);
  if (!is_done()) {
    // Rolls chains of ops, or cuts them into equal pieces, sooner.
    constexpr std::int64_t short_chain = 64;
    core::Target of_short_chains = target;
    of_short_chains.instructions = std::min(target.instructions, short_chain);
    const ir::Graph whole = canonical_graph(collected, of_short_chains);
    std::optional<ir::Graph> pieces;
    if (is_in_pieces) pieces = pieces_of(whole, of_short_chains);
    try_with(pieces ? *pieces : whole, of_short_chains, schedule::Recompute::if_cheaper);
  }
  if (record != nullptr) *record = std::move(why);
  return best;
}

}  // namespace trigon::detail::pipeline
