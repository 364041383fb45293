// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ir/graph.hpp"
#include "schedule/group.hpp"

namespace trigon::detail::pipeline {

/// The reasons for a plan, for explain(): its groups, in order.
struct PlanRecord {
  struct Value {
    std::int32_t entry;  ///< of the canonical graph
    std::int32_t slot;
    schedule::Reason reason;
    schedule::Join join;
  };
  struct DrawnGroup {
    schedule::SplitReason split_reason = schedule::SplitReason::none;
    std::vector<Value> values{};
    std::size_t first_step = 0, steps = 0;  ///< no steps: the values already lie in a slot
    std::vector<std::string> notes{};       ///< copies and their reasons
  };
  ir::Graph graph;
  std::vector<DrawnGroup> groups;
};

}  // namespace trigon::detail::pipeline
