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
namespace trigon::plan {
enum class Asker : std::uint8_t;
struct Collected;
struct LeafStorage;
struct Costs;
struct Plan;
struct PlanRecord;
}  // namespace trigon::plan
namespace trigon::detail::run {
class DeviceState;
}

namespace trigon {

/// The facts about a node's storage that planning may use.
plan::LeafStorage leaf_storage(const graph::Node& node);

/// The cost of a plan on a device of such costs. `scalars`: its run-time numbers, which say how
/// often loops run.
Cost cost_of(const plan::Plan& plan, std::span<const double> scalars, const plan::Costs& costs);

/// The nodes of a graph, one a line.
std::string describe_graph(const plan::Collected& graph);

/// The draws of a plan with the reasons, their GLSL where asked, and the sums. `costs`: the
/// device's, for the times.
std::string describe_plan(const plan::Plan& plan, const plan::PlanRecord& record,
                          const plan::Costs& costs, std::span<const double> scalars,
                          bool with_glsl);

/// Prints to standard error the plan of a graph, as far as TRIGON_DEBUG (1: draws, 2: graph too,
/// 3: GLSL too) asks for it.
void print_plan(const plan::Collected& graph, const run::DeviceState& device, plan::Asker asker);
/// With TRIGON_DEBUG: prints what the evaluation that is done had compiled, in milliseconds.
void print_compiled(run::DeviceState& device);

}  // namespace trigon
