// SPDX-License-Identifier: MIT
#include "emit/guards.hpp"

#include <fmt/format.h>

namespace trigon::detail::emit {

std::string guard_functions(bool is_es100, std::size_t guards) {
  if (guards == 0) return "";
  std::string samplers, taken;
  for (std::size_t k = 0; k < guards; ++k) {
    // Booleans are stored as unsigned bytes, if the dialect has those.
    samplers += fmt::format("uniform highp {}sampler2D u_g{};\n", is_es100 ? "" : "u", k);
    const std::string texel =
        is_es100 ? fmt::format("texture2DLod(u_g{0}, u_guard[{0}].xy, 0.0)", k)
                 : fmt::format(
                       "vec4(texelFetch(u_g{0}, "
                       "ivec2(u_guard[{0}].xy * vec2(textureSize(u_g{0}, 0))), 0))",
                       k);
    taken += fmt::format("{}is_({}, u_guard[{}])", k > 0 ? " && " : "", texel, k);
  }
  return samplers + fmt::format("uniform highp vec4 u_guard[{}];\n", guards) +
         "bool is_(vec4 texel, vec4 guard) {\n"
         "  float x = guard.z < 0.5 ? texel.x : guard.z < 1.5 ? texel.y : guard.z < 2.5 ? texel.z "
         ": texel.w;\n"
         "  return (x != 0.0) == (guard.w != 0.0);\n"
         "}\n"
         "bool taken_() { return " +
         taken + "; }\n";
}

}  // namespace trigon::detail::emit
