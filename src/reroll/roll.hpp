// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/target.hpp"
#include "graph/collect.hpp"
#include "ir/graph.hpp"

namespace trigon::detail::reroll {

/// A graph in which many equal iterations, as a plain C++ loop over elementwise operations makes
/// them, become loops. At least eight iterations that one draw could not hold become one; a value
/// within them that something else needs ends a loop. No bit of a result changes.
///
/// `collected`: the nodes of the graph. `visits`, if given, is increased by the number of visited
/// entries, which is linear in the size of the graph.
ir::Graph rolled(ir::Graph graph, const graph::Collected& collected, const core::Target& target,
                 std::int64_t* visits = nullptr);

}  // namespace trigon::detail::reroll
