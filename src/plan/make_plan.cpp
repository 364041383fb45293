// SPDX-License-Identifier: MIT
#include "plan/make_plan.hpp"

#include <algorithm>
#include <concepts>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>
#include <trigon/error.hpp>

#include "core/item.hpp"
#include "lower/lower.hpp"

namespace trigon::plan {
namespace {

/// Joins the stages. Groups are lowered in the order of the schedule; one whose kernel is too large
/// for the device is cut and its parts are lowered.
class Maker {
 public:
  Maker(const Collected& collected, const Target& target, const Costs& costs, PlanRecord* record)
      : collected_(collected),
        target_(target),
        costs_(costs),
        graph_(rewrite(collected, target)),
        schedule_(schedule(graph_, wanted(), target, costs)),
        places_(graph_.entries.size()),
        readers_(graph_.entries.size(), 0),
        record_(record) {}

  Plan run() {
    place_leaves();
    mark_kept();
    for (Group& group : schedule_.groups) count_reads(group, 1);
    for (std::size_t k = 0; k < schedule_.groups.size(); ++k) {
      constexpr std::size_t first_limit = 32;
      add(schedule_.groups[k], first_limit, schedule_.apart[k]);
    }
    bind_results();
    fill_last_use(plan_);
    if (record_ != nullptr) record_->graph = graph_;
    return std::move(plan_);
  }

 private:
  std::int32_t became(std::integral auto k) const { return item(graph_.became, k); }

  std::vector<bool> wanted() const {
    std::vector<bool> result(graph_.entries.size(), false);
    for (std::int32_t root : collected_.roots) item(result, became(root)) = true;
    return result;
  }

  void place_leaves() {
    std::unordered_map<std::int32_t, std::int32_t> slots;
    for (std::int32_t k = 0; k < graph_.size(); ++k) {
      if (graph_[k].kind != Kind::leaf || !collected_[graph_[k].leaf].stored) continue;
      const std::int32_t texture = collected_[graph_[k].leaf].alias;
      const auto [slot, fresh] = slots.try_emplace(texture, plan_.slots);
      const Layout& layout = collected_.layout(graph_[k].leaf);
      item(places_, k) = {slot->second, layout};
      holders_[slot->second].push_back(k);
      if (!fresh) continue;
      ++plan_.slots;
      plan_.leaves.push_back({graph_[k].leaf, slot->second, layout});
    }
  }

  /// Which entries are needed after this evaluation: those referred to from outside, or read by a
  /// node that stays lazy and is.
  void mark_kept() {
    std::vector<bool> live(collected_.entries.size(), false);
    kept_.assign(graph_.entries.size(), false);
    owned_.assign(graph_.entries.size(), true);
    for (std::size_t k = collected_.entries.size(); k-- > 0;) {
      const Collected::Entry& entry = collected_.entries[k];
      live[k] = live[k] || entry.outside;
      const std::int32_t e = became(k);
      if (live[k] && e >= 0) item(kept_, e) = true;
      if (entry.stored && !entry.owned && e >= 0) item(owned_, e) = false;
      if (!live[k] || (e >= 0 && schedule_.stores(e))) continue;
      for (std::int32_t input : collected_.inputs(static_cast<std::int32_t>(k))) {
        item(live, input) = true;
      }
    }
    live_ = std::move(live);
  }

  void count_reads(Group& group, std::int32_t change) {
    group.reads = reads_of(graph_, schedule_, group);
    for (std::int32_t k : group.reads) item(readers_, k) += change;
  }

  /// Whether nothing will read the tensor that a write or scatter is applied to, but that itself.
  bool may_overwrite(const Group& write) const {
    const std::int32_t source = graph_[write.outputs[0]].inputs[0];
    const Place& place = item(places_, source);
    if (place.slot < 0) return false;
    const auto holders = holders_.find(place.slot);
    for (std::int32_t k : holders->second) {
      const bool own = std::find(write.reads.begin(), write.reads.end(), k) != write.reads.end();
      if (item(kept_, k) || item(readers_, k) > (own ? 1 : 0)) return false;
      if (graph_[k].kind == Kind::leaf && !item(owned_, k)) return false;
    }
    return true;
  }

  bool lower(const Group& group, Draft& draft) const {
    const Scene scene{graph_, target_, costs_, places_};
    switch (group.form) {
      case Form::map: return lower_map(scene, group, draft);
      case Form::reduce: return lower_reduce(scene, group, draft);
      case Form::contract: return lower_contract(scene, group, draft);
      case Form::write: return lower_write(scene, group, may_overwrite(group), draft);
      case Form::scatter: return lower_scatter(scene, group, may_overwrite(group), draft);
    }
    return false;
  }

  /// Adds the steps of a group; of one that is too large, those of its parts.
  void add(const Group& group, std::size_t limit, Apart apart) {
    Draft draft{.slots = plan_.slots};
    if (lower(group, draft)) {
      if (record_ != nullptr) note(draft, apart);
      take(group, draft);
      return;
    }
    std::vector<Group> parts;
    for (; parts.empty() && limit > 0; limit /= 2) parts = cut(graph_, schedule_, group, limit);
    if (parts.empty()) {
      throw DeviceError(fmt::format(
          "trigon::eval: no kernel fits the device: an op of shape {} needs more than {} samplers "
          "or {} uniform vectors",
          to_string(graph_[group.outputs[0]].shape), target_.samplers, target_.uniform_vectors));
    }
    for (std::int32_t k : group.reads) --item(readers_, k);
    for (const Group& part : parts) {
      for (std::int32_t k : part.outputs) {
        auto& number = item(schedule_.group_of, k);
        number = std::max(number, 0);
        if (item(schedule_.reasons, k) == Reason::none)
          item(schedule_.reasons, k) = Reason::too_large;
        item(schedule_.joins, k) = Join::first;
      }
    }
    for (Group& part : parts) count_reads(part, 1);
    for (const Group& part : parts) add(part, limit, Apart::too_large);
  }

  /// Records a group that is about to be taken.
  void note(const Draft& draft, Apart apart) {
    PlanRecord::DrawnGroup drawn{.apart = apart,
                                 .first_step = plan_.steps.size(),
                                 .steps = draft.steps.size(),
                                 .notes = draft.notes};
    for (const auto& [entry, place] : draft.places) {
      drawn.values.push_back(
          {entry, place.slot, item(schedule_.reasons, entry), item(schedule_.joins, entry)});
    }
    record_->groups.push_back(std::move(drawn));
  }

  void take(const Group& group, Draft& draft) {
    for (std::int32_t k : group.reads) --item(readers_, k);
    for (auto& [entry, place] : draft.places) {
      auto& holders = holders_[place.slot];
      // What is overwritten is gone; what is seen through another layout stays.
      const bool in_place = is_update(graph_[entry].kind);
      if (in_place) holders.clear();
      holders.push_back(entry);
      item(places_, entry) = place;
    }
    plan_.slots = draft.slots;
    for (Step& step : draft.steps) {
      if (step.node >= 0) step.node = node_of(step.node);
      // Layers that repeat share their kernels.
      if (step.kernel != nullptr) step.kernel = *kernels_.insert(step.kernel).first;
      plan_.steps.push_back(std::move(step));
    }
    plan_.notes.insert(plan_.notes.end(), draft.notes.begin(), draft.notes.end());
  }

  /// A collected entry that became this one.
  std::int32_t node_of(std::int32_t entry) {
    if (nodes_.empty()) {
      nodes_.assign(graph_.entries.size(), -1);
      for (std::size_t k = graph_.became.size(); k-- > 0;) {
        if (became(k) >= 0) item(nodes_, became(k)) = static_cast<std::int32_t>(k);
      }
    }
    return item(nodes_, entry);
  }

  void bind_results() {
    for (std::size_t k = 0; k < collected_.entries.size(); ++k) {
      const Collected::Entry& entry = collected_.entries[k];
      const std::int32_t e = became(k);
      if (entry.stored || !live_[k] || e < 0 || item(places_, e).slot < 0) continue;
      plan_.stored.push_back(
          {static_cast<std::int32_t>(k), item(places_, e).slot, item(places_, e).layout});
    }
  }

  const Collected& collected_;
  const Target& target_;
  const Costs& costs_;
  const Graph graph_;
  Schedule schedule_;
  std::vector<Place> places_;
  std::vector<std::int32_t> readers_;  ///< groups still to come that read an entry
  std::unordered_map<std::int32_t, std::vector<std::int32_t>> holders_;  ///< entries in a slot
  std::vector<bool> kept_, owned_;                                       ///< of the graph's entries
  std::vector<bool> live_;  ///< of the collected entries
  std::vector<std::int32_t> nodes_;
  PlanRecord* record_;
  std::unordered_set<std::shared_ptr<const Kernel>, KernelHash, KernelEqual> kernels_;
  Plan plan_;
};

}  // namespace

Plan make_plan(const Collected& graph, const Target& target, const Costs& costs,
               PlanRecord* record) {
  return Maker(graph, target, costs, record).run();
}

}  // namespace trigon::plan
