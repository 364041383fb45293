// SPDX-License-Identifier: MIT
#include <emscripten/em_js.h>
#include <emscripten/html5_webgl.h>
#include <webgl/webgl2.h>

#include <cstdint>
#include <utility>

#include "core/called.hpp"
#include "gl/check.hpp"
#include "gl/context.hpp"

namespace trigon::detail::gl {
namespace {

using Handle = EMSCRIPTEN_WEBGL_CONTEXT_HANDLE;

// clang-format off

// Emscripten's number of a new context of this WebGL version, 0 if the browser has none. A Worker
// has only an OffscreenCanvas; old browsers have only canvases. Extensions that change results are
// off until asked for: float targets need EXT_color_buffer_float, or OES_texture_float and
// WEBGL_color_buffer_float. Each is an answer to wait for, so WebGL 2 asks for these four alone;
// registerContext asks for all that WebGL 1 may have, but the last two.
EM_JS(int, trigon_open_context, (int version), {
  const canvas = typeof OffscreenCanvas == 'undefined' ? document.createElement('canvas')
                                                       : new OffscreenCanvas(1, 1);
  const wanted = {
    majorVersion: version, alpha: true, antialias: false, depth: false, stencil: false,
    powerPreference: 'high-performance', enableExtensionsByDefault: version == 1
  };
  const context = canvas.getContext(version == 2 ? 'webgl2' : 'webgl', wanted);
  if (!context) return 0;
  const handle = GL.registerContext(context, wanted);
  if (version == 2) context.getExtension('EXT_color_buffer_float');
  if (version == 2) context.getExtension('EXT_float_blend');
  context.getExtension('WEBGL_debug_renderer_info');
  context.getExtension('WEBGL_lose_context');
  // Only a GPU that answers knows this buffer, which exists once it was bound.
  GL.contexts[handle].known = context.createBuffer();
  context.bindBuffer(context.ARRAY_BUFFER, GL.contexts[handle].known);
  context.bindBuffer(context.ARRAY_BUFFER, null);
  return handle;
});

EM_JS(int, trigon_answers, (), { return GLctx.isBuffer(GL.currentContext.known); });

EM_JS(void, trigon_close_context, (int handle), {
  const context = GL.contexts[handle].GLctx;
  const loss = context.getExtension('WEBGL_lose_context');
  if (loss && !context.isContextLost()) loss.loseContext();
  GL.deleteContext(handle);
});

// clang-format on

Handle handle_of(const Context& context) {
  return static_cast<Handle>(reinterpret_cast<std::intptr_t>(context.handle()));
}

}  // namespace

Context Context::open(const ContextOptions& options) {
  if (options.device != -1) {
    core::fail_on_device("Device",
                         "no device {}: a browser chooses the device itself; device must be -1",
                         options.device);
  }
  const bool old = options.profile == Profile::webgl1;
  const char* name = old ? "webgl1" : "webgl2";
  const auto handle = static_cast<std::intptr_t>(trigon_open_context(old ? 1 : 2));
  if (handle == 0) {
    core::fail_on_device("Device", "the browser gives no {} context{}", name,
                         old ? "" : "\n  hint: open the device with the profile webgl1");
  }
  return Context(nullptr, reinterpret_cast<void*>(handle), name, options.profile);
}

Context::Context(Context&& other) noexcept
    : context_(std::exchange(other.context_, nullptr)),
      way_(std::move(other.way_)),
      profile_(other.profile_) {}

Context& Context::operator=(Context&& other) noexcept {
  std::swap(context_, other.context_);
  std::swap(way_, other.way_);
  std::swap(profile_, other.profile_);
  return *this;
}

Context::~Context() {
  if (context_) trigon_close_context(static_cast<int>(handle_of(*this)));
}

struct Current::Caller {
  Handle handle;
};

Current::Current(const Context& context)
    : caller_(std::make_unique<Caller>(Caller{emscripten_webgl_get_current_context()})) {
  emscripten_webgl_make_context_current(handle_of(context));
}

Current::~Current() { emscripten_webgl_make_context_current(caller_->handle); }

bool is_current(const Context& context) {
  return context.handle() && emscripten_webgl_get_current_context() == handle_of(context);
}

const char* const lost_text =
    "trigon::Device: the browser took the WebGL context away\n"
    "  hint: open a new device and load its tensors again";

void check_not_lost(const Context& context) {
  if (emscripten_is_webgl_context_lost(handle_of(context)) != EM_FALSE) throw LostError();
}

void check_answers() {
  if (trigon_answers() == 0) throw LostError();
}

void read_pack_buffer(std::span<std::byte> out) {
  glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, static_cast<GLsizeiptr>(out.size()), out.data());
}

std::vector<std::string> list_devices() { return {}; }

}  // namespace trigon::detail::gl
