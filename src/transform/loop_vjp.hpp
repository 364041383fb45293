// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "graph/node.hpp"
#include "transform/tape.hpp"

namespace trigon::detail::transform {

/// The tape with loops that keep their carries of all iterations, where gradients reach a loop. The
/// results become those that the new loops compute.
Tape with_kept_carries(Tape tape, Leaves& results);

/// The gradients towards a loop's inputs from g, those towards its results: a loop that runs
/// backwards. Empty handles as for gradients(). `depends`: for each input, whether it is asked for.
/// Raises Error for a loop whose number of iterations is not known before it runs.
Leaves gradients_of_loop(const Entry& loop, std::span<const Tensor> g,
                         const std::vector<bool>& depends);

}  // namespace trigon::detail::transform
