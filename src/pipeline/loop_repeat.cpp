// SPDX-License-Identifier: MIT
#include "pipeline/loop_repeat.hpp"

#include <algorithm>
#include <iterator>

#include "lower/copy.hpp"
#include "rewrite/loop.hpp"

namespace trigon::detail::pipeline {

kernel::IntExpr iterations_left(const ir::LoopAttrs& loop, std::int64_t done, std::int64_t most) {
  const std::int64_t known = std::min(loop.iterations, std::int64_t{1} << 40) - done;
  if (!loop.iterations_scalar.is_given()) return {.base = std::clamp<std::int64_t>(known, 0, most)};
  return {
      .base = known, .scalar = loop.iterations_scalar.number, .low = -known, .high = most - known};
}

LoopDraft::LoopDraft(const lower::Scene& scene, const ir::Graph::Entry& loop,
                     const lower::Draft& before)
    : scene_(scene), loop_(loop), numbers_(loop_attrs(loop)), draft_(before.next()) {}

std::optional<std::set<std::int32_t>> LoopDraft::place_leaves(
    StepMaker& maker, const ir::Graph& graph, const std::vector<lower::Place>& carries,
    const std::vector<lower::Place>& outputs) {
  const std::int64_t inputs = numbers_.inputs();
  std::set<std::int32_t> slots;
  for (std::int32_t k = 0; k < graph.size(); ++k) {
    if (graph[k].kind != ir::Kind::leaf || graph[k].shape.numel() == 0) continue;
    const std::int64_t number = graph[k].leaf;
    const lower::Place* place = nullptr;
    if (numbers_.is_carry(number)) {
      place = &item(carries, number);
    } else if (number >= inputs) {
      place = &item(outputs, number - inputs);
    } else {
      place = &scene_.place(item(loop_.inputs, number));
      if (place->slot < 0) place = store(item(loop_.inputs, number));
      if (place == nullptr) return std::nullopt;
      maker.share(k);
    }
    slots.insert(place->slot);
    maker.place(k, *place);
  }
  return slots;
}

/// The place where the draft stores an input of the loop; null if a limit is exceeded.
const lower::Place* LoopDraft::store(std::int32_t entry) {
  const auto known = std::find_if(stored_.begin(), stored_.end(),
                                  [&](const auto& stored) { return stored.first == entry; });
  if (known != stored_.end()) return &known->second;
  lower::Copies copies;
  if (!copy_flat(scene_, entry, {}, draft_, copies)) return nullptr;
  return &stored_.emplace_back(entry, copies[0].second).second;
}

bool LoopDraft::add_repeat(plan::Step repeat, const std::vector<lower::Place>& carries) {
  if (numbers_.has_condition) {
    std::optional<Flag> before = flag(carries), after = flag(carries);
    if (!before || !after) return false;
    std::move(before->steps.begin(), before->steps.end(), std::back_inserter(draft_.steps));
    // The flag of an iteration is computed after its carries have changed places.
    plan::Step once = repeat_of(std::move(repeat.body), {.base = 1});
    once.trades = std::move(repeat.trades);
    repeat.body.clear();
    repeat.body.push_back(std::move(once));
    std::move(after->steps.begin(), after->steps.end(), std::back_inserter(repeat.body));
    repeat.trades = {{before->slot, after->slot}};
    repeat.until = before->slot;
  }
  draft_.steps.push_back(std::move(repeat));
  return true;
}

/// The steps that compute whether any element goes on, from carries in these places.
std::optional<LoopDraft::Flag> LoopDraft::flag(const std::vector<lower::Place>& carries) {
  const ir::Graph graph = rewrite::any_goes_on(scene_.graph, loop_);
  std::vector<bool> wanted(graph.entries.size(), false);
  item(wanted, graph.results[0]) = true;
  Numbering numbering{scene_.target, scene_.costs, draft_.slots, draft_.scalars};
  StepMaker maker(graph, schedule::schedule(graph, wanted, scene_.target, scene_.costs), numbering);
  if (!place_leaves(maker, graph, carries, {})) return std::nullopt;
  numbering.slots = draft_.slots;
  std::vector<plan::Step> steps = maker.run();
  for (plan::Step& step : steps) step.node = -1;
  draft_.slots = numbering.slots;
  draft_.scalars = numbering.scalars;
  return Flag{.steps = std::move(steps), .slot = maker.place_of(graph.results[0]).slot};
}

}  // namespace trigon::detail::pipeline
