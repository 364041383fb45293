// SPDX-License-Identifier: MIT
#include "gl/check.hpp"

#include <fmt/core.h>

#include <atomic>
#include <utility>

#include "core/list.hpp"

namespace trigon::detail::gl {
namespace {

// A lost or missing context may report an error on every call, endlessly.
constexpr int most_errors = 16;

constexpr GLenum context_lost = 0x0507;        // GL_CONTEXT_LOST, which gl3.h lacks
constexpr GLenum context_lost_webgl = 0x9242;  // CONTEXT_LOST_WEBGL

thread_local bool has_seen_loss = false;
std::atomic<std::uint64_t> seen = 0;

bool is_loss(GLenum error) { return error == context_lost || error == context_lost_webgl; }

std::string error_name(GLenum error) {
  switch (error) {
    case GL_NO_ERROR: return "GL_NO_ERROR";
    case GL_INVALID_ENUM: return "GL_INVALID_ENUM";
    case GL_INVALID_VALUE: return "GL_INVALID_VALUE";
    case GL_INVALID_OPERATION: return "GL_INVALID_OPERATION";
    case GL_INVALID_FRAMEBUFFER_OPERATION: return "GL_INVALID_FRAMEBUFFER_OPERATION";
    case GL_OUT_OF_MEMORY: return "GL_OUT_OF_MEMORY";
    default: return fmt::format("GL error 0x{:04x}", error);
  }
}

template <class F>
void for_each_error(const F& f) {
  for (int i = 0; i < most_errors; ++i) {
    const GLenum error = glGetError();
    if (error == GL_NO_ERROR) return;
    ++seen;
    f(error);
    if (!is_loss(error)) continue;
    has_seen_loss = true;
    return;
  }
}

}  // namespace

std::string framebuffer_status_name(GLenum status) {
  switch (status) {
    case GL_FRAMEBUFFER_COMPLETE: return "GL_FRAMEBUFFER_COMPLETE";
    case GL_FRAMEBUFFER_UNDEFINED: return "GL_FRAMEBUFFER_UNDEFINED";
    case GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT: return "GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT";
    case GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT:
      return "GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT";
    case GL_FRAMEBUFFER_INCOMPLETE_DIMENSIONS: return "GL_FRAMEBUFFER_INCOMPLETE_DIMENSIONS";
    case GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE: return "GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE";
    case GL_FRAMEBUFFER_UNSUPPORTED: return "GL_FRAMEBUFFER_UNSUPPORTED";
    default: return fmt::format("framebuffer status 0x{:04x}", status);
  }
}

std::uint64_t errors_seen() noexcept { return seen; }

bool clear_errors() noexcept {
  bool none = true;
  for_each_error([&](GLenum) { none = false; });
  return none;
}

bool take_loss() noexcept { return std::exchange(has_seen_loss, false); }

void check(const char* call) {
  std::string names;
  GLenum last = GL_NO_ERROR;
  for_each_error([&](GLenum error) {
    core::append_text(names, error_name(error));
    last = error;
  });
  if (last == GL_NO_ERROR) return;
  if (is_loss(last)) throw LostError();
  throw CallError(fmt::format("trigon::gl: {}: {}", call, names));
}

void check_framebuffer(const char* what) {
  const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
  if (status == GL_FRAMEBUFFER_COMPLETE) return;
  check("glCheckFramebufferStatus");
  check_answers();
  throw CallError(fmt::format("trigon::gl: framebuffer of {} is not complete: {}", what,
                              framebuffer_status_name(status)));
}

}  // namespace trigon::detail::gl
