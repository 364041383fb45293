// SPDX-License-Identifier: MIT
#pragma once

#include <GLES3/gl3.h>

#include <cstdint>
#include <string>

#include "gl/context.hpp"
#include "trigon/error.hpp"

namespace trigon::detail::gl {

/// An error of this call or of an earlier one. Earlier calls may have run or not.
class CallError : public DeviceError {
 public:
  explicit CallError(const std::string& text) : DeviceError(text) {}
};

/// The context is lost, with everything in it.
class LostError : public CallError {
 public:
  LostError() : CallError(lost_text) {}
};

/// Whether this thread has seen the error of a lost context since it last called this function.
/// Does not ask the driver.
bool take_loss() noexcept;

/// "GL_FRAMEBUFFER_UNSUPPORTED" for a status of glCheckFramebufferStatus.
std::string framebuffer_status_name(GLenum status);

/// GL errors that this process has taken so far.
std::uint64_t errors_seen() noexcept;

/// Takes all pending GL errors; true if there was none. GL: glGetError.
bool clear_errors() noexcept;

/// Drains glGetError. Raises CallError "trigon::gl: glTexStorage2D: GL_OUT_OF_MEMORY", or LostError
/// after a loss.
/// It costs a round trip on drivers that work in their own thread, so not every draw calls it.
void check(const char* call);

/// Raises CallError for errors that check() finds, and if the bound draw framebuffer is not
/// complete; `what` names it.
/// GL: glCheckFramebufferStatus.
void check_framebuffer(const char* what);

}  // namespace trigon::detail::gl
