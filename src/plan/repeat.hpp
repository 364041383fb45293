// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/target.hpp"
#include "kernel/step.hpp"
#include "rewrite/graph.hpp"

namespace trigon::plan {

/// Trips that a shader's integers can count.
inline std::int64_t most_trips(const Target& target) {
  return std::int64_t{1} << (target.dialect == Dialect::es100 ? 22 : 29);
}

/// Of `loop`, without the first `done`; at most `most`.
inline IntExpr trips_left(const LoopNumbers& loop, std::int64_t done, std::int64_t most) {
  const std::int64_t known = std::min(loop.trips, std::int64_t{1} << 40) - done;
  if (loop.trips_scalar < 0) return {.base = std::clamp<std::int64_t>(known, 0, most)};
  return {.base = known,
          .scalar = static_cast<std::int32_t>(loop.trips_scalar),
          .low = -known,
          .high = most - known};
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
