// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "lower/lower.hpp"

namespace trigon::plan {

/// A loop as a graph of one trip, or of several ones at once, whose steps are repeated. Its values
/// lie in textures: carries, which trade places with the values that a trip computes, and stacked
/// outputs, of which it writes one row. None past the caps of the target, or where several trips
/// leave nothing to repeat. `before`: the numbers of the draft go on from these.
std::optional<Draft> trip_by_trip(const Scene& scene, const Group& group, const Draft& before,
                                  std::int64_t at_once);

}  // namespace trigon::plan
