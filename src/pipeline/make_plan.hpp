// SPDX-License-Identifier: MIT
#pragma once

#include "core/target.hpp"
#include "graph/collect.hpp"
#include "ir/graph.hpp"
#include "pipeline/plan_record.hpp"
#include "plan/plan.hpp"

namespace trigon::detail::pipeline {

/// The user's graph in canonical form for such a device, with long stretches of equal iterations as
/// loops.
ir::Graph canonical_graph(const graph::Collected& collected, const core::Target& target);

/// The steps that compute the graph's roots on such a device and, if asked for, a record of the
/// reasons. Takes the plan with the least time in costs.runs runs, including compile time. Raises
/// DeviceError if the device's limits are exceeded.
plan::Plan make_plan(const graph::Collected& graph, const core::Target& target,
                     const core::Costs& costs, PlanRecord* record = nullptr);

}  // namespace trigon::detail::pipeline
