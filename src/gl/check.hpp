// SPDX-License-Identifier: MIT
#pragma once

#include <GLES3/gl3.h>

#include <string>

#include "gl/context.hpp"
#include "trigon/error.hpp"

namespace trigon::detail::gl {

/// An error of this call or of an earlier one. The calls before it may have run or not.
class CallError : public DeviceError {
 public:
  explicit CallError(const std::string& text) : DeviceError(text) {}
};

/// The context is gone, with all that is in it.
class LostError : public CallError {
 public:
  LostError() : CallError(lost_text) {}
};

/// Whether an error since the last call of this function, on this thread, was that of a lost
/// context. Asks no driver.
bool take_loss() noexcept;

/// "GL_FRAMEBUFFER_UNSUPPORTED" for a status of glCheckFramebufferStatus.
std::string framebuffer_status_name(GLenum status);

/// Takes all pending GL errors; true when there was none. GL: glGetError.
bool clear_errors() noexcept;

/// Drains glGetError. Raises CallError "trigon::gl: glTexStorage2D: GL_OUT_OF_MEMORY", after a loss
/// LostError.
/// It costs a round trip on drivers with a thread of their own, so it is not called for each draw.
void check(const char* call);

/// Raises CallError for what check() finds, and unless the bound draw framebuffer is complete;
/// `what` names it.
/// GL: glCheckFramebufferStatus.
void check_framebuffer(const char* what);

}  // namespace trigon::detail::gl
