// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#define TRIGON_VERSION_MAJOR 0
#define TRIGON_VERSION_MINOR 1
#define TRIGON_VERSION_PATCH 0

namespace trigon {

/// The execution model that a device keeps to: everything else of the driver is left unused.
enum class Profile : std::uint8_t {
  webgl2,  ///< GLSL ES 3.00: integer textures, layered and multiple targets, texelFetch.
  webgl1,  ///< GLSL ES 1.00, OES_texture_float and WEBGL_color_buffer_float: no integers.
};

}  // namespace trigon
