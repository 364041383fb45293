// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "lower/loop_run.hpp"
#include "lower/lower.hpp"

namespace trigon::detail::lower {

/// Whether the asked results depend on each result, by number. They depend on themselves.
std::vector<bool> needed_results(const ir::Graph::Entry& loop,
                                 const std::vector<std::int64_t>& asked);

/// The outputs among these, and the carries that later draws need to continue them.
std::vector<std::int64_t> with_carries(const ir::Graph::Entry& loop,
                                       std::vector<std::int64_t> asked);

/// Chooses run.steps, at most `most`, for the fewest draws per pass over the results, then for the
/// fewest draws in total. It is 0 if none fits, or all need more draws than there are iterations.
/// Sets run.in_rows if the device has too few layers; then carries get separate draws.
void choose_steps(const Scene& scene, const ir::Graph::Entry& loop,
                  const std::vector<std::int64_t>& asked, std::int64_t most, LoopRun& run);

/// The draws of some results.
struct LoopDraws {
  bool fit = false;             ///< their kernels are within the target's limits
  std::int64_t trips = 0;       ///< that such draws may have, at most run.most
  std::vector<Place> places{};  ///< of the results, by number
};

/// Draws the results with these numbers after the run's trips, with all carries in registers. A
/// carry gets a texture. An output gets layers of one texture for all steps, in place if an earlier
/// draw has made it. Adds the draws to the draft, which is useless if they do not fit.
LoopDraws lower_loop_run(const Scene& scene, const ir::Graph::Entry& loop, const LoopRun& run,
                         const std::vector<std::int64_t>& results, Draft& draft);

/// Rows of the first axis share no texels and, if possible, no texture rows, so that each can be
/// written in place.
core::Layout row_layout(const core::Target& target, DType dtype, const Shape& shape);

}  // namespace trigon::detail::lower
