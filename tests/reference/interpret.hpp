// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include <trigon/fwd.hpp>

#include "core/rooms.hpp"

// The CPU reference. Linked into tests only.

namespace trigon::detail::graph {

/// The elements of `root` in C order, computed in doubles from the ops' references. Integers wrap
/// to their dtype, booleans are 0 or 1, casts to float16 round; nothing else is rounded. Leaves and
/// evaluated nodes, which no longer have inputs, are read from their device.
std::vector<double> interpret(const NodePtr& root);

/// Elements in C order by Node::id, which is never used twice: they outlive their nodes.
using KnownValues = std::unordered_map<std::uint64_t, std::vector<double>>;

/// The elements of `root`. Takes a node's values from `known` if they are there, as for leaves that
/// no device holds. Adds the values of all other nodes below root to `known`, so that later calls
/// do not depend on evaluations in between.
const std::vector<double>& interpret(const NodePtr& root, KnownValues& known);

}  // namespace trigon::detail::graph
