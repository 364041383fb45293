// SPDX-License-Identifier: MIT
#include "null_gl_state.hpp"

#include <EGL/eglext.h>

#include <string_view>

// One software device, whose contexts need no surface.

using namespace trigon::null_gl;

extern "C" {

static EGLBoolean query_devices(EGLint most, EGLDeviceEXT* devices, EGLint* number) {
  static int device = 0;
  int& left = answers().device_queries;
  if (left == 0) return EGL_FALSE;
  if (left > 0) --left;
  if (most > 0) devices[0] = &device;
  *number = answers().devices;
  return EGL_TRUE;
}
static const char* query_device_string(EGLDeviceEXT, EGLint) { return answers().device_extensions; }
static EGLDisplay platform_display(EGLenum, void*, const EGLint*) {
  static int display = 0;
  return answers().has_display ? &display : EGL_NO_DISPLAY;
}

__eglMustCastToProperFunctionPointerType eglGetProcAddress(const char* name) {
  using Function = __eglMustCastToProperFunctionPointerType;
  const std::string_view wanted = name;
  if (wanted == "eglQueryDevicesEXT" && answers().knows_device_query) {
    return reinterpret_cast<Function>(query_devices);
  }
  if (wanted == "eglQueryDeviceStringEXT") return reinterpret_cast<Function>(query_device_string);
  if (wanted == "eglGetPlatformDisplayEXT") return reinterpret_cast<Function>(platform_display);
  return nullptr;
}
const char* eglQueryString(EGLDisplay display, EGLint) {
  return display == EGL_NO_DISPLAY ? answers().client_extensions : answers().display_extensions;
}
EGLint eglGetError() { return EGL_SUCCESS; }
EGLBoolean eglInitialize(EGLDisplay, EGLint*, EGLint*) { return answers().initializes; }
EGLBoolean eglChooseConfig(EGLDisplay, const EGLint*, EGLConfig*, EGLint, EGLint* number) {
  *number = 0;
  return EGL_TRUE;
}
EGLBoolean eglBindAPI(EGLenum api) {
  set<"eglBindAPI">(state().api, api);
  return EGL_TRUE;
}
EGLenum eglQueryAPI() {
  count<"eglQueryAPI">();
  return state().api;
}
EGLContext eglCreateContext(EGLDisplay, EGLConfig, EGLContext, const EGLint*) {
  static int contexts[8] = {};
  static int made = 0;
  return answers().creates_contexts ? &contexts[made++ % 8] : EGL_NO_CONTEXT;
}
EGLBoolean eglDestroyContext(EGLDisplay, EGLContext) {
  end_context();
  return EGL_TRUE;
}
EGLBoolean eglMakeCurrent(EGLDisplay display, EGLSurface, EGLSurface, EGLContext context) {
  set<"eglMakeCurrent">(state().context, context);
  note(state().times.entered);
  state().display = context == EGL_NO_CONTEXT ? EGL_NO_DISPLAY : display;
  return EGL_TRUE;
}
EGLContext eglGetCurrentContext() {
  count<"eglGetCurrentContext">();
  return state().context;
}
EGLDisplay eglGetCurrentDisplay() {
  count<"eglGetCurrentDisplay">();
  return state().display;
}
EGLSurface eglGetCurrentSurface(EGLint) {
  count<"eglGetCurrentSurface">();
  return EGL_NO_SURFACE;
}

}  // extern "C"
