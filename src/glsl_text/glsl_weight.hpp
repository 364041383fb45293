// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "core/rooms.hpp"

namespace trigon::detail::glsl_text {

struct GlslWeight {
  std::int64_t operators = 0;  ///< operators and calls; those in a loop count once
  std::int64_t loops = 0;
};

/// The weight of a GLSL text, counting functions of glsl/ at each call, since drivers inline them.
/// `ints`: which overloads count, those for integers or those for floats.
GlslWeight glsl_weight(std::string_view text, bool ints = false);

}  // namespace trigon::detail::glsl_text
