// SPDX-License-Identifier: MIT
#pragma once

#include "plan/canonical.hpp"
#include "plan/plan.hpp"

namespace trigon::plan {

/// The draws that compute the graph's roots on such a device. Raises DeviceError when something
/// passes its limits.
Plan make_plan(const Graph& graph, const Target& target);

}  // namespace trigon::plan
