// SPDX-License-Identifier: MIT
#pragma once

#include "lower/lower.hpp"

namespace trigon::plan {

/// Computes an entry into rows that start a texel: one more of `copies`. False past the caps.
bool copy_padded(const Scene& scene, std::int32_t entry, const char* why, Draft& draft,
                 Copies& copies);

}  // namespace trigon::plan
