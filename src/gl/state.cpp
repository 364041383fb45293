// SPDX-License-Identifier: MIT
#include "gl/state.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/called.hpp"
#include "gl/check.hpp"

namespace trigon::detail::gl {
namespace {

// No object has this name, so it differs from every one.
constexpr GLuint unknown = std::numeric_limits<GLuint>::max();

// Also keeps a Worker from running far ahead of the browser's GPU process.
constexpr std::int64_t most_runs_unchecked = 64;

}  // namespace

void State::forget() {
  program_ = framebuffer_ = vertex_array_ = unknown;
  for (auto& unit : bound_) unit.fill(unknown);
  active_ = units;
  viewport_ = {0, 0, -1, -1};
  scissor_is_empty_ = false;
  blend_ = -1;
  adds_ = false;
}

void State::check(const char* call) {
  try {
    gl::check(call);
  } catch (const CallError&) {
    note_errors();
    throw;
  }
  note_errors();
  require_work();
  unchecked_since_.reset();
}

void State::settle() {
  if (unchecked_since_) check("glDrawArrays");
}

void State::check_draws(std::int64_t made, bool is_first_run) {
  // Draws of known programs to textures that were drawn to before do not fail of themselves.
  const bool is_new = is_first_run || made != made_when_checked_;
  if (checks_at_reads_ && !is_new && ++runs_unchecked_ < most_runs_unchecked) {
    return leave_unchecked();
  }
  check("glDrawArrays");
  made_when_checked_ = made;
  runs_unchecked_ = 0;
}

void State::check_upload(const char* call, std::int64_t bytes) {
  if (checks_at_reads_ && bytes <= few_bytes) return leave_unchecked();
  check(call);
}

void State::clear_errors() noexcept {
  gl::clear_errors();
  note_errors();
  unchecked_since_.reset();
}

void State::enter() {
  // Other contexts may have had errors meanwhile.
  if (entered_++ == 0 && unchecked_since_) unchecked_since_ = errors_seen();
}

void State::leave() {
  --entered_;
  note_errors();
}

void State::require_work() const {
  if (!has_lost_) return;
  core::fail_on_device(
      "Device",
      "a draw or an upload failed, and its error came later, at a read or at new work: values "
      "since the last read may be wrong\n  hint: open a new device and load its tensors again");
}

void State::leave_unchecked() {
  if (!unchecked_since_) unchecked_since_ = errors_seen();
}

void State::note_errors() {
  if (unchecked_since_ && errors_seen() != *unchecked_since_) has_lost_ = true;
}

Texture State::create_texture() {
  Texture texture = Texture::create();
  for (auto& unit : bound_) std::replace(unit.begin(), unit.end(), texture.id(), unknown);
  return texture;
}

Framebuffer State::create_framebuffer() {
  Framebuffer framebuffer = Framebuffer::create();
  if (framebuffer_ == framebuffer.id()) framebuffer_ = unknown;
  return framebuffer;
}

void State::use_program(GLuint id) {
  if (program_ == id) return;
  glUseProgram(id);
  program_ = id;
}

void State::bind_framebuffer(GLuint id) {
  if (framebuffer_ == id) return;
  glBindFramebuffer(GL_FRAMEBUFFER, id);
  framebuffer_ = id;
}

void State::clear_nothing(core::Type type) {
  if (!scissor_is_empty_) glScissor(0, 0, 0, 0);
  scissor_is_empty_ = true;
  glEnable(GL_SCISSOR_TEST);
  switch (type) {
    case core::Type::f: glClear(GL_COLOR_BUFFER_BIT); break;
    case core::Type::i: glClearBufferiv(GL_COLOR, 0, std::array<GLint, 4>{}.data()); break;
    case core::Type::u: glClearBufferuiv(GL_COLOR, 0, std::array<GLuint, 4>{}.data()); break;
  }
  glDisable(GL_SCISSOR_TEST);
}

void State::bind_vertex_array(GLuint id) {
  if (vertex_array_ == id) return;
  glBindVertexArray(id);
  vertex_array_ = id;
}

void State::set_viewport(GLint x, GLint y, GLsizei w, GLsizei h) {
  const std::array<GLint, 4> wanted{x, y, w, h};
  if (viewport_ == wanted) return;
  glViewport(x, y, w, h);
  viewport_ = wanted;
}

void State::set_blend(bool on) {
  if (blend_ == static_cast<int>(on)) return;
  if (on && !adds_) {
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE);
    adds_ = true;
  }
  (on ? glEnable : glDisable)(GL_BLEND);
  blend_ = static_cast<int>(on);
}

void State::bind_at(std::size_t unit, TextureBinding texture) {
  GLuint& bound = bound_[unit][kind_index(texture.kind)];
  if (bound == texture.id) return;
  if (active_ != unit) {
    glActiveTexture(static_cast<GLenum>(GL_TEXTURE0 + unit));
    active_ = unit;
  }
  glBindTexture(texture.kind, texture.id);
  bound = texture.id;
}

void State::bind_textures(std::span<const TextureBinding> textures) {
  // The active unit comes first and needs no glActiveTexture; each of the others costs one.
  if (active_ < textures.size()) bind_at(active_, textures[active_]);
  for (std::size_t unit = 0; unit < textures.size(); ++unit) bind_at(unit, textures[unit]);
}

void State::bind_texture(TextureBinding texture) {
  bind_at(active_ == units ? 0 : active_, texture);
}

}  // namespace trigon::detail::gl
