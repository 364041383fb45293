// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "core/rooms.hpp"

namespace trigon::detail::emit {

/// The chunks of glsl/ that define the functions called by `text` or by these chunks, definitions
/// first. Names of our functions end in `_`.
std::string library_for(std::string_view text);

}  // namespace trigon::detail::emit
