// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/target.hpp"
#include "graph/collect.hpp"
#include "ir/graph.hpp"
#include "plan/plan.hpp"
#include "schedule/schedule.hpp"

namespace trigon::detail::pipeline {

/// Why a plan is as it is, for explain(): its groups, in order.
struct PlanRecord {
  struct Value {
    std::int32_t entry;  ///< of the canonical graph
    std::int32_t slot;
    schedule::Reason reason;
    schedule::Join join;
  };
  struct DrawnGroup {
    schedule::Apart apart = schedule::Apart::none;
    std::vector<Value> values{};
    std::size_t first_step = 0, steps = 0;  ///< no steps: the values lie in a slot already
    std::vector<std::string> notes{};       ///< copies and their reasons
  };
  ir::Graph graph;
  std::vector<DrawnGroup> groups;
};

/// The user's graph in canonical form for such a device, with its long stretches of equal stages as
/// loops.
ir::Graph canonical_graph(const graph::Collected& collected, const core::Target& target);

/// The steps that compute the graph's roots on such a device, and where asked a record of why: of
/// the plans that are tried the one that takes the least time in costs.runs runs, with what is
/// compiled for them. Raises DeviceError when something passes the device's limits.
plan::Plan make_plan(const graph::Collected& graph, const core::Target& target,
                     const core::Costs& costs, PlanRecord* record = nullptr);

}  // namespace trigon::detail::pipeline
