// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "lower/loop_run.hpp"
#include "lower/lower.hpp"

namespace trigon::detail::lower {

/// The results that these depend on, they themselves included, by number.
std::vector<bool> needed_results(const ir::Graph::Entry& loop,
                                 const std::vector<std::int64_t>& asked);

/// Of these the outputs, and the carries that a draw needs to go on with them.
std::vector<std::int64_t> with_carries(const ir::Graph::Entry& loop,
                                       std::vector<std::int64_t> asked);

/// Chooses run.steps, up to `most`: the most that one draw does with the results that are asked
/// for. Where no draw holds those of a step, the steps with which several draws are fewest. 0 where
/// a draw a step would be no more. Sets run.in_rows where the device has too few layers; then
/// carries have draws of their own.
void choose_steps(const Scene& scene, const ir::Graph::Entry& loop,
                  const std::vector<std::int64_t>& asked, std::int64_t most, LoopRun& run);

/// The draws of some results.
struct LoopDraws {
  bool fit = false;             ///< their kernels, within the caps of the target
  std::int64_t trips = 0;       ///< that such draws may have within its limits: at most run.most
  std::vector<Place> places{};  ///< of the results, by number
};

/// Draws the results with these numbers after such trips, which a draw runs with all carries in
/// registers. A carry gets a texture; outputs get layers of a texture that holds those of all
/// steps, in place where earlier draws have made it. Adds the draws to the draft; where they do not
/// fit it is of no use.
LoopDraws lower_loop_run(const Scene& scene, const ir::Graph::Entry& loop, const LoopRun& run,
                         const std::vector<std::int64_t>& results, Draft& draft);

/// Each row of the first axis in texels of its own, if possible in texture rows of its own, so that
/// it can be written in place.
core::Layout row_layout(const core::Target& target, DType dtype, const Shape& shape);

}  // namespace trigon::detail::lower
