// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "lower/lower.hpp"
#include "pipeline/steps.hpp"

namespace trigon::detail::pipeline {

/// The trips of a loop without the first `done`; at most `most`.
kernel::IntExpr trips_left(const ir::LoopNumbers& loop, std::int64_t done, std::int64_t most);

/// Makes the steps of a loop in one way, in a draft of its own.
class LoopDraft {
 public:
  /// `before`: the numbers of the draft go on from these.
  LoopDraft(const lower::Scene& scene, const ir::Graph::Entry& loop, const lower::Draft& before);

  lower::Draft& draft() { return draft_; }
  std::int32_t new_scalar() { return draft_.scalars++; }

  /// Tells where the leaves of a graph of trips lie, and stores those that lie nowhere. Returns
  /// their slots; none past the caps of the target.
  std::optional<std::set<std::int32_t>> place_leaves(StepMaker& maker, const ir::Graph& graph,
                                                     const std::vector<lower::Place>& carries,
                                                     const std::vector<lower::Place>& outputs);

  /// Adds a loop over steps whose carries lie there; a while loop ends where no lane goes on. False
  /// past the caps.
  bool add_repeat(plan::Step repeat, const std::vector<lower::Place>& carries);

 private:
  struct Flag {
    std::vector<plan::Step> steps;
    std::int32_t slot;
  };
  std::optional<Flag> flag(const std::vector<lower::Place>& carries);
  const lower::Place* store(std::int32_t entry);

  const lower::Scene& scene_;
  const ir::Graph::Entry& loop_;
  const ir::LoopNumbers numbers_;
  lower::Draft draft_;
  lower::Copies stored_;  ///< inputs that the draft stores
};

}  // namespace trigon::detail::pipeline
