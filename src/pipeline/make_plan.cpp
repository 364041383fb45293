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

/// By entry, whether it is a result of the graph.
std::vector<bool> wanted(const ir::Graph& graph) {
  std::vector<bool> result(graph.entries.size(), false);
  for (std::int32_t root : graph.results) item(result, root) = true;
  return result;
}

/// Lowers a scheduled graph, and binds the collected nodes to its steps.
class Lowering {
 public:
  Lowering(const graph::Collected& collected, const ir::Graph& graph, schedule::Schedule schedule,
           const core::Target& target, const core::Costs& costs, PlanRecord* record)
      : collected_(collected),
        graph_(graph),
        numbering_{target, costs, 0, static_cast<std::int32_t>(collected.scalars.size())},
        steps_(graph_, std::move(schedule), numbering_, record),
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

plan::Plan lower(const graph::Collected& collected, const ir::Graph& graph,
                 schedule::Schedule schedule, const core::Target& target, const core::Costs& costs,
                 PlanRecord* record) {
  return Lowering(collected, graph, std::move(schedule), target, costs, record).run();
}

/// The cheapest plan of those that were tried.
class Cheapest {
 public:
  Cheapest(const graph::Collected& collected, const core::Target& target, const core::Costs& costs,
           PlanRecord* record, plan::Plan first)
      : collected_(collected),
        target_(target),
        costs_(costs),
        record_(record),
        best_(std::move(first)) {}

  /// Tries other plans until one compiles quickly. `graph`: that of the first plan.
  plan::Plan run(ir::Graph graph) {
    // Other plans store values that this one only computes; these may be too large for a texture.
    if (!schedule::can_store_all(graph, target_)) return std::move(best_);
    // Other plans start from the graph in pieces if that is better.
    bool is_in_pieces = false;
    if (!is_done()) {
      std::optional<ir::Graph> pieces = pieces_of(graph, target_);
      is_in_pieces = pieces && try_with(*pieces, target_, schedule::Recompute::if_cheaper);
      if (is_in_pieces) graph = *std::move(pieces);
    }
    if (!is_done()) try_with(graph, target_, schedule::Recompute::never);
    if (!is_done()) {
      // Rolls chains of ops, or cuts them into equal pieces, sooner.
      constexpr std::int64_t short_chain = 64;
      core::Target of_short_chains = target_;
      of_short_chains.instructions = std::min(target_.instructions, short_chain);
      const ir::Graph whole = canonical_graph(collected_, of_short_chains);
      std::optional<ir::Graph> pieces;
      if (is_in_pieces) pieces = pieces_of(whole, of_short_chains);
      try_with(pieces ? *pieces : whole, of_short_chains, schedule::Recompute::if_cheaper);
    }
    return std::move(best_);
  }

 private:
  bool is_done() const {
    return lower::compile_nanoseconds_of(best_.steps, costs_) <= lower::quick_to_compile;
  }

  bool try_with(const ir::Graph& graph, const core::Target& device, schedule::Recompute recompute) {
    PlanRecord why;
    plan::Plan plan = lower(collected_, graph,
                            schedule::schedule(graph, wanted(graph), device, costs_, recompute),
                            device, costs_, record_ == nullptr ? nullptr : &why);
    if (lower::total_nanoseconds_of(plan.steps, costs_) >=
        lower::total_nanoseconds_of(best_.steps, costs_)) {
      return false;
    }
    best_ = std::move(plan);
    if (record_ != nullptr) *record_ = std::move(why);
    return true;
  }

  /// Entries that do the same are one value there, which may be too large for a texture.
  std::optional<ir::Graph> pieces_of(const ir::Graph& whole, const core::Target& device) const {
    std::optional<ir::Graph> pieces = reroll::in_pieces(whole, collected_, device);
    if (pieces && !schedule::can_store_all(*pieces, device)) pieces.reset();
    return pieces;
  }

  const graph::Collected& collected_;
  const core::Target& target_;
  const core::Costs& costs_;
  PlanRecord* record_;
  plan::Plan best_;
};

}  // namespace

plan::Plan make_plan(const graph::Collected& collected, const core::Target& target,
                     const core::Costs& costs, PlanRecord* record) {
  ir::Graph graph = rewrite::rewrite(collected, target);
  graph = reroll::rolled(std::move(graph), collected, target);
  schedule::Schedule schedule = schedule::schedule(graph, wanted(graph), target, costs);
  plan::Plan plan = lower(collected, graph, std::move(schedule), target, costs, record);
  return Cheapest(collected, target, costs, record, std::move(plan)).run(std::move(graph));
}

ir::Graph canonical_graph(const graph::Collected& collected, const core::Target& target) {
  return reroll::rolled(rewrite::rewrite(collected, target), collected, target);
}

}  // namespace trigon::detail::pipeline
