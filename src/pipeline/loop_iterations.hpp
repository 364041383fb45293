// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "lower/lower.hpp"

namespace trigon::detail::pipeline {

/// A loop as a graph of one iteration, or of several computed together, whose steps are repeated.
/// Carries lie in textures and trade places with their next values. An iteration writes one row of
/// each stacked output. None if a limit of the target is exceeded, or if several iterations leave
/// nothing to repeat. `before`: the draft continues its numbers.
std::optional<lower::Draft> one_after_the_other(const lower::Scene& scene,
                                                const schedule::Group& group,
                                                const lower::Draft& before, std::int64_t at_once);

}  // namespace trigon::detail::pipeline
