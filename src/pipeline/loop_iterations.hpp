// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "lower/lower.hpp"

namespace trigon::detail::pipeline {

/// A loop as a graph of one trip, or of several computed together, whose steps are repeated.
/// Carries lie in textures and trade places with their next values. Of stacked outputs, a trip
/// writes one row. None if a limit of the target is exceeded, or if several trips leave nothing to
/// repeat. `before`: the draft continues its numbers.
std::optional<lower::Draft> trip_by_trip(const lower::Scene& scene, const schedule::Group& group,
                                         const lower::Draft& before, std::int64_t at_once);

}  // namespace trigon::detail::pipeline
