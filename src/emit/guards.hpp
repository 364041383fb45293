// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace trigon::detail::emit {

/// Declares the textures u_g0, ... that a vertex stage reads, and bool taken_(), which compares a
/// texel of each with u_guard. An element of u_guard holds the texel's centre relative to the
/// texture's sides, the lane, and 1 if the value must not be 0.
std::string guard_functions(bool is_es100, std::size_t guards);

}  // namespace trigon::detail::emit
