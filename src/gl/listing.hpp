// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "core/rooms.hpp"

namespace trigon::detail::gl {

/// The line of the first error in a compiler's log, 0 if it names none. Reads the forms of Mesa
/// "0:7(12): error:", NVIDIA "0(7) : error C1503:" and ANGLE "ERROR: 0:7:".
int first_error_line(std::string_view log);

/// Lines `line - around` to `line + around` of a source, numbered from 1, the middle one marked
/// with ">". The first lines if `line` is 0.
std::string listing(std::string_view source, int line, int around = 3);

}  // namespace trigon::detail::gl
