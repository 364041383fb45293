// SPDX-License-Identifier: MIT
#pragma once

#include <GLES3/gl3.h>

#include <array>
#include <cstddef>
#include <span>

#include "gl/format.hpp"
#include "gl/handles.hpp"

namespace trigon::detail::gl {

/// What is bound in a context, so that a call that would change nothing is not made. One per
/// context; whoever binds by other ways calls forget() afterwards.
///
/// GL gives the names of deleted textures and framebuffers again, and unbinds an object that is
/// deleted: therefore objects that will be bound here are created here.
class State {
 public:
  /// Texture units that bind_textures() may use: the most that a kernel samples from, and the most
  /// that the vertex stage does.
  static constexpr std::size_t units = 24;

  struct TextureBinding {
    GLenum kind = GL_TEXTURE_2D;  ///< or GL_TEXTURE_2D_ARRAY
    GLuint id = 0;
  };

  State() { forget(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// Everything is set anew by the next call. Makes no GL call.
  void forget();

  /// GL: glGenTextures.
  Texture create_texture();
  /// GL: glGenFramebuffers.
  Framebuffer create_framebuffer();

  /// GL: glUseProgram. A deleted program's name stays taken until another one is used.
  void use_program(GLuint id);
  /// GL: glBindFramebuffer, for draws and reads.
  void bind_framebuffer(GLuint id);
  /// Clears no texel of the bound framebuffer, whose first target has that kind of sampler.
  /// GL: glScissor, glEnable, glClear or glClearBuffer, glDisable.
  void clear_nothing(SamplerKind kind);
  /// GL: glBindVertexArray.
  void bind_vertex_array(GLuint id);
  /// GL: glViewport.
  void set_viewport(GLint x, GLint y, GLsizei w, GLsizei h);
  /// With blending, draws add to their targets. GL: glEnable(GL_BLEND), glDisable(GL_BLEND),
  /// glBlendEquation, glBlendFunc.
  void set_blend(bool on);

  /// Binds textures[k] to unit k. GL: glActiveTexture, glBindTexture.
  void bind_textures(std::span<const TextureBinding> textures);
  /// Binds to the active unit, for the calls that take a kind of texture. GL: glBindTexture.
  void bind_texture(TextureBinding texture);

 private:
  // A place in `bound_`; array textures second.
  static std::size_t kind_index(GLenum kind) { return kind == GL_TEXTURE_2D_ARRAY ? 1 : 0; }
  void bind_at(std::size_t unit, TextureBinding texture);

  GLuint program_, framebuffer_, vertex_array_;
  std::array<std::array<GLuint, 2>, units> bound_;  ///< by unit and kind
  std::size_t active_;
  std::array<GLint, 4> viewport_;
  bool scissor_is_empty_;
  int blend_;  ///< 0 or 1; -1: not known
  bool adds_;  ///< the blending function is known to be the sum
};

}  // namespace trigon::detail::gl
