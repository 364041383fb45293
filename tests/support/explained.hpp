// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "pipeline/describe.hpp"
#include "pipeline/plan_record.hpp"
#include "support/plans.hpp"

namespace trigon {

/// The draws of explain() for roots that are evaluated together, without a device.
inline std::string draws_of(const std::vector<Tensor>& roots,
                            const core::Target& target = core::llvmpipe()) {
  pipeline::PlanRecord record;
  const core::Costs& costs = costs_of(target);
  const plan::Plan plan = pipeline::make_plan(graph_of(roots, target), target, costs, &record);
  return describe_plan(plan, record, costs, {}, false);
}

}  // namespace trigon
