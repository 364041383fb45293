// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace trigon::detail::emit {

/// The declarations of the texels that a vertex stage looks at, u_g0 ..., and bool taken_(), which
/// is whether all of them have what u_guard asks for: the texel's centre, as a part of the
/// texture's sides, its lane, and 1 where it is to be other than 0.
std::string guard_functions(bool is_es100, std::size_t guards);

}  // namespace trigon::detail::emit
