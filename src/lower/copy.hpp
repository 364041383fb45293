// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "lower/lower.hpp"

namespace trigon::detail::lower {

/// Computes an entry into rows that each start at a texel, and adds it to `copies`. False if the
/// kernel exceeds the target.
bool copy_padded(const Scene& scene, std::int32_t entry, const char* why, Draft& draft,
                 Copies& copies);

/// The same into its own texture, without gaps between rows. False if the kernel exceeds the
/// target.
bool copy_flat(const Scene& scene, std::int32_t entry, const std::vector<std::int32_t>& reads,
               Draft& draft, Copies& copies);

/// Whether `copy_as` can draw into textures of that layout.
bool can_copy_as(const core::Target& target, const core::Layout& layout);
/// The same into its own texture of that layout. False if the kernel exceeds the target.
bool copy_as(const Scene& scene, std::int32_t entry, const core::Layout& layout, Draft& draft,
             Copies& copies);

}  // namespace trigon::detail::lower
