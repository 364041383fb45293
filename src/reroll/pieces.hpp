// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "graph/collect.hpp"
#include "ir/graph.hpp"

namespace trigon::detail::reroll {

/// The graph with its long joins made anew, as `concatenate` and `stack` of many parts make them,
/// or one `concatenate` around the other; none if it has no such join. Parts that do the same, on
/// rows that follow each other, become one with an axis more. What is left is joined in pieces of
/// equal length, which are `pieces` of the graph: stored, they have the same kernel. No bit of a
/// result changes.
std::optional<ir::Graph> in_pieces(const ir::Graph& graph, const graph::Collected& collected,
                                   const core::Target& target);

}  // namespace trigon::detail::reroll
