// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "lower/lower.hpp"

namespace trigon::detail::pipeline {

/// A loop as a graph of one trip, or of several ones at once, whose steps are repeated. Its values
/// lie in textures: carries, which trade places with the values that a trip computes, and stacked
/// outputs, of which it writes one row. None past the caps of the target, or where several trips
/// leave nothing to repeat. `before`: the numbers of the draft go on from these.
std::optional<lower::Draft> trip_by_trip(const lower::Scene& scene, const schedule::Group& group,
                                         const lower::Draft& before, std::int64_t at_once);

}  // namespace trigon::detail::pipeline
