// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "graph/collect.hpp"
#include "ir/graph.hpp"

namespace trigon::detail::reroll {

/// The graph with its long joins rebuilt; none if it has none. Such joins come from `concatenate`
/// or `stack` of many entries, or one `concatenate` around the other. Entries that do the same on
/// consecutive rows become one along a new axis. The others are joined in pieces of equal length,
/// which are `pieces` of the graph: when stored, they have the same kernel. No bit of a result
/// changes.
std::optional<ir::Graph> in_pieces(const ir::Graph& graph, const graph::Collected& collected,
                                   const core::Target& target);

}  // namespace trigon::detail::reroll
