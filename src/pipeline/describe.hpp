// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <trigon/debug.hpp>

#include "core/rooms.hpp"

// What eval.cpp and debug.cpp share.

namespace trigon::detail::graph {
struct Node;
}
namespace trigon::detail::core {
enum class Asker : std::uint8_t;
struct Costs;
}  // namespace trigon::detail::core
namespace trigon::detail::graph {
struct Collected;
struct LeafStorage;
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

/// The facts about a node's storage that planning may use.
graph::LeafStorage leaf_storage(const graph::Node& node);

/// The cost of a plan on a device of such costs. `scalars`: its run-time numbers, which say how
/// often loops run.
Cost cost_of(const plan::Plan& plan, std::span<const double> scalars, const core::Costs& costs);

/// The nodes of a graph, one a line.
std::string describe_graph(const graph::Collected& graph);

/// The draws of a plan with the reasons, their GLSL where asked, and the sums. `costs`: the
/// device's, for the times.
std::string describe_plan(const plan::Plan& plan, const PlanRecord& record,
                          const core::Costs& costs, std::span<const double> scalars,
                          bool with_glsl);

/// Prints to standard error the plan of a graph, as far as TRIGON_DEBUG (1: draws, 2: graph too,
/// 3: GLSL too) asks for it.
void print_plan(const graph::Collected& graph, const run::DeviceState& device, core::Asker asker);
/// With TRIGON_DEBUG: prints what the evaluation that is done had compiled, in milliseconds.
void print_compiled(run::DeviceState& device);

}  // namespace trigon::detail::pipeline
