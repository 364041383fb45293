// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "lower/lower.hpp"

namespace trigon::plan {

/// Computes an entry into rows that start a texel: one more of `copies`. False past the caps.
bool copy_padded(const Scene& scene, std::int32_t entry, const char* why, Draft& draft,
                 Copies& copies);

/// Computes an entry into a texture of its own, without gaps between rows. False past the caps.
bool copy_flat(const Scene& scene, std::int32_t entry, const std::vector<std::int32_t>& reads,
               Draft& draft, Copies& copies);

}  // namespace trigon::plan
