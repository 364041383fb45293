// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/target.hpp"
#include "kernel/step.hpp"

namespace trigon::plan {

/// Trips that a shader's integers can count.
inline std::int64_t most_trips(const Target& target) {
  return std::int64_t{1} << (target.dialect == Dialect::es100 ? 22 : 29);
}

/// A step over others has no outputs of its own.
inline Step repeat_of(std::vector<Step> body, const IntExpr& repeats) {
  Step step;
  step.label = "repeat";
  step.body = std::move(body);
  step.repeats = repeats;
  for (Step& inner : step.body) inner.node = -1;
  return step;
}

}  // namespace trigon::plan
