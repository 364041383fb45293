// SPDX-License-Identifier: MIT
#pragma once

#include <GLES3/gl3.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "gl/format.hpp"
#include "gl/handles.hpp"

namespace trigon::detail::gl {

/// The bindings of a context, to skip calls that would change nothing. One per context. Code that
/// binds in other ways must call forget() afterwards.
///
/// GL reuses the names of deleted textures and framebuffers, and unbinds deleted objects. So
/// objects that will be bound here must be created here.
class State {
 public:
  /// Texture units that bind_textures() may use: the most that a kernel samples from, plus the most
  /// that the vertex stage does.
  static constexpr std::size_t units = 24;

  struct TextureBinding {
    GLenum kind = GL_TEXTURE_2D;  ///< or GL_TEXTURE_2D_ARRAY
    GLuint id = 0;
  };

  State() { forget(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// The next calls set everything again. Makes no GL call.
  void forget();

  /// gl::check(), which also finds the errors of work that was left unchecked. Then, and if other
  /// code has taken them, that work is lost: require_work() raises DeviceError from then on, and
  /// check() does if gl::check() does not.
  void check(const char* call);
  /// check() if work was left unchecked: before calls whose own errors mean something else.
  void settle();
  /// Takes all pending errors, as gl::clear_errors() does.
  void clear_errors() noexcept;
  /// From now on the two functions below may leave work unchecked (quirk check_at_reads).
  void check_at_reads() { checks_at_reads_ = true; }
  /// check() after a run's draws; may leave them unchecked if nothing new was made for them and the
  /// plan has run before. `made`: programs, formats, textures and framebuffers made so far.
  void check_draws(std::int64_t made, bool is_first_run);
  /// check() after an upload's call; may leave it unchecked if bytes are at most few_bytes.
  void check_upload(const char* call, std::int64_t bytes);
  static constexpr std::int64_t few_bytes = 1 << 16;  ///< for so few, drivers have memory
  /// Between these two, errors that other code takes are this context's.
  void enter();
  void leave();
  /// Raises DeviceError if work that was left unchecked may have failed.
  void require_work() const;

  /// GL: glGenTextures.
  Texture create_texture();
  /// GL: glGenFramebuffers.
  Framebuffer create_framebuffer();

  /// GL: glUseProgram. A deleted program's name stays taken until another program is used.
  void use_program(GLuint id);
  /// GL: glBindFramebuffer, for draws and reads.
  void bind_framebuffer(GLuint id);
  /// Clears no texel of the bound framebuffer. `type`: the type of its first target's components.
  /// GL: glScissor, glEnable, glClear or glClearBuffer, glDisable.
  void clear_nothing(core::Type type);
  /// GL: glBindVertexArray.
  void bind_vertex_array(GLuint id);
  /// GL: glViewport.
  void set_viewport(GLint x, GLint y, GLsizei w, GLsizei h);
  /// With blending, draws add to their targets. GL: glEnable(GL_BLEND), glDisable(GL_BLEND),
  /// glBlendEquation, glBlendFunc.
  void set_blend(bool on);

  /// Binds textures[k] to unit k. GL: glActiveTexture, glBindTexture.
  void bind_textures(std::span<const TextureBinding> textures);
  /// Binds to the active unit, for calls that take a kind of texture. GL: glBindTexture.
  void bind_texture(TextureBinding texture);

 private:
  // An index into `bound_`; array textures come second.
  static std::size_t kind_index(GLenum kind) { return kind == GL_TEXTURE_2D_ARRAY ? 1 : 0; }
  void bind_at(std::size_t unit, TextureBinding texture);

  GLuint program_, framebuffer_, vertex_array_;
  std::array<std::array<GLuint, 2>, units> bound_;  ///< by unit and kind
  std::size_t active_;
  std::array<GLint, 4> viewport_;
  bool scissor_is_empty_;
  int blend_;  ///< 0 or 1; -1: not known
  bool adds_;  ///< the blending function is known to be the sum
  void leave_unchecked();
  void note_errors();

  bool checks_at_reads_ = false, has_lost_ = false;
  int entered_ = 0;
  /// gl::errors_seen() before unchecked work, or at the last enter().
  std::optional<std::uint64_t> unchecked_since_;
  std::int64_t made_when_checked_ = 0, runs_unchecked_ = 0;
};

}  // namespace trigon::detail::gl
