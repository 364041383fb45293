// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace trigon::emit {

/// One file of glsl/, embedded by the build.
struct Chunk {
  std::string_view name;  ///< the file's name without its extension
  std::string_view text;
};

/// All chunks, in the order of their names.
std::span<const Chunk> chunks();

}  // namespace trigon::emit
