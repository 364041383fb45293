// SPDX-License-Identifier: MIT
#pragma once

#include <GLES3/gl3.h>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gl/handles.hpp"
#include "run/device_state.hpp"

// Shaders written by hand and drawn only with GL, for comparison. All functions need a RawEntry;
// Trigon must not evaluate anything in its scope.

namespace bench {

/// An entry for code that makes its own GL bindings. Afterwards the library assumes no binding.
class RawEntry {
 public:
  explicit RawEntry(trigon::detail::run::DeviceState& device) : device_(device), entry_(device) {}
  ~RawEntry() { device_.gl_state().forget(); }
  RawEntry(const RawEntry&) = delete;
  RawEntry& operator=(const RawEntry&) = delete;

 private:
  trigon::detail::run::DeviceState& device_;
  trigon::detail::run::DeviceState::Entry entry_;
};

/// How a hand-written shader reads texels.
enum class Fetch { texel_fetch, texture };
inline constexpr std::array fetches{Fetch::texel_fetch, Fetch::texture};
std::string_view name(Fetch fetch);

/// A float texture: GL_R32F or GL_RGBA32F.
struct RawTexture {
  trigon::detail::gl::Texture texture;
  GLenum format = 0;
  int width = 0;
  int height = 0;
};

/// GL: glTexStorage2D, glTexSubImage2D. Without values the content is undefined.
RawTexture raw_texture(GLenum format, int width, int height, std::span<const float> values = {});

/// An input of a RawPass. Only the id and the size of other textures are needed.
struct RawInput {
  GLuint id;
  int width;
  int height;
};
inline RawInput input(const RawTexture& t) { return {t.texture.id(), t.width, t.height}; }

/// One fragment shader, its inputs and its target of one attachment.
class RawPass {
 public:
  /// `body` defines main(), reads the first two inputs with fetch_a(x, y) and fetch_b(x, y), and
  /// writes `result`. `u_n` and `u_x` are an int and a vec4, see set().
  RawPass(std::string_view body, Fetch fetch, std::vector<RawInput> inputs, GLenum format,
          int width, int height);

  void set(int n, std::array<float, 4> x = {});
  /// Reads `first` instead of its first input; both must have the same size.
  void read_from(RawInput first) { inputs_[0] = first; }
  RawInput target() const { return input(target_); }
  void draw() const;
  /// GL: glFinish after the draw.
  void run() const;
  /// The target's values, one or four a texel. GL: glReadPixels.
  std::vector<float> read() const;

 private:
  trigon::detail::gl::Program program_;
  trigon::detail::gl::VertexArray vertices_;
  RawTexture target_;
  trigon::detail::gl::Framebuffer framebuffer_;
  std::vector<RawInput> inputs_;
};

}  // namespace bench
