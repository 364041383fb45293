// SPDX-License-Identifier: MIT
#pragma once

#include <GLES3/gl3.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

// A GL and an EGL that draw nothing, for programs that count calls or measure the library without a
// driver. null_gl.cpp and null_egl.cpp define the entry points that the library uses; linked into a
// program, they take precedence over those of the shared libraries. The device says that it is
// Mesa's llvmpipe, answers the library's probes as llvmpipe does, and reads zeros otherwise.

namespace trigon::null_gl {

struct Calls {
  std::int64_t made = 0;
  std::int64_t redundant = 0;  ///< set a state that was set already

  friend bool operator==(const Calls&, const Calls&) = default;
};

/// Processor time of this thread, independent of other load.
struct ThreadClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<ThreadClock>;
  static constexpr bool is_steady = true;
  static time_point now();
};

/// The times since the last reset at which a context was first made current, and at which the first
/// draw was made.
struct Times {
  ThreadClock::time_point entered{};
  ThreadClock::time_point first_draw{};
};
Times times();

/// Calls since the last reset by name, of gl and of egl functions; those never called are left out.
std::map<std::string, Calls> calls();
/// Forgets calls and times.
void reset();

/// All gl functions, and of the egl functions eglMakeCurrent.
Calls total(const std::map<std::string, Calls>& calls);

/// The state that a draw would use now.
struct Bound {
  GLuint program = 0;
  GLuint framebuffer = 0;
  GLuint vertex_array = 0;
  std::map<GLuint, GLuint> textures;  ///< by unit, two-dimensional ones
  std::map<GLuint, GLuint> arrays;    ///< by unit, array textures
};
Bound bound();

/// The next `polls` polls of fences report that the GPU has not passed them.
void time_out(int polls);

/// Called by every draw, until it is null again.
void on_draw(void (*callback)());

/// The next glGetError returns `error`.
void fail(GLenum error);

/// Bits of the mantissa of highp floats in shaders; 23 at first.
void set_mantissa(int bits);

/// The ways to open a device, and refusals of a driver; by default nothing is refused.
struct Answers {
  const char* client_extensions = "EGL_EXT_device_base EGL_EXT_platform_device";
  const char* display_extensions = "EGL_KHR_no_config_context EGL_KHR_surfaceless_context";
  const char* device_extensions = "EGL_MESA_device_software";
  bool knows_device_query = true;
  int device_queries = -1;  ///< number that succeeds; -1: all
  int devices = 1;          ///< at most one
  bool has_display = true;
  bool initializes = true;
  bool creates_contexts = true;
  bool keeps_mapped_buffers = true;
  GLenum framebuffer_status = GL_FRAMEBUFFER_COMPLETE;
};
Answers& answers();

}  // namespace trigon::null_gl
