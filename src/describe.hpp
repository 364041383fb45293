// SPDX-License-Identifier: MIT
#pragma once

#include <string>

// What eval.cpp and debug.cpp share.

namespace trigon::graph {
struct Node;
}
namespace trigon::plan {
struct Collected;
struct LeafStorage;
struct Plan;
}  // namespace trigon::plan
namespace trigon::run {
class DeviceState;
}

namespace trigon {

/// The facts about a node's storage that planning may use.
plan::LeafStorage leaf_storage(const graph::Node& node);

/// The graph, the draws and, where asked, the GLSL as text.
std::string describe(const plan::Collected& graph, const plan::Plan& plan, bool with_graph,
                     bool with_glsl);

/// Prints to standard error what TRIGON_DEBUG (1: draws, 2: graph too, 3: GLSL too) asks for.
void print_plan(const plan::Collected& graph, const plan::Plan& plan,
                const run::DeviceState& device);

}  // namespace trigon
