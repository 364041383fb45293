// SPDX-License-Identifier: MIT
#pragma once

#if __cplusplus < 202002L
#error "trigon needs C++20: compile with -std=c++20"
#endif

#include <cstdint>

#define TRIGON_VERSION_MAJOR 0
#define TRIGON_VERSION_MINOR 1
#define TRIGON_VERSION_PATCH 0

/// The version as a number for comparisons in `#if`: 10203 is 1.2.3.
#define TRIGON_VERSION \
  (TRIGON_VERSION_MAJOR * 10000 + TRIGON_VERSION_MINOR * 100 + TRIGON_VERSION_PATCH)

/// The version as text: "1.2.3".
#define TRIGON_VERSION_STRING              \
  TRIGON_DETAIL_TEXT(TRIGON_VERSION_MAJOR) \
  "." TRIGON_DETAIL_TEXT(TRIGON_VERSION_MINOR) "." TRIGON_DETAIL_TEXT(TRIGON_VERSION_PATCH)
#define TRIGON_DETAIL_TEXT(number) TRIGON_DETAIL_QUOTED(number)
#define TRIGON_DETAIL_QUOTED(number) #number

namespace trigon {

/// The execution model of a device: it uses only these features of the driver.
enum class Profile : std::uint8_t {
  webgl2,  ///< GLSL ES 3.00: integer textures, layered and multiple targets, texelFetch.
  webgl1,  ///< GLSL ES 1.00, OES_texture_float and WEBGL_color_buffer_float: no integers.
};

}  // namespace trigon
