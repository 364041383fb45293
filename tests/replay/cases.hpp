// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/target.hpp"
#include "plan_text.hpp"

namespace trigon::replay {

/// A device to plan for.
struct Target {
  std::string name;
  core::Target target;
  core::Costs costs;
};

/// Those of targets() and the tiny one.
std::vector<Target> targets();

/// One program or a group of them: a row of expected.txt for each device.
///
/// All compilers must give the same rows. A plan depends on the order in which nodes are made, and
/// C++ leaves the order of operands of a call or operator to the compiler. So at most one operand
/// may make nodes, or draw numbers; the others are named before, in order. The items of a braced
/// list are evaluated in order.
struct Case {
  std::string name;
  std::function<void(const Target& target, PlanText& text)> run;
};

/// Graphs over leaves of the host, planned without a device.
std::vector<Case> graph_cases();
/// Programs that open a device, over a GL that draws nothing.
std::vector<Case> program_cases();

}  // namespace trigon::replay
