// SPDX-License-Identifier: MIT
#include "pipeline/steps.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "core/called.hpp"
#include "core/list.hpp"
#include "core/walk.hpp"

namespace trigon::detail::pipeline {

StepMaker::StepMaker(const ir::Graph& graph, schedule::Schedule schedule, Numbering& numbering,
                     PlanRecord* record)
    : graph_(graph),
      numbering_(numbering),
      schedule_(std::move(schedule)),
      places_(graph.entries.size()),
      readers_(graph.entries.size(), 0),
      kept_(graph.entries.size(), false),
      owned_(graph.entries.size(), true),
      record_(record) {}

void StepMaker::place(std::int32_t leaf, const lower::Place& place) {
  item(places_, leaf) = place;
  holders_[place.slot].push_back(leaf);
}

std::vector<plan::Step> StepMaker::run() {
  for (schedule::Group& group : schedule_.groups) count_reads(group, 1);
  for (std::size_t k = 0; k < schedule_.groups.size(); ++k) {
    constexpr std::size_t first_limit = 32;
    add(schedule_.groups[k], first_limit, schedule_.split_reason[k]);
  }
  return std::move(steps_);
}

void StepMaker::count_reads(schedule::Group& group, std::int32_t change) {
  group.reads = reads_of(graph_, schedule_, group);
  for (const schedule::Literal& literal : need_of(group)) {
    const std::int32_t read = item(schedule_.sides.predicates, literal.predicate).entry;
    const auto at = std::lower_bound(group.reads.begin(), group.reads.end(), read);
    if (at == group.reads.end() || *at != read) group.reads.insert(at, read);
  }
  for (std::int32_t k : group.reads) item(readers_, k) += change;
}

/// Whether only the write or scatter itself will still read the tensor that it is applied to.
bool StepMaker::may_overwrite(const schedule::Group& write) const {
  // A skipped write leaves the tensor unchanged.
  if (!need_of(write).empty()) return false;
  const std::int32_t source = graph_[write.outputs[0]].inputs[0];
  const lower::Place& place = item(places_, source);
  if (place.slot < 0) return false;
  const auto holders = holders_.find(place.slot);
  for (std::int32_t k : holders->second) {
    const bool own = core::contains(write.reads, k);
    if (item(kept_, k) || item(readers_, k) > (own ? 1 : 0)) return false;
    if (graph_[k].kind == ir::Kind::leaf && !item(owned_, k)) return false;
  }
  return true;
}

/// The sides of conds that are the only readers of a group's values.
schedule::Literals StepMaker::need_of(const schedule::Group& group) const {
  schedule::Literals need = schedule_.sides.need(group.outputs[0]);
  for (std::int32_t k : group.outputs) need = common(need, schedule_.sides.need(k));
  return need;
}

bool StepMaker::lower(const schedule::Group& group, lower::Draft& draft) {
  return lower_sides(group, need_of(group), draft);
}

/// Lowers a group for these predicates; twice, once for each side, if a further cond splits it.
bool StepMaker::lower_sides(const schedule::Group& group, const schedule::Literals& known,
                            lower::Draft& draft) {
  const std::int32_t predicate = next_split(group, known);
  if (predicate >= 0 && lower_both(group, known, predicate, draft)) return true;
  if (!lower_form(group, known, draft)) return false;
  guard(known, draft.steps);
  return true;
}

/// The outermost unknown predicate whose sides the group computes; -1: none.
std::int32_t StepMaker::next_split(const schedule::Group& group,
                                   const schedule::Literals& known) const {
  const schedule::Sides& sides = schedule_.sides;
  // Carries trade textures, so two loops cannot leave theirs in the same ones.
  if (group.form == ir::Kind::output) return -1;
  if (sides.splits.empty() || known.size() >= schedule::most_literals(numbering_.target)) return -1;
  const lower::Scene scene = this->scene(&known);
  core::Walk<std::int32_t> walk(group.outputs);
  std::int32_t last = -1;
  for (const std::int32_t k : walk) {
    const bool is_own = core::contains(group.outputs, k);
    if (!is_own && (graph_[k].kind == ir::Kind::leaf || stores(k))) continue;
    if (const int side = side_of(scene, k); side > 0) {
      walk.add(item(graph_[k].inputs, side));
      continue;
    }
    if (item(sides.splits, k)) last = std::max(last, k);
    walk.add(graph_[k].inputs);
  }
  const std::int32_t predicate = last < 0 ? -1 : sides.predicate(graph_, last);
  return predicate >= 0 && guard_of({predicate, true}) ? predicate : -1;
}

/// How a draw learns whether it is taken; none if the predicate's place does not allow it.
std::optional<plan::Guard> StepMaker::guard_of(const schedule::Literal& literal) const {
  const schedule::Predicate& predicate = item(schedule_.sides.predicates, literal.predicate);
  const lower::Place& place = item(places_, predicate.entry);
  if (place.slot < 0 || place.layout.layers > 1 || !place.layout.is_plain()) return std::nullopt;
  kernel::IntExpr element{.base = place.layout.offset};
  for (std::size_t k = 0; k < predicate.at.size(); ++k) {
    if (graph_[predicate.entry].shape[static_cast<int>(k)] == 1) continue;
    const std::int64_t stride = place.layout.strides[k];
    element.base += predicate.at[k].start * stride;
    for (const ir::ViewAxis::Term& term : predicate.at[k].terms) {
      element.scalar = term.scalar;
      element.scale = term.factor * stride;
      element.high = term.high;
      element.size = term.size;
    }
  }
  const core::Layout& layout = place.layout;
  return plan::Guard{.slot = place.slot,
                     .element = element,
                     .width = layout.width,
                     .sides = {core::texture_side(numbering_.target, layout.width),
                               core::texture_side(numbering_.target, layout.height)},
                     .holds = literal.holds};
}

void StepMaker::guard(const schedule::Literals& known, std::vector<plan::Step>& steps) const {
  const std::int64_t most = std::min(numbering_.target.vertex_samplers, schedule::most_guards);
  for (plan::Step& step : steps) {
    guard(known, step.body);
    if (step.is_repeat()) continue;
    for (const schedule::Literal& literal : known) {
      const std::optional<plan::Guard> one = guard_of(literal);
      if (one && std::ssize(step.guards) < most) step.guards.push_back(*one);
    }
    // A write that may be skipped does not count as done.
    const bool in_place =
        std::any_of(step.outputs.begin(), step.outputs.end(),
                    [](const plan::StepOutput& output) { return output.in_place; });
    if (in_place && !step.guards.empty()) step.node = -1;
  }
}

namespace {

/// Makes the steps write to, and read from, other slots.
void redirect(std::vector<plan::Step>& steps, const std::map<std::int32_t, std::int32_t>& slots) {
  for (plan::Step& step : steps) {
    for (std::int32_t& slot : step.inputs) {
      if (const auto at = slots.find(slot); at != slots.end()) slot = at->second;
    }
    for (plan::StepOutput& output : step.outputs) {
      const auto at = slots.find(output.slot);
      if (at == slots.end()) continue;
      output.slot = at->second;
      output.in_place = true;
      step.node = -1;
    }
  }
}

bool has_overlays(const std::vector<plan::Step>& steps) {
  return std::any_of(steps.begin(), steps.end(),
                     [](const plan::Step& step) { return step.overlays > 1; });
}

}  // namespace

/// The draws of both sides of a cond, to the same textures. False if these cannot be the same.
bool StepMaker::lower_both(const schedule::Group& group, const schedule::Literals& known,
                           std::int32_t predicate, lower::Draft& draft) {
  lower::Draft yes = draft.next();
  if (!lower_sides(group, with(known, {predicate, true}), yes)) return false;
  schedule::Group other = group;
  for (const auto& [entry, place] : yes.places) {
    if (place.slot >= draft.slots && !other.layout) other.layout = place.layout;
  }
  lower::Draft no = yes.next();
  if (!lower_sides(other, with(known, {predicate, false}), no)) return false;
  // Blending would start on the values of the other side.
  if (has_overlays(yes.steps) || has_overlays(no.steps) || yes.places.size() != no.places.size()) {
    return false;
  }
  std::map<std::int32_t, std::int32_t> slots;
  for (std::size_t k = 0; k < yes.places.size(); ++k) {
    const auto& [entry, place] = yes.places[k];
    const auto& [same, other_place] = no.places[k];
    if (entry != same || !(place.layout == other_place.layout)) return false;
    if (place.slot == other_place.slot) continue;
    if (place.slot < draft.slots || other_place.slot < draft.slots) return false;
    slots.emplace(other_place.slot, place.slot);
  }
  const std::int32_t read = guard_of({predicate, true})->slot;
  for (const auto& [entry, place] : yes.places) {
    if (place.slot == read) return false;
  }
  redirect(no.steps, slots);
  yes.slots = no.slots;
  yes.scalars = no.scalars;
  std::move(no.steps.begin(), no.steps.end(), std::back_inserter(yes.steps));
  for (std::string& note : no.notes) core::place_in(yes.notes, std::move(note));
  // The overwriting is complete after both sides' steps.
  const bool in_place = !yes.places.empty() && yes.places[0].second.slot < draft.slots;
  if (in_place && known.empty() && !yes.steps.empty()) yes.steps.back().node = group.outputs[0];
  draft = std::move(yes);
  return true;
}

bool StepMaker::lower_form(const schedule::Group& group, const schedule::Literals& known,
                           lower::Draft& draft) const {
  lower::Scene scene = this->scene(&known);
  scene.may_overwrite = is_update(group.form) && may_overwrite(group);
  if (group.form == ir::Kind::output) return lower_loop(scene, group, draft);
  return lower::function_for(group.form)(scene, group, draft);
}

/// Adds the steps of a group, or those of its pieces if it is too large.
void StepMaker::add(const schedule::Group& group, std::size_t limit,
                    schedule::SplitReason split_reason) {
  lower::Draft draft{.slots = numbering_.slots, .scalars = numbering_.scalars};
  if (lower(group, draft)) {
    if (record_ != nullptr) note(draft, split_reason);
    take(group, draft);
    return;
  }
  std::vector<schedule::Group> pieces;
  for (; pieces.empty() && limit > 0; limit /= 2) pieces = cut(graph_, schedule_, group, limit);
  if (pieces.empty()) {
    core::fail_on_device(
        "eval",
        "no kernel fits the device: an op of shape {} needs more than {} samplers, "
        "{} uniform vectors or {} iterations of loops",
        to_string(graph_[group.outputs[0]].shape), numbering_.target.samplers,
        numbering_.target.uniform_vectors, numbering_.target.trip_limit);
  }
  for (std::int32_t k : group.reads) --item(readers_, k);
  for (const schedule::Group& piece : pieces) {
    for (std::int32_t k : piece.outputs) {
      auto& number = item(schedule_.group_of, k);
      number = std::max(number, 0);
      schedule::Reason& reason = item(schedule_.reasons, k);
      if (reason == schedule::Reason::none) reason = schedule::Reason::too_large;
      item(schedule_.joins, k) = schedule::Join::first;
    }
  }
  for (schedule::Group& piece : pieces) count_reads(piece, 1);
  for (const schedule::Group& piece : pieces) add(piece, limit, schedule::SplitReason::too_large);
}

/// Records a group that is about to be taken.
void StepMaker::note(const lower::Draft& draft, schedule::SplitReason split_reason) {
  PlanRecord::DrawnGroup drawn{.split_reason = split_reason,
                               .first_step = steps_.size(),
                               .steps = draft.steps.size(),
                               .notes = draft.notes};
  for (const auto& [entry, place] : draft.places) {
    drawn.values.push_back(
        {entry, place.slot, item(schedule_.reasons, entry), item(schedule_.joins, entry)});
  }
  record_->groups.push_back(std::move(drawn));
}

void StepMaker::take(const schedule::Group& group, lower::Draft& draft) {
  for (std::int32_t k : group.reads) --item(readers_, k);
  for (auto& [entry, place] : draft.places) {
    auto& holders = holders_[place.slot];
    // An in-place write invalidates all other entries in the slot; a view of the slot adds one.
    const bool in_place = is_update(graph_[entry].kind);
    if (in_place) holders.clear();
    holders.push_back(entry);
    item(places_, entry) = place;
  }
  numbering_.slots = draft.slots;
  numbering_.scalars = draft.scalars;
  for (plan::Step& step : draft.steps) {
    // Repeated layers share their kernels.
    if (step.kernel != nullptr) step.kernel = *numbering_.kernels.insert(step.kernel).first;
    steps_.push_back(std::move(step));
  }
  core::append(numbering_.notes, draft.notes);
}

}  // namespace trigon::detail::pipeline
