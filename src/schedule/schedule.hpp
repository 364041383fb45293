// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/target.hpp"
#include "ir/graph.hpp"
#include "schedule/group.hpp"

namespace trigon::detail::schedule {

/// When each reader computes a shared value again.
enum class Recompute : std::uint8_t {
  if_cheaper,  ///< if that is cheaper than storing it, including compile time
  always,
  never,  ///< except for a few operations: kernels stay short, and equal where the graph repeats
};

/// `wanted`: by entry, whether the caller wants its value.
Schedule schedule(const ir::Graph& graph, const std::vector<bool>& wanted,
                  const core::Target& target, const core::Costs& costs,
                  Recompute recompute = Recompute::if_cheaper);

/// Splits a group whose kernel exceeds the target: one group per output, or, for a single output,
/// with an intermediate stored every `limit` ops. Empty if nothing is left to cut.
std::vector<Group> cut(const ir::Graph& graph, const Schedule& schedule, const Group& group,
                       std::size_t limit);

/// Whether all values of a graph and of its loops' bodies fit into textures, so that they can be
/// stored.
bool can_store_all(const ir::Graph& graph, const core::Target& target);

/// The stored entries and leaves that a group reads, each once.
std::vector<std::int32_t> reads_of(const ir::Graph& graph, const Schedule& schedule,
                                   const Group& group);

/// Whether the index of an entry is that of its input, except for axes of size 1.
bool keeps_index(const ir::Graph& graph, std::int32_t k);

}  // namespace trigon::detail::schedule
