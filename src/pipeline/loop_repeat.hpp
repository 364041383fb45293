// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "lower/lower.hpp"
#include "pipeline/steps.hpp"

namespace trigon::plan {

/// The trips of a loop without the first `done`; at most `most`.
IntExpr trips_left(const LoopNumbers& loop, std::int64_t done, std::int64_t most);

/// Makes the steps of a loop in one way, in a draft of its own.
class LoopDraft {
 public:
  /// `before`: the numbers of the draft go on from these.
  LoopDraft(const Scene& scene, const Graph::Entry& loop, const Draft& before);

  Draft& draft() { return draft_; }
  std::int32_t new_scalar() { return draft_.scalars++; }

  /// Tells where the leaves of a graph of trips lie, and stores those that lie nowhere. Returns
  /// their slots; none past the caps of the target.
  std::optional<std::set<std::int32_t>> place_leaves(StepMaker& maker, const Graph& graph,
                                                     const std::vector<Place>& carries,
                                                     const std::vector<Place>& outputs);

  /// Adds a loop over steps whose carries lie there; a while loop ends where no lane goes on. False
  /// past the caps.
  bool add_repeat(Step repeat, const std::vector<Place>& carries);

 private:
  struct Flag {
    std::vector<Step> steps;
    std::int32_t slot;
  };
  std::optional<Flag> flag(const std::vector<Place>& carries);
  const Place* store(std::int32_t entry);

  const Scene& scene_;
  const Graph::Entry& loop_;
  const LoopNumbers numbers_;
  Draft draft_;
  Copies stored_;  ///< inputs that the draft stores
};

}  // namespace trigon::plan
