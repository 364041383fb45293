// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "core/rooms.hpp"

namespace trigon::detail::core {

/// One file of glsl/, embedded by the build.
struct Chunk {
  std::string_view name;  ///< the file's name without its extension
  std::string_view text;
};

}  // namespace trigon::detail::core
