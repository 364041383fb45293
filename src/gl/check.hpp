// SPDX-License-Identifier: MIT
#pragma once

#include <GLES3/gl3.h>

#include <string>

namespace trigon::gl {

/// "GL_OUT_OF_MEMORY" for an error of glGetError.
std::string error_name(GLenum error);
/// "GL_FRAMEBUFFER_UNSUPPORTED" for a status of glCheckFramebufferStatus.
std::string framebuffer_status_name(GLenum status);

/// Takes all pending GL errors; true when there was none. GL: glGetError.
bool clear_errors();

/// Drains glGetError. Raises DeviceError "trigon::gl: glTexStorage2D: GL_OUT_OF_MEMORY".
/// It costs a round trip on drivers with a thread of their own, so it is not called for each draw.
void check(const char* call);

/// Raises DeviceError unless the bound draw framebuffer is complete; `what` names it.
/// GL: glCheckFramebufferStatus.
void check_framebuffer(const char* what);

}  // namespace trigon::gl
