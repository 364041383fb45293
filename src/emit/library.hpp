// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "core/rooms.hpp"

namespace trigon::detail::emit {

/// The chunks of glsl/ that define the functions which `text` calls, and those that these call,
/// definitions first. Our functions end in `_`.
std::string library_for(std::string_view text);

}  // namespace trigon::detail::emit
