// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "plan/step.hpp"
#include "support/host_texture.hpp"

namespace trigon::support {

/// Adds a step's points to one layer of its target, in their order; points of other layers are
/// clipped. Each adds 0 to the lanes of its texel that it does not name, as blending does.
///
/// @param ints  the step's uniforms for that layer, as PointsUniforms numbers them
///
/// Raises std::logic_error where a point leaves its textures or the shader's integers.
void add_points(const plan::Step& step, std::span<const std::int64_t> ints,
                const HostTexture& values, const HostTexture& indices, HostTexture& target,
                std::int64_t layer);

}  // namespace trigon::support
