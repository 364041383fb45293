// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "plan/plan.hpp"
#include "rewrite/collect.hpp"

namespace trigon::run {
class DeviceState;
}

namespace trigon {

/// What the planner may know of a node's storage.
plan::LeafStorage leaf_storage(const graph::Node& node);

/// The graph, the draws and, where asked, the GLSL as text.
std::string describe(const plan::Collected& graph, const plan::Plan& plan, bool with_graph,
                     bool with_glsl);

/// Prints to standard error what TRIGON_DEBUG (1: draws, 2: graph too, 3: GLSL too) asks for.
void print_plan(const plan::Collected& graph, const plan::Plan& plan,
                const run::DeviceState& device);

}  // namespace trigon
