// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "lower/lower.hpp"

namespace trigon::detail::lower {

/// Computes an entry into rows that start a texel: one more of `copies`. False past the caps.
bool copy_padded(const Scene& scene, std::int32_t entry, const char* why, Draft& draft,
                 Copies& copies);

/// Computes an entry into a texture of its own, without gaps between rows. False past the caps.
bool copy_flat(const Scene& scene, std::int32_t entry, const std::vector<std::int32_t>& reads,
               Draft& draft, Copies& copies);

/// Whether `copy_as` can draw into textures of that layout.
bool can_copy_as(const core::Target& target, const core::Layout& layout);
/// Computes an entry into a texture of its own of that layout. False past the caps.
bool copy_as(const Scene& scene, std::int32_t entry, const core::Layout& layout, Draft& draft,
             Copies& copies);

}  // namespace trigon::detail::lower
