// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "lower/lower.hpp"
#include "pipeline/steps.hpp"

namespace trigon::detail::pipeline {

/// The iterations of a loop after the first `done`; at most `most`.
kernel::IntExpr iterations_left(const ir::LoopAttrs& loop, std::int64_t done, std::int64_t most);

/// Makes the steps of a loop in one way, in a separate draft.
class LoopDraft {
 public:
  /// `before`: the draft continues its numbers.
  LoopDraft(const lower::Scene& scene, const ir::Graph::Entry& loop, const lower::Draft& before);

  lower::Draft& draft() { return draft_; }
  std::int32_t new_scalar() { return draft_.scalars++; }

  /// Sets the places of the leaves of a graph of iterations, and stores leaves that have none.
  /// Returns their slots; none if a limit of the target is exceeded.
  std::optional<std::set<std::int32_t>> place_leaves(StepMaker& maker, const ir::Graph& graph,
                                                     const std::vector<lower::Place>& carries,
                                                     const std::vector<lower::Place>& outputs);

  /// Adds a loop over steps whose carries lie in these places; a while loop ends once no element
  /// goes on. False if a limit is exceeded.
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
  const ir::LoopAttrs numbers_;
  lower::Draft draft_;
  lower::Copies stored_;  ///< inputs that the draft has stored
};

}  // namespace trigon::detail::pipeline
