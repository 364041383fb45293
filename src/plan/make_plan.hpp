// SPDX-License-Identifier: MIT
#pragma once

#include "core/target.hpp"
#include "plan/plan.hpp"
#include "rewrite/collect.hpp"

namespace trigon::plan {

/// The steps that compute the graph's roots on such a device. Raises DeviceError when something
/// passes its limits.
Plan make_plan(const Collected& graph, const Target& target, const Costs& costs);

}  // namespace trigon::plan
