// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plan/step.hpp"

namespace trigon::detail::plan {

/// How often a device has run a plan, and when, counted in runs of plans. Textures refer to it.
struct PlanRuns {
  std::int64_t count = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// The steps of an evaluation. Slots stand for textures; nothing in it refers to GL.
struct Plan {
  std::vector<Step> steps;
  std::int32_t slots = 0;
  std::int32_t scalars = 0;  ///< those of the graph, then counters of loops
  struct Binding {
    std::int32_t node;  ///< a collected entry
    std::int32_t slot;
    core::Layout layout{};  ///< of the node's elements in the slot's texture
  };
  std::vector<Binding> leaves;     ///< filled before the first step
  std::vector<Binding> stored;     ///< given to their nodes after the last
  std::vector<std::string> notes;  ///< shown by explain: copies and their reasons
  std::int64_t peak_bytes = 0;     ///< largest sum of the textures alive at once, without leaves
  std::shared_ptr<PlanRuns> runs = std::make_shared<PlanRuns>();

  /// An estimate of its host memory in bytes.
  std::size_t host_bytes() const;
};

/// Fills in Step::last_use and peak_bytes.
void fill_last_use(Plan& plan);

/// The values that the first `steps` steps have written in place, each where it lies after them.
/// `scalars`: the plan's run-time numbers.
std::vector<Plan::Binding> values_in_place(const Plan& plan, std::size_t steps,
                                           std::span<const double> scalars);

}  // namespace trigon::detail::plan
