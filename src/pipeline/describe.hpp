// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <trigon/debug.hpp>

#include "core/rooms.hpp"

// Shared by eval.cpp, explain.cpp and traced.cpp.

namespace trigon::detail::core {
enum class Asker : std::uint8_t;
struct Costs;
}  // namespace trigon::detail::core
namespace trigon::detail::graph {
struct Collected;
struct LeafStorage;
struct Node;
}  // namespace trigon::detail::graph
namespace trigon::detail::pipeline {
struct PlanRecord;
}  // namespace trigon::detail::pipeline
namespace trigon::detail::plan {
struct Plan;
}  // namespace trigon::detail::plan
namespace trigon::detail::run {
class DeviceState;
}

namespace trigon::detail::pipeline {

/// The properties of a node's storage that planning may use.
graph::LeafStorage leaf_storage(const graph::Node& node);

/// The cost of a plan on a device with such costs. `scalars`: its run-time numbers, which determine
/// how often loops run.
Cost cost_of(const plan::Plan& plan, std::span<const double> scalars, const core::Costs& costs);

/// The nodes of a graph, one per line.
std::string describe_graph(const graph::Collected& graph);

/// The draws of a plan with their reasons, their GLSL if asked for, and the totals. `costs`: the
/// device's, for the times.
std::string describe_plan(const plan::Plan& plan, const PlanRecord& record,
                          const core::Costs& costs, std::span<const double> scalars,
                          bool with_glsl);

/// Prints the plan of a graph to standard error, as TRIGON_DEBUG demands (1: draws, 2: graph too,
/// 3: GLSL too).
void print_plan(const graph::Collected& graph, const run::DeviceState& device, core::Asker asker);
/// With TRIGON_DEBUG: prints the programs that the last evaluation compiled, with milliseconds.
void print_compiled(run::DeviceState& device);

}  // namespace trigon::detail::pipeline
