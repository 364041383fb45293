// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lower/loop.hpp"
#include "pipeline/loop_repeat.hpp"

namespace trigon::detail::pipeline {

/// A loop whose elements do not depend on each other, in kernels that hold it: one draw, or several
/// that continue each other. All drafts begin with the same numbers.
class BatchedLoop {
 public:
  /// `before`: all drafts continue its numbers. `rolls`: short reductions of the body become loops
  /// if possible.
  BatchedLoop(const lower::Scene& scene, const schedule::Group& group,
              const rewrite::LoopBatch& batch, const lower::Draft& before, bool rolls = false);

  /// Some draws, or the reason why there are none.
  struct Draws {
    std::optional<lower::Draft> draft{};
    const char* why_not = "a kernel of it passes the limits";
    std::int64_t fewer = 0;  ///< iterations per draw that may fit, or cost less; 0: none
  };
  /// Without outputs: one draw. If there may be more iterations than it has time for, further draws
  /// continue from its textures.
  Draws in_long_draws() const;
  /// With outputs: draws of a few iterations, each of whose outputs has its own target.
  Draws in_short_draws() const;
  /// With outputs: one draw, in which the elements of each step begin with the first step.
  std::optional<lower::Draft> each_from_the_first() const;

  bool has_outputs() const { return !asked_.empty() && asked_[0] >= numbers_.carries; }

 private:
  Draws in_long_draws(std::int64_t most) const;
  Draws in_short_draws(std::int64_t most) const;
  std::int64_t result(std::int32_t output) const {
    return scene_.at(output).as<ir::OutputAttrs>().number;
  }
  void place_results(const std::vector<lower::Place>& places, lower::Draft& draft) const;
  lower::LoopDraws add_further(lower::LoopRun run, const std::vector<std::int64_t>& results,
                               const std::vector<lower::Place>& places, plan::Step repeat,
                               LoopDraft& made) const;

  const lower::Scene& scene_;
  const schedule::Group& group_;
  const ir::Graph::Entry& loop_;
  const ir::LoopAttrs numbers_;
  const rewrite::LoopBatch& batch_;
  const lower::Draft& before_;
  const bool rolls_;
  std::vector<std::int64_t> asked_;  ///< numbers of the wanted results
};

}  // namespace trigon::detail::pipeline
