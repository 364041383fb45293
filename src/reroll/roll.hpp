// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/target.hpp"
#include "graph/collect.hpp"
#include "ir/graph.hpp"

namespace trigon::detail::reroll {

/// A graph in which long stretches of equal stages, as a plain C++ loop over elementwise operations
/// makes them, are loops. At least eight stages that one draw could not hold become one; values
/// within them that something else needs end a loop. No bit of a result changes.
///
/// `collected`: what the graph was made of. `visits`: where given, is increased by the entries
/// that were looked at, which are linear in the size of the graph.
ir::Graph rolled(ir::Graph graph, const graph::Collected& collected, const core::Target& target,
                 std::int64_t* visits = nullptr);

}  // namespace trigon::detail::reroll
