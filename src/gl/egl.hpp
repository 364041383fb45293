// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trigon/config.hpp"

namespace trigon::gl {

struct ContextOptions {
  int device = -1;  ///< Index into list_devices(); -1 takes the first display that works.
  /// The profile that the caller keeps to. Both run on an OpenGL ES 3 context, because an ES 2
  /// context has no float render target on Mesa.
  Profile profile = Profile::webgl2;
};

/// An OpenGL ES 3.0 context without a surface. Move-only.
///
/// Displays belong to the process: they are initialised at the first use and never terminated,
/// since EGL does not count references and other code in the process may use the same display.
class Context {
 public:
  /// Tries the EGL device platform (hardware first), then surfaceless, then GBM on render nodes.
  ///
  /// Raises DeviceError with the reason why each way failed.
  static Context open(const ContextOptions& options = {});

  Context(Context&& other) noexcept;
  Context& operator=(Context&& other) noexcept;
  /// EGL: eglDestroyContext. No Current of this context may be alive.
  ~Context();

  // EGLDisplay and EGLContext; void* keeps EGL's headers (and X11's macros) out of this one.
  void* display() const { return display_; }
  void* handle() const { return context_; }
  Profile profile() const { return profile_; }
  /// How it was found: "device 0 (software rasterizer)", "surfaceless", "gbm /dev/dri/renderD128".
  const std::string& way() const { return way_; }

 private:
  Context(void* display, void* context, std::string way, Profile profile)
      : display_(display), context_(context), way_(std::move(way)), profile_(profile) {}

  void* display_ = nullptr;
  void* context_ = nullptr;
  std::string way_;
  Profile profile_ = Profile::webgl2;
};

/// Makes a context current on this thread for a scope, then restores what the caller had: API,
/// display, context and surfaces, or nothing. Guards nest, of one context or of several.
///
/// The Context may be moved meanwhile, but not destroyed. Its commands are flushed when it is
/// unbound.
class Current {
 public:
  /// EGL: eglMakeCurrent. Raises DeviceError when the context is current on another thread.
  explicit Current(const Context& context);
  ~Current();

  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  void* display_;
  void* caller_display_;
  void* caller_context_;
  void* caller_draw_;
  void* caller_read_;
  unsigned caller_api_;
  bool switched_;  // false: the context was current already, so there is nothing to restore
};

/// True when this context is current on the calling thread.
bool is_current(const Context& context);

/// One name per EGL device, at its index: "NVIDIA H200 (/dev/dri/card0)", "software rasterizer".
/// Empty when EGL cannot enumerate devices.
std::vector<std::string> list_devices();

}  // namespace trigon::gl
