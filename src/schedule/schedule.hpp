// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/target.hpp"
#include "ir/graph.hpp"
#include "schedule/group.hpp"

namespace trigon::detail::schedule {

/// When what several places read is computed anew by each of them.
enum class Recompute : std::uint8_t {
  if_cheaper,  ///< than storing it, once compiled
  always,
  never,  ///< but for a few operations: kernels stay short, and equal where the graph repeats
};

/// `wanted`: by entry, whether its value is asked for.
Schedule schedule(const ir::Graph& graph, const std::vector<bool>& wanted,
                  const core::Target& target, const core::Costs& costs,
                  Recompute recompute = Recompute::if_cheaper);

/// The groups that replace one whose kernel passes the caps of the target, in order: its outputs
/// apart, or, of a single output, with more stored on the way to it, at every `limit` ops. Empty
/// where nothing is left to cut.
std::vector<Group> cut(const ir::Graph& graph, const Schedule& schedule, const Group& group,
                       std::size_t limit);

/// Whether each value of a graph and of its loops' bodies fits a texture, so that it may be stored.
bool can_store_all(const ir::Graph& graph, const core::Target& target);

/// Stored entries and leaves that a group reads, each once.
std::vector<std::int32_t> reads_of(const ir::Graph& graph, const Schedule& schedule,
                                   const Group& group);

/// Whether the index of an entry is its input's, but for axes of size 1.
bool keeps_index(const ir::Graph& graph, std::int32_t k);

}  // namespace trigon::detail::schedule
