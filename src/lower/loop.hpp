// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "lower/lower.hpp"

namespace trigon::plan {

/// Some trips of a loop whose lanes do not depend on each other.
struct LoopRun {
  LoopLanes lanes;
  IntExpr trips;                ///< of this draw
  std::int64_t most;            ///< of them
  IntExpr begin{};              ///< trips that earlier draws have done
  std::vector<Place> before{};  ///< where they left the carries; empty: these are the loop's inputs
};

/// Draws the carries with these numbers after such trips, which a draw runs with all carries in
/// registers: one draw for as many as there are targets. Adds where each of them lies to `places`.
/// False where a kernel passes the caps of the target. `most`: set to the trips that such a draw
/// may have, at most run.most.
bool lower_loop_run(const Scene& scene, const Graph::Entry& loop, const LoopRun& run,
                    const std::vector<std::int64_t>& carries, Draft& draft,
                    std::vector<Place>& places, std::int64_t& most);

}  // namespace trigon::plan
