// SPDX-License-Identifier: MIT
#include "gl/caps.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <utility>

#include "core/called.hpp"
#include "core/item.hpp"
#include "gl/check.hpp"
#include "gl/context.hpp"
#include "gl/handles.hpp"
#include "gl/probe_shaders.hpp"
#include "gl/program.hpp"
#include "gl/settings.hpp"

namespace trigon::detail::gl {
namespace {

// Register blocks have eight rows, so more attachments are never used.
constexpr int most_draw_buffers = 8;

int integer(GLenum name) {
  GLint value = 0;
  glGetIntegerv(name, &value);
  return value;
}

std::string text(GLenum name) {
  const auto* value = reinterpret_cast<const char*>(glGetString(name));
  return value ? value : "unknown";
}

// Browsers hide the driver's strings, except through WEBGL_debug_renderer_info.
constexpr GLenum vendor_name = in_browser ? 0x9245 : GL_VENDOR;      // UNMASKED_VENDOR_WEBGL
constexpr GLenum renderer_name = in_browser ? 0x9246 : GL_RENDERER;  // UNMASKED_RENDERER_WEBGL

// A framebuffer that is bound during a probe; its destructor restores GL's defaults.
class Scratch {
 public:
  explicit Scratch(const Context& context)
      : es2_(context.es2()),
        framebuffer_(Framebuffer::create()),
        vertex_array_(VertexArray::create()) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    glBindVertexArray(vertex_array_.id());
  }
  ~Scratch() {
    glDisable(GL_BLEND);
    glUseProgram(0);
    glBindVertexArray(0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glBindTexture(GL_TEXTURE_2D, 0);
    if (!es2_) glBindTexture(GL_TEXTURE_2D_ARRAY, 0);
    clear_errors();
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

 private:
  bool es2_;
  Framebuffer framebuffer_;
  VertexArray vertex_array_;
};

Texture plain_target(const Context& context, Format format, int width, int height) {
  Texture texture = Texture::create();
  glBindTexture(GL_TEXTURE_2D, texture.id());
  store_2d(context.es2(), format, width, height);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture.id(), 0);
  return texture;
}

// Attaches layers first, first + 1, ... to the attachments 0, 1, ...
Texture layered_target(int layers, int first, int attachments) {
  Texture texture = Texture::create();
  glBindTexture(GL_TEXTURE_2D_ARRAY, texture.id());
  glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA32F, 1, 1, layers);
  for (int i = 0; i < attachments; ++i)
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(i),
                              texture.id(), 0, first + i);
  return texture;
}

using Vec4 = std::array<float, 4>;

template <class T>
std::array<T, 4> texel(int x, int y, GLenum format, GLenum type) {
  std::array<T, 4> found{};
  glReadPixels(x, y, 1, 1, format, type, found.data());
  return found;
}

// A format that can be drawn may not be readable, so every probe reads its values back.
template <class T>
bool reads(int x, int y, GLenum format, GLenum type, const std::array<T, 4>& expected) {
  const std::array<T, 4> found = texel<T>(x, y, format, type);
  return clear_errors() && found == expected;
}

// Values past the range and precision of half floats, still exact when multiplied by up to 16.
constexpr Vec4 proof = {1.0F + 0x1p-20F, 0x1p100F, -0x1p-30F, 65537.0F};

Vec4 times(const Vec4& value, int factor) {
  Vec4 result = value;
  for (float& lane : result) lane *= static_cast<float>(factor);
  return result;
}

// The program of a probe: a shader of glsl/probe/ over one triangle.
Program probe_program(std::string_view name, int targets) {
  const std::string head = fmt::format("#version 300 es\n#define TARGETS {}\n", targets);
  const auto source = [&](std::string_view wanted) {
    const auto all = probe_shaders();
    const auto at = std::find_if(all.begin(), all.end(),
                                 [&](const core::Chunk& chunk) { return chunk.name == wanted; });
    return head + std::string(at->text);
  };
  return link_program(compile_shader(GL_VERTEX_SHADER, source("triangle")),
                      compile_shader(GL_FRAGMENT_SHADER, source(name)));
}

// Attachment i must hold (i + 1) * factor times the proof.
bool attachments_hold(int count, int factor) {
  bool same = true;
  for (int i = 0; i < count; ++i) {
    glReadBuffer(GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(i));
    const Vec4 found = texel<float>(0, 0, GL_RGBA, GL_FLOAT);
    same = found == times(proof, (i + 1) * factor) && same;
  }
  glReadBuffer(GL_COLOR_ATTACHMENT0);
  return clear_errors() && same;  // a browser answers late, so this asks once
}

bool draw_proof() {
  glDrawArrays(GL_TRIANGLES, 0, 3);
  return clear_errors();
}

// Whether the first attachment of the bound framebuffer holds the values that it is cleared to.
bool target_works(int x, int y) {
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) return false;
  glClearColor(proof[0], proof[1], proof[2], proof[3]);
  glClear(GL_COLOR_BUFFER_BIT);
  return reads(x, y, GL_RGBA, GL_FLOAT, proof);
}

// Draws into `count` RGBA32F targets at once, which are layers of one array texture if there are
// several, and adds the same by blending. Returns the reason for a failure, or "".
std::string try_float_targets(const Context& context, int count, bool& blends) {
  const Scratch scratch(context);
  const Texture target =
      count == 1 ? plain_target(context, Format::rgba32f, 1, 1) : layered_target(count, 0, count);
  if (const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
      status != GL_FRAMEBUFFER_COMPLETE)
    return framebuffer_status_name(status);
  // The probe's shaders are GLSL ES 3.00.
  if (context.es2()) return target_works(0, 0) ? "" : "what is cleared is not what is read back";
  auto buffers = vector_of<GLenum>(count);
  std::iota(buffers.begin(), buffers.end(), GL_COLOR_ATTACHMENT0);
  glDrawBuffers(count, buffers.data());
  const Program program = probe_program("targets", count);
  glUseProgram(program.id());
  glUniform4fv(glGetUniformLocation(program.id(), "u_value"), 1, proof.data());
  glViewport(0, 0, 1, 1);
  glDisable(GL_BLEND);
  if (!draw_proof()) return "the draw raises an error";
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE);
  blends = draw_proof() && attachments_hold(count, 2);  // a sum of two draws proves the first, too
  glBlendFunc(GL_ONE, GL_ZERO);
  glDisable(GL_BLEND);
  if (blends || (draw_proof() && attachments_hold(count, 1))) return "";
  return "what is drawn is not what is read back";
}

bool side_works(const Context& context, int side) {
  const Scratch scratch(context);
  {
    const Texture wide = plain_target(context, Format::rgba32f, side, 1);
    if (!target_works(side - 1, 0)) return false;
  }
  const Texture tall = plain_target(context, Format::rgba32f, 1, side);
  return target_works(0, side - 1);
}

bool layers_work(const Context& context, int layers) {
  const Scratch scratch(context);
  const Texture texture = layered_target(layers, layers - 1, 1);
  return target_works(0, 0);
}

// GLSL allows one derivative for a whole quad; most drivers compute one for each row and column.
bool derivatives_are_exact(const Context& context) {
  constexpr int side = 4;
  const Scratch scratch(context);
  const Texture target = plain_target(context, Format::rgba32f, side, side);
  const Program program = probe_program("differences", 1);
  glUseProgram(program.id());
  glUniform1f(glGetUniformLocation(program.id(), "u_value"), proof[0]);
  glViewport(0, 0, side, side);
  if (!draw_proof()) return false;
  const auto own = [](int x, int y) { return proof[0] * static_cast<float>(1 + x + 4 * y); };
  std::array<Vec4, side * side> found{};
  glReadPixels(0, 0, side, side, GL_RGBA, GL_FLOAT, found.data());
  bool exact = clear_errors();
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const Vec4 expected{own(x | 1, y), -own(x & ~1, y), own(x, y | 1), -own(x, y & ~1)};
      exact = item(found, side * y + x) == expected && exact;
    }
  }
  return exact;
}

// The largest of limit, limit / 2, limit / 4 ... that works, at least 1.
template <class Works>
int proven(const Context& context, int limit, Works works) {
  clear_errors();
  while (limit > 1 && !works(context, limit)) limit /= 2;
  return limit;
}

// GLSL ES 1.00 does not require 32-bit floats in fragment shaders.
void require_highp(const Caps& caps) {
  constexpr int mantissa_bits = 23;
  std::array<GLint, 2> range{};
  GLint precision = 0;
  glGetShaderPrecisionFormat(GL_FRAGMENT_SHADER, GL_HIGH_FLOAT, range.data(), &precision);
  if (precision >= mantissa_bits) return;
  core::fail_on_device("Device",
                       "no highp floats in fragment shaders: {}: {} bits of mantissa; "
                       "it must have {}",
                       caps.renderer, precision, mantissa_bits);
}

void probe_floats(Caps& caps, const Context& context, Profile profile) {
  const bool one = context.es2() || profile == Profile::webgl1;
  const int attachments = one ? 1 : integer(GL_MAX_COLOR_ATTACHMENTS);
  const int told = one ? 1 : std::min(integer(GL_MAX_DRAW_BUFFERS), attachments);
  int count = std::clamp(told, 1, most_draw_buffers);
  std::string reason = try_float_targets(context, count, caps.float_blend);
  while (!reason.empty() && count > 1) {
    count = count > 4 ? 4 : 1;
    reason = try_float_targets(context, count, caps.float_blend);
  }
  if (!reason.empty())
    core::fail_on_device(
        "Device",
        "no float render target: {}: RGBA32F: {}; it must draw to RGBA32F and read "
        "it back (GL_EXT_color_buffer_float)",
        caps.renderer, reason);
  caps.float32_render = true;
  caps.max_draw_buffers = count;
  caps.max_color_attachments = std::max(count, attachments);
  item(caps.read, Format::rgba32f) = {GL_RGBA, GL_FLOAT, 16};
}

// Clears a texel of the format. Returns the first pair of arguments that reads it exactly.
ReadFormat probe_read(const Context& context, Format format) {
  const Scratch scratch(context);
  const Texture target = plain_target(context, format, 1, 1);
  if (!clear_errors()) return {};
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) return {};
  if (format == Format::rgba16f) {
    const Vec4 value = {1.5F, -2.0F, 0.25F, 1000.0F};
    glClearBufferfv(GL_COLOR, 0, value.data());
    if (reads<std::uint16_t>(0, 0, GL_RGBA, GL_HALF_FLOAT, {0x3E00, 0xC000, 0x3400, 0x63D0}))
      return {GL_RGBA, GL_HALF_FLOAT, 8};
    if (reads(0, 0, GL_RGBA, GL_FLOAT, value)) return {GL_RGBA, GL_FLOAT, 16};
    return {};
  }
  if (format == Format::rgba32i) {
    const std::array<GLint, 4> value = {-7, 2147483647, 0, -2147483647 - 1};
    glClearBufferiv(GL_COLOR, 0, value.data());
    if (reads(0, 0, GL_RGBA_INTEGER, GL_INT, value)) return {GL_RGBA_INTEGER, GL_INT, 16};
    return {};
  }
  const bool bytes = format == Format::rgba8ui;
  const std::array<GLuint, 4> value = {7, bytes ? 255U : 4294967295U, 0, bytes ? 128U : 65537U};
  glClearBufferuiv(GL_COLOR, 0, value.data());
  // Bytes are a quarter of the traffic, but ES guarantees only GL_UNSIGNED_INT.
  if (bytes && reads<std::uint8_t>(0, 0, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, {7, 255, 0, 128}))
    return {GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, 4};
  if (reads(0, 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT, value))
    return {GL_RGBA_INTEGER, GL_UNSIGNED_INT, 16};
  return {};
}

void probe_formats(Caps& caps, const Context& context) {
  for (const Format f : {Format::rgba16f, Format::rgba32i, Format::rgba32ui, Format::rgba8ui})
    item(caps.read, f) = probe_read(context, f);
  caps.float16_render = caps.supports(Format::rgba16f);
  caps.integer_formats = caps.supports(Format::rgba32i) && caps.supports(Format::rgba32ui) &&
                         caps.supports(Format::rgba8ui);
}

int believed_side() {
  GLint viewport[2] = {0, 0};
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport);
  return std::min({integer(GL_MAX_TEXTURE_SIZE), viewport[0], viewport[1]});
}

}  // namespace

Caps probe(const Context& context, Profile profile) {
  if (!is_current(context))
    core::fail_on_device("gl", "probe: the context is not current; hold a Current");
  clear_errors();
  Caps caps;
  caps.vendor = text(vendor_name);
  caps.renderer = text(renderer_name);
  caps.version = text(GL_VERSION);
  caps.max_texture_units = integer(GL_MAX_TEXTURE_IMAGE_UNITS);
  // WebGL 1 guarantees no units to a vertex shader, and eight to both shaders together.
  caps.max_vertex_texture_units =
      std::clamp(integer(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS) - caps.max_texture_units, 0,
                 integer(GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS));
  caps.max_uniform_vectors = integer(GL_MAX_FRAGMENT_UNIFORM_VECTORS);
  require_highp(caps);
  probe_floats(caps, context, profile);
  caps.max_texture_size = proven(context, believed_side(), side_works);
  if (profile == Profile::webgl1) {
    caps.float_blend = false;  // there, EXT_float_blend is a separate extension
  } else {
    caps.max_array_layers = proven(context, integer(GL_MAX_ARRAY_TEXTURE_LAYERS), layers_work);
    probe_formats(caps, context);
    caps.exact_derivatives = derivatives_are_exact(context);
  }
  caps.quirks = override_quirks(quirks_for({caps.vendor, caps.renderer, caps.version}),
                                environment("TRIGON_QUIRKS"));
  // Loops of GLSL ES 1.00 have a constant bound, so the limit stays for them.
  if (!caps.quirks.has(Quirk::trip_limit) && profile != Profile::webgl1)
    caps.trip_limit = no_trip_limit;
  return lower_limits(std::move(caps), environment("TRIGON_LIMITS"));
}

}  // namespace trigon::detail::gl
