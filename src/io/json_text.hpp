// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace trigon::detail::io {

/// Describes the first token of a JSON text that is too long, or returns "". The limits are 1,000
/// digits in a row for a number and 3,500,000 bytes for a string. Parsers copy each token
/// repeatedly while the copy grows, so a longer token would take many times its size in memory. The
/// text need not be valid JSON. Its bytes are counted from 1.
std::string find_long_token(std::string_view json);

}  // namespace trigon::detail::io
