// SPDX-License-Identifier: MIT
#pragma once

#include "core/target.hpp"
#include "graph/collect.hpp"
#include "ir/graph.hpp"
#include "pipeline/plan_record.hpp"
#include "plan/plan.hpp"

namespace trigon::detail::pipeline {

/// The user's graph in canonical form for such a device, with its long stretches of equal stages as
/// loops.
ir::Graph canonical_graph(const graph::Collected& collected, const core::Target& target);

/// The steps that compute the graph's roots on such a device, and where asked a record of why: of
/// the plans that are tried the one that takes the least time in costs.runs runs, with what is
/// compiled for them. Raises DeviceError when something passes the device's limits.
plan::Plan make_plan(const graph::Collected& graph, const core::Target& target,
                     const core::Costs& costs, PlanRecord* record = nullptr);

}  // namespace trigon::detail::pipeline
