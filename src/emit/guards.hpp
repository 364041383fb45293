// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace trigon::detail::emit {

/// The declarations of the texels that a vertex stage looks at, u_g0 ..., and bool taken_():
/// whether all of them are as u_guard demands. That holds the texel's centre, relative to the
/// texture's sides, its lane, and 1 if it must be other than 0.
std::string guard_functions(bool is_es100, std::size_t guards);

}  // namespace trigon::detail::emit
