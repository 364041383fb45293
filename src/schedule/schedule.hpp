// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "core/item.hpp"
#include "core/target.hpp"
#include "rewrite/graph.hpp"

namespace trigon::plan {

/// What one kernel is built around.
enum class Form : std::uint8_t { map, reduce, contract, write, scatter };

/// Entries that one draw computes and stores. Outputs may read each other at the same index.
struct Group {
  Form form = Form::map;
  /// The reductions, or the one contraction, on whose results the outputs are computed.
  std::vector<std::int32_t> anchors{};
  std::vector<std::int32_t> outputs{};  ///< in the order of the graph
  std::vector<std::int32_t> reads{};    ///< leaves and stored entries that it loads, each once
};

/// What is stored, and by which draw, in order.
struct Schedule {
  std::vector<Group> groups;
  std::vector<std::int32_t> group_of;   ///< of each entry: the group that stores it, or -1
  std::vector<std::int32_t> anchor_of;  ///< of a stored entry: the anchor in its draw, or -1

  bool stores(std::int32_t k) const { return item(group_of, k) >= 0; }
};

/// `wanted`: by entry, whether its value is asked for.
Schedule schedule(const Graph& graph, const std::vector<bool>& wanted, const Target& target,
                  const Costs& costs);

/// The groups that replace one whose kernel passes the caps of the target, in order: its outputs
/// apart, or, of a single output, with more stored on the way to it, at every `limit` ops. Empty
/// where nothing is left to cut.
std::vector<Group> cut(const Graph& graph, const Schedule& schedule, const Group& group,
                       std::size_t limit);

/// Stored entries and leaves that a group reads, each once.
std::vector<std::int32_t> reads_of(const Graph& graph, const Schedule& schedule,
                                   const Group& group);

/// Lowered instructions of an op, as the schedule counts them.
std::int64_t instructions_of(const Op& op);

/// Whether the index of an entry is its input's, but for axes of size 1.
bool keeps_index(const Graph& graph, std::int32_t k);

}  // namespace trigon::plan
