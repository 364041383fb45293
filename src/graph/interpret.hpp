// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <trigon/fwd.hpp>

// The CPU reference. Linked into tests only.

namespace trigon::graph {

/// The elements of `root` in C order, computed in doubles from the ops' own references: integers
/// wrap to their dtype, booleans are 0 or 1, casts to float16 round; nothing else is rounded. Nodes
/// that an evaluation has cut off from their inputs are read from their device, as leaves are.
std::vector<double> interpret(const NodePtr& root);

}  // namespace trigon::graph
