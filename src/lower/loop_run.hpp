// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/kernel.hpp"
#include "lower/lower.hpp"
#include "rewrite/batch.hpp"

namespace trigon::detail::lower {

/// Some trips of a loop whose elements do not depend on each other. The results of a loop are
/// numbered as those of its body: the carries, then the outputs.
struct LoopRun {
  rewrite::LoopBatch batch;
  kernel::IntExpr trips;        ///< of this draw
  std::int64_t most;            ///< the most that they may be
  std::vector<bool> needed;     ///< by number: the results that the asked ones depend on
  std::int64_t steps = 0;       ///< the draw's last trips, whose outputs it writes
  bool in_rows = false;         ///< each draw's outputs lie below the previous ones, not in layers
  bool each_step = false;       ///< one element per step, which ends with it; steps is 1
  bool rolls = false;           ///< short reductions of the body become loops if possible
  kernel::IntExpr begin{};      ///< trips that earlier draws have done
  std::vector<Place> before{};  ///< where they left the results; empty: these are the loop's inputs
};

}  // namespace trigon::detail::lower
