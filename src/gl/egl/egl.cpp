// SPDX-License-Identifier: MIT
#include "core/called.hpp"
#include "gl/context.hpp"

// Without these, eglplatform.h would include Xlib, which may not be installed.
#define EGL_NO_X11
#define MESA_EGL_NO_X11_HEADERS
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "core/item.hpp"
#include "gl/check.hpp"
#include "gl/egl/gbm.hpp"

#ifndef EGL_RENDERER_EXT  // EGL_EXT_device_query_name
#define EGL_RENDERER_EXT 0x335F
#endif

namespace trigon::detail::gl {
namespace {

constexpr const char* hint =
    "\n  hint: install libegl-mesa0 and libgl1-mesa-dri, or set LIBGL_ALWAYS_SOFTWARE=1";

bool has_extension(const char* list, std::string_view name) {
  std::string_view rest = list ? list : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == name) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

bool client_has(std::string_view name) {
  return has_extension(eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS), name);
}

std::string error_name(EGLint error) {
  switch (error) {
    case EGL_SUCCESS: return "EGL_SUCCESS";
    case EGL_NOT_INITIALIZED: return "EGL_NOT_INITIALIZED";
    case EGL_BAD_ACCESS: return "EGL_BAD_ACCESS";
    case EGL_BAD_ALLOC: return "EGL_BAD_ALLOC";
    case EGL_BAD_ATTRIBUTE: return "EGL_BAD_ATTRIBUTE";
    case EGL_BAD_CONTEXT: return "EGL_BAD_CONTEXT";
    case EGL_BAD_CONFIG: return "EGL_BAD_CONFIG";
    case EGL_BAD_CURRENT_SURFACE: return "EGL_BAD_CURRENT_SURFACE";
    case EGL_BAD_DISPLAY: return "EGL_BAD_DISPLAY";
    case EGL_BAD_SURFACE: return "EGL_BAD_SURFACE";
    case EGL_BAD_MATCH: return "EGL_BAD_MATCH";
    case EGL_BAD_PARAMETER: return "EGL_BAD_PARAMETER";
    case EGL_BAD_NATIVE_PIXMAP: return "EGL_BAD_NATIVE_PIXMAP";
    case EGL_BAD_NATIVE_WINDOW: return "EGL_BAD_NATIVE_WINDOW";
    case EGL_CONTEXT_LOST: return "EGL_CONTEXT_LOST";
    case EGL_BAD_DEVICE_EXT: return "EGL_BAD_DEVICE_EXT";
    default: return fmt::format("EGL error 0x{:04x}", error);
  }
}

std::string failed(const char* call) {
  return fmt::format("{}: {}", call, error_name(eglGetError()));
}

void bind_api(EGLenum api) {
  if (api != EGL_NONE && api != eglQueryAPI()) eglBindAPI(api);
}

// eglBindAPI is state of the thread, so this restores the caller's.
class ApiGuard {
 public:
  ApiGuard() : caller_(eglQueryAPI()) { bind_api(EGL_OPENGL_ES_API); }
  ~ApiGuard() { bind_api(caller_); }
  ApiGuard(const ApiGuard&) = delete;
  ApiGuard& operator=(const ApiGuard&) = delete;

 private:
  EGLenum caller_;
};

// An extension function; null if the loader does not know it.
template <class Function>
Function load(const char* name) {
  return reinterpret_cast<Function>(eglGetProcAddress(name));
}

EGLDisplay platform_display(EGLenum platform, void* native) {
  const auto get = load<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  return get ? get(platform, native, nullptr) : EGL_NO_DISPLAY;
}

// LIBGL_ALWAYS_SOFTWARE only affects Mesa; another vendor's devices would still come first.
bool software_wanted() {
  const char* value = std::getenv("LIBGL_ALWAYS_SOFTWARE");
  const std::string_view text = value ? value : "";
  return !text.empty() && text != "0" && text != "false" && text != "no";
}

struct EglDevice {
  EGLDeviceEXT handle;
  std::string name;
  bool software;
};

EglDevice describe(EGLDeviceEXT handle) {
  const auto query = load<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
  const char* extensions = query ? query(handle, EGL_EXTENSIONS) : nullptr;
  const bool software = has_extension(extensions, "EGL_MESA_device_software");
  const auto text = [&](const char* extension, EGLint what) -> std::string {
    const char* found = has_extension(extensions, extension) ? query(handle, what) : nullptr;
    return found ? found : "";
  };
  std::string name =
      software ? "software rasterizer" : text("EGL_EXT_device_query_name", EGL_RENDERER_EXT);
  const std::string file = text("EGL_EXT_device_drm", EGL_DRM_DEVICE_FILE_EXT);
  if (!file.empty()) name = name.empty() ? file : fmt::format("{} ({})", name, file);
  return {handle, name.empty() ? "unnamed" : name, software};
}

// All EGL devices, or the reason why there is none.
std::pair<std::vector<EglDevice>, std::string> enumerate() {
  if (!eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS)) return {{}, "no EGL client extensions"};
  if (!client_has("EGL_EXT_device_base") && !client_has("EGL_EXT_device_enumeration"))
    return {{}, "no EGL_EXT_device_enumeration"};
  const auto query = load<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  if (!query) return {{}, "no eglQueryDevicesEXT"};
  EGLint count = 0;
  if (!query(0, nullptr, &count)) return {{}, failed("eglQueryDevicesEXT")};
  if (count == 0) return {{}, "no EGL device"};
  auto handles = vector_of<EGLDeviceEXT>(count);
  if (!query(count, handles.data(), &count)) return {{}, failed("eglQueryDevicesEXT")};
  handles.resize(count);
  std::vector<EglDevice> devices;
  devices.reserve(handles.size());
  for (EGLDeviceEXT handle : handles) devices.push_back(describe(handle));
  return {std::move(devices), ""};
}

// EGL_NO_CONFIG_KHR if it is allowed, otherwise any config for ES 3; nothing if there is none.
std::optional<EGLConfig> choose_config(EGLDisplay display, const char* extensions) {
  if (has_extension(extensions, "EGL_KHR_no_config_context")) return EGL_NO_CONFIG_KHR;
  // No surface is created, so any surface type will do. The default would ask for windows.
  const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT_KHR, EGL_SURFACE_TYPE,
                           EGL_DONT_CARE, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0) return std::nullopt;
  return config;
}

// A context on the display, or the reason why there is none.
std::pair<EGLContext, std::string> make_context(EGLDisplay display) {
  if (display == EGL_NO_DISPLAY) return {EGL_NO_CONTEXT, failed("eglGetPlatformDisplayEXT")};
  if (!eglInitialize(display, nullptr, nullptr)) return {EGL_NO_CONTEXT, failed("eglInitialize")};
  const char* extensions = eglQueryString(display, EGL_EXTENSIONS);
  if (!has_extension(extensions, "EGL_KHR_surfaceless_context"))
    return {EGL_NO_CONTEXT, "no EGL_KHR_surfaceless_context"};
  const std::optional<EGLConfig> config = choose_config(display, extensions);
  if (!config) return {EGL_NO_CONTEXT, "no config for OpenGL ES 3"};
  const ApiGuard api;
  // Without this, a driver need not report that it resets the GPU.
  const EGLint told[] = {EGL_CONTEXT_CLIENT_VERSION, 3,
                         EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT,
                         EGL_LOSE_CONTEXT_ON_RESET_EXT, EGL_NONE};
  const EGLint plain[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
  EGLContext context = EGL_NO_CONTEXT;
  if (has_extension(extensions, "EGL_EXT_create_context_robustness")) {
    context = eglCreateContext(display, *config, EGL_NO_CONTEXT, told);
  }
  if (context == EGL_NO_CONTEXT) {
    context = eglCreateContext(display, *config, EGL_NO_CONTEXT, plain);
  }
  if (context == EGL_NO_CONTEXT) return {EGL_NO_CONTEXT, failed("eglCreateContext")};
  return {context, ""};
}

// Tries ways to open a context until one works, and collects why the others failed.
class Search {
 public:
  bool attempt(const std::string& way, EGLDisplay display) {
    auto [context, reason] = make_context(display);
    if (context == EGL_NO_CONTEXT) {
      refuse(way, reason);
      return false;
    }
    display_ = display;
    context_ = context;
    way_ = way;
    return true;
  }

  void refuse(const std::string& way, const std::string& reason) {
    reasons_ += fmt::format("{}{}: {}", reasons_.empty() ? "" : "; ", way, reason);
  }

  bool by_device() {
    const auto [devices, reason] = enumerate();
    if (devices.empty()) return refuse("device platform", reason), false;
    if (!client_has("EGL_EXT_platform_device"))
      return refuse("device platform", "no EGL_EXT_platform_device"), false;
    bool tried = false;
    for (const bool software : {false, true}) {
      if (!software && software_wanted()) continue;
      for (std::size_t i = 0; i < devices.size(); ++i) {
        if (devices[i].software != software) continue;
        tried = true;
        if (by_device(static_cast<int>(i), devices[i])) return true;
      }
    }
    if (!tried) refuse("device platform", "no software device, but LIBGL_ALWAYS_SOFTWARE is set");
    return false;
  }

  bool by_device(int index, const EglDevice& device) {
    return attempt(fmt::format("device {} ({})", index, device.name),
                   platform_display(EGL_PLATFORM_DEVICE_EXT, device.handle));
  }

  bool by_surfaceless() {
    if (!client_has("EGL_MESA_platform_surfaceless"))
      return refuse("surfaceless", "no EGL_MESA_platform_surfaceless"), false;
    return attempt("surfaceless",
                   platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY));
  }

  bool by_gbm() {
    if (!client_has("EGL_KHR_platform_gbm") && !client_has("EGL_MESA_platform_gbm"))
      return refuse("gbm", "no EGL_KHR_platform_gbm"), false;
    const auto [nodes, reason] = gbm_nodes();
    if (nodes.empty()) refuse("gbm", reason);
    for (const GbmNode& node : nodes) {
      if (!node.device) {
        refuse("gbm " + node.path, node.reason);
        continue;
      }
      const EGLDisplay display = platform_display(EGL_PLATFORM_GBM_KHR, node.device);
      if (attempt("gbm " + node.path, display)) return true;
    }
    return false;
  }

  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
  std::string way_;
  std::string reasons_;
};

// Only the EGL device asked for.
void search_index(Search& search, int index) {
  const auto [devices, reason] = enumerate();
  const int count = static_cast<int>(devices.size());
  if (index < 0 || index >= count) {
    const std::string why = reason.empty() ? fmt::format("there are {}", count) : reason;
    core::fail_on_device("Device",
                         "no EGL device {}: {}; device must be -1 (the first that works) or in "
                         "[0, {})",
                         index, why, count);
  }
  if (!client_has("EGL_EXT_platform_device"))
    core::fail_on_device("Device", "EGL device {} does not open: no EGL_EXT_platform_device{}",
                         index, hint);
  if (!search.by_device(index, item(devices, index)))
    core::fail_on_device("Device", "EGL device {} does not open: {}{}", index, search.reasons_,
                         hint);
}

}  // namespace

Context Context::open(const ContextOptions& options) {
  Search search;
  if (options.device != -1) {
    search_index(search, options.device);
  } else if (!search.by_device() && !search.by_surfaceless() && !search.by_gbm()) {
    core::fail_on_device("Device", "no EGL display: {}{}", search.reasons_, hint);
  }
  return Context(search.display_, search.context_, std::move(search.way_), options.profile);
}

Context::Context(Context&& other) noexcept
    : display_(std::exchange(other.display_, nullptr)),
      context_(std::exchange(other.context_, nullptr)),
      way_(std::move(other.way_)),
      profile_(other.profile_) {}

Context& Context::operator=(Context&& other) noexcept {
  std::swap(display_, other.display_);
  std::swap(context_, other.context_);
  std::swap(way_, other.way_);
  std::swap(profile_, other.profile_);
  return *this;
}

Context::~Context() {
  if (context_) eglDestroyContext(display_, context_);
}

struct Current::Caller {
  EGLDisplay ours;
  EGLenum api;
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  EGLSurface draw = EGL_NO_SURFACE;
  EGLSurface read = EGL_NO_SURFACE;
  bool switched = false;  // false: the context was already current, so there is nothing to restore
};

Current::Current(const Context& context)
    : caller_(std::make_unique<Caller>(Caller{context.display(), eglQueryAPI()})) {
  Caller& caller = *caller_;
  bind_api(EGL_OPENGL_ES_API);
  caller.display = eglGetCurrentDisplay();
  caller.context = eglGetCurrentContext();
  if (caller.context != EGL_NO_CONTEXT) {
    caller.draw = eglGetCurrentSurface(EGL_DRAW);
    caller.read = eglGetCurrentSurface(EGL_READ);
  }
  caller.switched = caller.context != context.handle() || caller.display != caller.ours;
  if (!caller.switched) return;
  if (eglMakeCurrent(caller.ours, EGL_NO_SURFACE, EGL_NO_SURFACE, context.handle())) return;
  const EGLint error = eglGetError();
  bind_api(caller.api);
  if (error == EGL_CONTEXT_LOST) throw LostError();
  core::fail_on_device("gl", "eglMakeCurrent: {}{}", error_name(error),
                       error == EGL_BAD_ACCESS ? "; the context is current on another thread" : "");
}

Current::~Current() {
  const Caller& caller = *caller_;
  if (caller.switched) {
    bind_api(EGL_OPENGL_ES_API);
    // A caller's context that was destroyed meanwhile cannot be restored, but ours must be unbound.
    const bool restored =
        caller.context != EGL_NO_CONTEXT &&
        eglMakeCurrent(caller.display, caller.draw, caller.read, caller.context) == EGL_TRUE;
    if (!restored) eglMakeCurrent(caller.ours, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  }
  bind_api(caller.api);
}

bool is_current(const Context& context) {
  const ApiGuard api;
  return context.handle() && eglGetCurrentContext() == context.handle();
}

const char* const lost_text =
    "trigon::Device: the context is lost: the driver has reset the GPU\n"
    "  hint: open a new device and load its tensors again";

void check_not_lost(const Context&) {}
void check_answers() {}

void read_pack_buffer(std::span<std::byte> out) {
  const auto size = static_cast<GLsizeiptr>(out.size());
  const void* const bytes = glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, size, GL_MAP_READ_BIT);
  if (bytes != nullptr) std::memcpy(out.data(), bytes, out.size());
  if (bytes != nullptr && glUnmapBuffer(GL_PIXEL_PACK_BUFFER) == GL_TRUE) return;
  check("glMapBufferRange");
  core::fail_on_device("gl", "glMapBufferRange: the driver has lost the buffer");
}

std::vector<std::string> list_devices() {
  std::vector<std::string> names;
  for (const EglDevice& device : enumerate().first) names.push_back(device.name);
  return names;
}

}  // namespace trigon::detail::gl
