// SPDX-License-Identifier: MIT
#include "emit/dialect.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "core/item.hpp"
#include "emit/guards.hpp"

namespace trigon::detail::emit {

using core::Type;

Dialect::Dialect(const kernel::Kernel& kernel)
    : es300_(kernel.dialect != core::Dialect::es100), sampled_(kernel.sampled) {
  has_overlays_ =
      std::any_of(kernel.code.begin(), kernel.code.end(),
                  [](const kernel::Instr& instr) { return instr.is<kernel::OverlayNumber>(); });
}

std::string_view Dialect::register_type(Type type) const {
  static constexpr std::array<std::string_view, 3> names{"vec4", "ivec4", "uvec4"};
  return item(names, type);
}

std::string Dialect::number(std::int64_t value) const {
  return es300_ ? fmt::format("{}", value) : fmt::format("{}.0", value);
}

std::string Dialect::prologue(const kernel::Kernel& kernel) const {
  static constexpr std::array<std::string_view, 3> kinds{"", "i", "u"};
  std::string text = es300_ ? "#version 300 es\n" : "#version 100\n";
  text += "precision highp float;\nprecision highp int;\n";
  const auto vectors = [](std::int32_t count) { return (count + 3) / 4; };
  if (kernel.ints > 0) {
    text += fmt::format("uniform {} u_i[{}];\n", lanes_type(), vectors(kernel.ints));
  }
  if (kernel.floats > 0) text += fmt::format("uniform vec4 u_f[{}];\n", vectors(kernel.floats));
  // In 1.00 gl_FragCoord has medium precision: past 1,024 it may miss the texel.
  if (!es300_) text += "varying highp vec2 v_at;\n";
  // inf and NaN, since GLSL has no literals for them.
  text += "uniform vec2 u_special;\n#define INF_ u_special.x\n#define NAN_ u_special.y\n";
  for (std::size_t k = 0; k < kernel.inputs.size(); ++k) {
    const auto& input = kernel.inputs[k];
    text += fmt::format("uniform highp {}sampler2D{} u_t{};\n",
                        es300_ ? item(kinds, input.type) : "", input.layered ? "Array" : "", k);
  }
  if (has_overlays_) text += "flat in highp int v_part;\n";
  for (std::size_t k = 0; es300_ && k < kernel.outputs.size(); ++k) {
    text += fmt::format("layout(location = {}) out {} o{};\n", k,
                        register_type(kernel.outputs[k].type), k);
  }
  return text;
}

std::string Dialect::vertex(std::size_t guards) const {
  const std::string functions = guard_functions(!es300_, guards);
  // A draw that is not taken has all corners at one point out of sight.
  const std::string end =
      guards > 0 ? "  if (!taken_()) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);\n}\n" : "}\n";
  // One triangle that covers the viewport, or several. The uniform is never set and stays 0:
  // NVIDIA's driver (580) crashes in a draw whose program has no active uniform.
  if (has_overlays_) {
    return "#version 300 es\n"
           "uniform highp float u_depth;\n"
           "flat out highp int v_part;\n" +
           functions +
           "void main() {\n"
           "  int k = gl_VertexID % 3;\n"
           "  v_part = gl_VertexID / 3;\n"
           "  vec2 corner = vec2(k == 1 ? 3.0 : -1.0, k == 2 ? 3.0 : -1.0);\n"
           "  gl_Position = vec4(corner, u_depth, 1.0);\n" +
           end;
  }
  if (es300_) {
    return "#version 300 es\n"
           "uniform highp float u_depth;\n" +
           functions +
           "void main() {\n"
           "  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);\n"
           "  gl_Position = vec4(corner, u_depth, 1.0);\n" +
           end;
  }
  return "#version 100\n"
         "attribute vec2 corner;\n"
         "uniform highp vec4 u_view;\n"
         "varying highp vec2 v_at;\n" +
         functions +
         "void main() {\n"
         "  v_at = u_view.xy + (corner * 0.5 + 0.5) * u_view.zw;\n"
         "  gl_Position = vec4(corner, 0.0, 1.0);\n" +
         end;
}

std::string Dialect::output(std::size_t number) const {
  return es300_ ? fmt::format("o{}", number) : "gl_FragColor";
}

std::string Dialect::trip(std::int32_t block) const {
  return block == 1 ? "t" : fmt::format("t{}", block);
}

namespace {

/// The counter of a loop in 1.00, as an integer.
std::string whole_trip(std::int32_t block) { return block == 1 ? "i" : fmt::format("i{}", block); }

}  // namespace

std::string Dialect::counted(std::string_view of, std::int32_t vector, std::int32_t block) const {
  if (es300_) return element(of, vector, trip(block));
  // In 1.00 an index into uniforms consists only of constants and the counter of a loop.
  return picked(of, vector, whole_trip(block) + " / 4", trip(block));
}

std::string Dialect::element(std::string_view of, std::int32_t vector,
                             const std::string& index) const {
  return picked(of, vector, index + " >> 2", index);
}

std::string Dialect::picked(std::string_view of, std::int32_t vector, const std::string& vectors,
                            const std::string& index) const {
  return fmt::format("pick_({}[{}{}], {})", of, vector > 0 ? fmt::format("{} + ", vector) : "",
                     vector > 0 ? "(" + vectors + ")" : vectors, component(index));
}

std::string Dialect::loop(std::string_view trips, std::int32_t block) const {
  const std::string t = trip(block);
  if (es300_) return fmt::format("  for (int {0} = 0; {0} < {1}; ++{0}) {{\n", t, trips);
  // Loops of 1.00 have constant bounds. The planner keeps trips below this one.
  return fmt::format(
      "  for (int {0} = 0; {0} < 65535; ++{0}) {{\n    float {1} = float({0});\n    if ({1} >= "
      "{2}) "
      "break;\n",
      whole_trip(block), t, trips);
}

std::string Dialect::convert(std::string_view value, Type from, Type to,
                             kernel::Conversion how) const {
  switch (how) {
    case kernel::Conversion::truth:
      if (from == Type::i) return fmt::format("vec4(notEqual({}, ivec4(0)))", value);
      if (from == Type::u) return fmt::format("vec4(notEqual({}, uvec4(0u)))", value);
      return fmt::format("1.0 - vec4(equal({}, vec4(0.0)))", value);
    case kernel::Conversion::half: return fmt::format("half_({})", value);
    case kernel::Conversion::truncate: return fmt::format("whole_({})", value);
    case kernel::Conversion::word:
      return fmt::format("{0} - 4294967296.0 * floor({0} / 4294967296.0)", value);
    case kernel::Conversion::byte:
      if (from == Type::f) return fmt::format("{0} - 256.0 * floor({0} / 256.0)", value);
      return fmt::format("{} & 255u", value);
    case kernel::Conversion::wrap: return fmt::format("uvec4(ivec4({}))", value);
    default: return fmt::format("{}({})", register_type(to), value);
  }
}

std::string_view Dialect::element_type(DType dtype) const {
  switch (info(dtype).kind) {
    case NumberKind::floating: return "float";
    case NumberKind::boolean: return "bool";
    case NumberKind::integer: break;
  }
  return dtype == DType::int32 || !es300_ ? "int" : "uint";
}

std::string_view Dialect::lanes_of(DType dtype) const {
  if (!es300_ || !is_integer(dtype)) return register_type(Type::f);
  return register_type(dtype == DType::int32 ? Type::i : Type::u);
}

std::string Dialect::to_element(std::string_view lane, DType dtype) const {
  if (dtype == DType::boolean) return fmt::format("{} != 0.0", lane);
  return es300_ || !is_integer(dtype) ? std::string(lane) : fmt::format("int({})", lane);
}

std::string Dialect::from_element(std::string_view value, DType dtype) const {
  const bool is_register = dtype != DType::boolean && (es300_ || !is_integer(dtype));
  return is_register ? std::string(value) : fmt::format("float({})", value);
}

std::string Dialect::from_texel(std::string_view component, DType dtype) const {
  // Booleans are stored as unsigned bytes.
  if (es300_ && dtype == DType::boolean) return fmt::format("{} != 0u", component);
  return to_element(component, dtype);
}

std::string Dialect::fragment_column() const {
  return es300_ ? "int(gl_FragCoord.x)" : "floor(v_at.x)";
}

std::string Dialect::fragment_row() const {
  return es300_ ? "int(gl_FragCoord.y)" : "floor(v_at.y)";
}

std::string Dialect::fetch(int k, std::string_view x, std::string_view y,
                           std::string_view layer) const {
  if (!es300_) return fmt::format("texture2D(u_t{}, vec2({}, {}))", k, x, y);
  if (sampled_) {
    return layer.empty() ? fmt::format("texture(u_t{}, vec2({}, {}))", k, x, y)
                         : fmt::format("texture(u_t{}, vec3({}, {}, float({})))", k, x, y, layer);
  }
  return layer.empty() ? fmt::format("texelFetch(u_t{}, ivec2({}, {}), 0)", k, x, y)
                       : fmt::format("texelFetch(u_t{}, ivec3({}, {}, {}), 0)", k, x, y, layer);
}

std::string Dialect::column(std::string_view offset, std::string_view inverse, bool vector,
                            std::int64_t elements_per_texel) const {
  if (!es300_) {
    const double factor = 1.0 / static_cast<double>(elements_per_texel);
    return fmt::format("(floor({} * {}) + 0.5) * {}", offset, factor, inverse);
  }
  const int bits = std::countr_zero(static_cast<std::uint64_t>(elements_per_texel));
  if (!sampled_) return fmt::format("{} >> {}", offset, bits);
  return fmt::format("({}({} >> {}) + 0.5) * {}", vector ? "vec4" : "float", offset, bits, inverse);
}

std::string Dialect::decoded(const std::string& texel, kernel::EncodingNumber encoding,
                             std::string_view offset) const {
  if (encoding < 0) return texel;
  const core::EncodingInfo& row = item(core::encodings(), encoding);
  return fmt::format("{}({}, {} >> 2 & {})", row.decode, texel, offset,
                     row.elements_per_texel / core::lanes - 1);
}

std::string Dialect::row(std::string_view index, std::string_view inverse, bool vector) const {
  if (!sampled_) return std::string(index);
  if (!es300_) return fmt::format("({} + 0.5) * {}", index, inverse);
  return fmt::format("({}({}) + 0.5) * {}", vector ? "vec4" : "float", index, inverse);
}

std::string Dialect::component(std::string_view offset) const {
  return es300_ ? fmt::format("{} & 3", offset)
                : fmt::format("{0} - 4.0 * floor({0} * 0.25)", offset);
}

std::string Dialect::to_index(std::string_view value, Type type, bool vector) const {
  const std::string_view lanes = vector ? "" : ".x";
  if (!es300_) return fmt::format("{}{}", value, lanes);
  if (type == Type::i) return fmt::format("{}{}", value, lanes);
  return fmt::format("{}({}{})", vector ? "ivec4" : "int", value, lanes);
}

}  // namespace trigon::detail::emit
