// SPDX-License-Identifier: MIT
#include "emit/points.hpp"

#include <string_view>

#include <fmt/format.h>

#include "emit/guards.hpp"

namespace trigon::detail::emit {
namespace {

using core::Type;
using kernel::PointsUniforms;

std::string fetch(int input, bool layered, std::string_view at) {
  return fmt::format("texelFetch(u_t{}, {}{}, 0)", input, at, layered ? "" : ".xy");
}

std::string declarations(const kernel::PointsProgram& program) {
  const auto array = [](bool layered) { return layered ? "Array" : ""; };
  return fmt::format(
      "#version 300 es\n"
      "precision highp float;\n"
      "precision highp int;\n"
      "uniform ivec4 u_i[{}];\n"
      "uniform highp sampler2D{} u_t0;\n"
      "uniform highp {}sampler2D{} u_t1;\n"
      "flat out highp vec4 v_update;\n",
      PointsUniforms::vectors, array(program.layered_values), program.index == Type::u ? "u" : "i",
      array(program.layered_indices));
}

// Column, row and layer of the plain texel that holds offset e; g: width, slab and layers.
constexpr const char* texel_of = R"(ivec3 texel_(int e, ivec3 g) {
  int t = e >> 2;
  int row = t / g.x;
  int slab = row / g.y;
  int group = slab / g.z;
  return ivec3(t - row * g.x, group * g.y + row - slab * g.y, slab - group * g.z);
}
)";

}  // namespace

Source emit_points(const kernel::PointsProgram& program, std::size_t guards) {
  using U = PointsUniforms;
  // An index that an int cannot hold is always out of range.
  const std::string texel = fetch(1, program.layered_indices, "at");
  const std::string index = program.index == Type::u
                                ? fmt::format("int(min({}[e.y & 3], 2147483647u))", texel)
                                : fmt::format("{}[e.y & 3]", texel);
  const std::string value = fetch(0, program.layered_values, "at");
  const std::string update =
      program.whole_texels ? fmt::format("  v_update = {};\n", value)
                           : fmt::format(
                                 "  ivec4 lane = ivec4(equal(ivec4(0, 1, 2, 3), ivec4(e.z & 3)));\n"
                                 "  v_update = mix(vec4(0.0), vec4({}[e.x & 3]), bvec4(lane));\n",
                                 value);
  Source source;
  source.vertex = declarations(program) + texel_of + guard_functions(false, guards) +
                  fmt::format(
                      "void main() {{\n"
                      "  int left = gl_VertexID;\n"
                      "  ivec3 e = u_i[{6}].xyz;\n"
                      "  for (int k = u_i[{0}].w - 1; k >= 0; --k) {{\n"
                      "    int next = left / u_i[k].x;\n"
                      "    e += (left - next * u_i[k].x) * u_i[k].yzw;\n"
                      "    left = next;\n"
                      "  }}\n"
                      "  ivec3 at = texel_(e.y, u_i[{1}].xyz);\n"
                      "  int row = {4};\n"
                      "  int rows = u_i[{3}].x;\n"
                      "  if (row < 0) row += rows;\n"
                      "  if (u_i[{1}].w == 1) row = clamp(row, 0, rows - 1);\n"
                      "  bool falls = row >= 0 && row < rows;\n"
                      "  e.z += (falls ? row : 0) * u_i[{3}].y;\n"
                      "  ivec3 to = texel_(e.z, u_i[{2}].xyz);\n"
                      "  falls = falls && to.z * u_i[{3}].z == u_i[{2}].w;\n"
                      "  at = texel_(e.x, u_i[{0}].xyz);\n"
                      "{5}"
                      "  vec2 place = vec2(to.xy * 2 + 1) / vec2(u_i[{2}].x, u_i[{3}].z) - 1.0;\n"
                      "  gl_Position = vec4(falls{7} ? place : vec2(2.0), 0.0, 1.0);\n"
                      "  gl_PointSize = 1.0;\n"
                      "}}\n",
                      static_cast<int>(U::values), static_cast<int>(U::indices),
                      static_cast<int>(U::target), static_cast<int>(U::rows), index, update,
                      static_cast<int>(U::starts), guards > 0 ? " && taken_()" : "");
  source.fragment =
      "#version 300 es\n"
      "precision highp float;\n"
      "flat in highp vec4 v_update;\n"
      "layout(location = 0) out vec4 o0;\n"
      "void main() { o0 = v_update; }\n";
  return source;
}

}  // namespace trigon::detail::emit
