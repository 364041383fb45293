// SPDX-License-Identifier: MIT
#pragma once

#include <GLES3/gl3.h>

#include <string>

#include "trigon/error.hpp"

namespace trigon::gl {

/// An error of this call or of an earlier one. The calls before it may have run or not.
class CallError : public DeviceError {
 public:
  explicit CallError(const std::string& text) : DeviceError(text) {}
};

/// "GL_OUT_OF_MEMORY" for an error of glGetError.
std::string error_name(GLenum error);
/// "GL_FRAMEBUFFER_UNSUPPORTED" for a status of glCheckFramebufferStatus.
std::string framebuffer_status_name(GLenum status);

/// Takes all pending GL errors; true when there was none. GL: glGetError.
bool clear_errors() noexcept;

/// Drains glGetError. Raises CallError "trigon::gl: glTexStorage2D: GL_OUT_OF_MEMORY".
/// It costs a round trip on drivers with a thread of their own, so it is not called for each draw.
void check(const char* call);

/// Raises CallError unless the bound draw framebuffer is complete; `what` names it.
/// GL: glCheckFramebufferStatus.
void check_framebuffer(const char* what);

}  // namespace trigon::gl
