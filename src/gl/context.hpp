// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "trigon/config.hpp"

namespace trigon::detail::gl {

/// The platform: gl/web implements this header in a browser, gl/egl elsewhere.
#ifdef __EMSCRIPTEN__
inline constexpr bool in_browser = true;
#else
inline constexpr bool in_browser = false;
#endif

struct ContextOptions {
  int device = -1;  ///< index into list_devices(); -1 takes the first display that works
  /// The profile that the caller uses. In a browser webgl1 opens a WebGL 1 context. Elsewhere both
  /// run on an OpenGL ES 3 context, because an ES 2 context has no float render target on Mesa.
  Profile profile = Profile::webgl2;
};

/// An OpenGL ES 3.0 context without a surface, or a browser's WebGL context. Move-only.
///
/// Displays belong to the process: they are initialised at the first use and never terminated. EGL
/// does not count references, and other code in the process may use the same display.
class Context {
 public:
  /// Tries the EGL device platform (hardware first), then surfaceless, then GBM on render nodes. In
  /// a browser: an OffscreenCanvas, or a canvas if there is none.
  ///
  /// Raises DeviceError with the reason for each failure.
  static Context open(const ContextOptions& options = {});

  Context(Context&& other) noexcept;
  Context& operator=(Context&& other) noexcept;
  /// No Current of this context may be alive. A browser keeps 16 contexts, so there it is lost at
  /// once instead of waiting for the garbage collector. EGL: eglDestroyContext. WebGL:
  /// WEBGL_lose_context.
  ~Context();

  // EGLDisplay and EGLContext; void* keeps EGL's headers (and X11's macros) out of this one. In a
  // browser the display is null, and the handle is Emscripten's number of the context.
  void* display() const { return display_; }
  void* handle() const { return context_; }
  Profile profile() const { return profile_; }
  /// True for a context that offers no more than OpenGL ES 2.0: WebGL 1.
  bool es2() const { return in_browser && profile_ == Profile::webgl1; }
  /// How it was found: "device 0 (software rasterizer)", "surfaceless", "gbm /dev/dri/renderD128",
  /// "webgl2".
  const std::string& way() const { return way_; }

 private:
  Context(void* display, void* context, std::string way, Profile profile)
      : display_(display), context_(context), way_(std::move(way)), profile_(profile) {}

  void* display_ = nullptr;
  void* context_ = nullptr;
  std::string way_;
  Profile profile_ = Profile::webgl2;
};

/// Makes a context current on this thread for a scope, then restores the caller's: API, display,
/// context and surfaces, or nothing. Guards nest, for one context or several.
///
/// The Context may be moved meanwhile, but not destroyed. Unbinding it flushes its commands.
class Current {
 public:
  /// Raises DeviceError if the context is current on another thread, LostError if it is lost.
  /// EGL: eglMakeCurrent.
  explicit Current(const Context& context);
  ~Current();

  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  struct Caller;  // the caller's current context and surfaces
  std::unique_ptr<Caller> caller_;
};

/// True when this context is current on the calling thread.
bool is_current(const Context& context);

/// The text of LostError.
extern const char* const lost_text;

/// Raises LostError if the browser has taken the context away: it does so after a driver's crash,
/// and to the oldest of more than 16 contexts. WebGL: isContextLost, which does not ask the driver.
/// Elsewhere does nothing: only a call's error tells, which check() turns into LostError.
void check_not_lost(const Context& context);

/// Raises LostError if the GPU of the current context no longer answers. A browser reports a loss
/// only in a later task. In the task of the crash reads give zeros, framebuffers are incomplete and
/// shaders do not compile, without any error. WebGL: isBuffer, which waits for the GPU. Elsewhere
/// does nothing.
void check_answers();

/// Copies the buffer that is bound to GL_PIXEL_PACK_BUFFER, from its first byte on. Waits for the
/// GPU, except in a browser. Raises DeviceError if it cannot be read.
/// GL: glMapBufferRange, glUnmapBuffer. WebGL: getBufferSubData.
void read_pack_buffer(std::span<std::byte> out);

/// One name per EGL device, at its index: "NVIDIA H200 (/dev/dri/card0)", "software rasterizer".
/// Empty when EGL cannot enumerate devices, and in a browser, which chooses the device itself.
std::vector<std::string> list_devices();

}  // namespace trigon::detail::gl
