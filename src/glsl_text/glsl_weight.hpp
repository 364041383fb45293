// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "core/rooms.hpp"

namespace trigon::detail::glsl_text {

struct GlslWeight {
  std::int64_t operators = 0;  ///< and calls; those in a loop count once
  std::int64_t loops = 0;
};

/// What a text in GLSL has, each function of glsl/ at each of its calls, as drivers inline them.
/// `ints`: of overloads, those for integers count.
GlslWeight glsl_weight(std::string_view text, bool ints = false);

}  // namespace trigon::detail::glsl_text
