// SPDX-License-Identifier: MIT
#include "plan/steps.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <trigon/error.hpp>

namespace trigon::plan {

StepMaker::StepMaker(const Graph& graph, const std::vector<bool>& wanted, Numbering& numbering,
                     PlanRecord* record)
    : StepMaker(graph, schedule(graph, wanted, numbering.target, numbering.costs), numbering,
                record) {}

StepMaker::StepMaker(const Graph& graph, Schedule schedule, Numbering& numbering,
                     PlanRecord* record)
    : graph_(graph),
      numbering_(numbering),
      schedule_(std::move(schedule)),
      places_(graph.entries.size()),
      readers_(graph.entries.size(), 0),
      kept_(graph.entries.size(), false),
      owned_(graph.entries.size(), true),
      record_(record) {}

void StepMaker::place(std::int32_t leaf, const Place& place) {
  item(places_, leaf) = place;
  holders_[place.slot].push_back(leaf);
}

std::vector<Step> StepMaker::run() {
  for (Group& group : schedule_.groups) count_reads(group, 1);
  for (std::size_t k = 0; k < schedule_.groups.size(); ++k) {
    constexpr std::size_t first_limit = 32;
    add(schedule_.groups[k], first_limit, schedule_.apart[k]);
  }
  return std::move(steps_);
}

void StepMaker::count_reads(Group& group, std::int32_t change) {
  group.reads = reads_of(graph_, schedule_, group);
  for (std::int32_t k : group.reads) item(readers_, k) += change;
}

/// Whether nothing will read the tensor that a write or scatter is applied to, but that itself.
bool StepMaker::may_overwrite(const Group& write) const {
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

bool StepMaker::lower(const Group& group, Draft& draft) {
  const Scene scene = this->scene();
  switch (group.form) {
    case Form::map: return lower_map(scene, group, draft);
    case Form::reduce: return lower_reduce(scene, group, draft);
    case Form::contract: return lower_contract(scene, group, draft);
    case Form::write: return lower_write(scene, group, may_overwrite(group), draft);
    case Form::scatter: return lower_scatter(scene, group, may_overwrite(group), draft);
    case Form::loop: return lower_loop(scene, group, numbering_, draft);
  }
  return false;
}

/// Adds the steps of a group; of one that is too large, those of its parts.
void StepMaker::add(const Group& group, std::size_t limit, Apart apart) {
  Draft draft{.slots = numbering_.slots};
  if (lower(group, draft)) {
    if (record_ != nullptr) note(draft, apart);
    take(group, draft);
    return;
  }
  std::vector<Group> parts;
  for (; parts.empty() && limit > 0; limit /= 2) parts = cut(graph_, schedule_, group, limit);
  if (parts.empty()) {
    throw DeviceError(fmt::format(
        "trigon::eval: no kernel fits the device: an op of shape {} needs more than {} samplers, "
        "{} uniform vectors or {} trips of loops",
        to_string(graph_[group.outputs[0]].shape), numbering_.target.samplers,
        numbering_.target.uniform_vectors, numbering_.target.trip_limit));
  }
  for (std::int32_t k : group.reads) --item(readers_, k);
  for (const Group& part : parts) {
    for (std::int32_t k : part.outputs) {
      auto& number = item(schedule_.group_of, k);
      number = std::max(number, 0);
      Reason& reason = item(schedule_.reasons, k);
      if (reason == Reason::none) reason = Reason::too_large;
      item(schedule_.joins, k) = Join::first;
    }
  }
  for (Group& part : parts) count_reads(part, 1);
  for (const Group& part : parts) add(part, limit, Apart::too_large);
}

/// Records a group that is about to be taken.
void StepMaker::note(const Draft& draft, Apart apart) {
  PlanRecord::DrawnGroup drawn{.apart = apart,
                               .first_step = steps_.size(),
                               .steps = draft.steps.size(),
                               .notes = draft.notes};
  for (const auto& [entry, place] : draft.places) {
    drawn.values.push_back(
        {entry, place.slot, item(schedule_.reasons, entry), item(schedule_.joins, entry)});
  }
  record_->groups.push_back(std::move(drawn));
}

void StepMaker::take(const Group& group, Draft& draft) {
  for (std::int32_t k : group.reads) --item(readers_, k);
  for (auto& [entry, place] : draft.places) {
    auto& holders = holders_[place.slot];
    // What is overwritten is gone; what is seen through another layout stays.
    const bool in_place = is_update(graph_[entry].kind);
    if (in_place) holders.clear();
    holders.push_back(entry);
    item(places_, entry) = place;
  }
  numbering_.slots = draft.slots;
  for (Step& step : draft.steps) {
    // Layers that repeat share their kernels.
    if (step.kernel != nullptr) step.kernel = *numbering_.kernels.insert(step.kernel).first;
    steps_.push_back(std::move(step));
  }
  numbering_.notes.insert(numbering_.notes.end(), draft.notes.begin(), draft.notes.end());
}

}  // namespace trigon::plan
