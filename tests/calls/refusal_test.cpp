// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include <trigon/trigon.hpp>

#include "core/rooms.hpp"
#include "gl/context.hpp"
#include "gl/egl/gbm.hpp"
#include "support/errors.hpp"
#include "support/null_gl.hpp"
#include "support/values.hpp"

// Errors when EGL or a driver refuses something that the library needs.

namespace trigon {
namespace {

using null_gl::Answers;
using support::error_of;

const std::string hint =
    "\n  hint: install libegl-mesa0 and libgl1-mesa-dri, or set LIBGL_ALWAYS_SOFTWARE=1";

/// The error of a call under these answers, or "no error".
template <class F>
std::string refusal(const Answers& answers, const F& call) {
  null_gl::answers() = answers;
  const std::string error = error_of<DeviceError>(call);
  null_gl::answers() = {};
  return error;
}

std::string opening(const Answers& answers, int device = -1) {
  return refusal(answers, [&] { gl::Context::open({.device = device}); });
}

/// The error of all three ways; the first one fails for this reason.
std::string by_device(const std::string& reason) {
  return "trigon::Device: no EGL display: " + reason +
         "; surfaceless: no EGL_MESA_platform_surfaceless; gbm: no EGL_KHR_platform_gbm" + hint;
}

TEST(Refusal, OfEglWithoutDevices) {
  const std::string way = "device platform: ";
  EXPECT_EQ(opening({.client_extensions = nullptr}), by_device(way + "no EGL client extensions"));
  EXPECT_EQ(opening({.client_extensions = ""}), by_device(way + "no EGL_EXT_device_enumeration"));
  EXPECT_EQ(opening({.client_extensions = "EGL_EXT_device_base"}),
            by_device(way + "no EGL_EXT_platform_device"));
  EXPECT_EQ(opening({.knows_device_query = false}), by_device(way + "no eglQueryDevicesEXT"));
  EXPECT_EQ(opening({.device_queries = 0}), by_device(way + "eglQueryDevicesEXT: EGL_SUCCESS"));
  EXPECT_EQ(opening({.device_queries = 1}), by_device(way + "eglQueryDevicesEXT: EGL_SUCCESS"));
  EXPECT_EQ(opening({.devices = 0}), by_device(way + "no EGL device"));
  const char* const before = std::getenv("LIBGL_ALWAYS_SOFTWARE");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
  EXPECT_EQ(opening({.device_extensions = ""}),
            by_device(way + "no software device, but LIBGL_ALWAYS_SOFTWARE is set"));
  ::unsetenv("LIBGL_ALWAYS_SOFTWARE");
  if (before != nullptr) ::setenv("LIBGL_ALWAYS_SOFTWARE", kept.c_str(), 1);
}

TEST(Refusal, OfADeviceThatDoesNotOpen) {
  const std::string way = "device 0 (software rasterizer): ";
  EXPECT_EQ(opening({.has_display = false}),
            by_device(way + "eglGetPlatformDisplayEXT: EGL_SUCCESS"));
  EXPECT_EQ(opening({.initializes = false}), by_device(way + "eglInitialize: EGL_SUCCESS"));
  EXPECT_EQ(opening({.display_extensions = ""}), by_device(way + "no EGL_KHR_surfaceless_context"));
  EXPECT_EQ(opening({.display_extensions = "EGL_KHR_surfaceless_context"}),
            by_device(way + "no config for OpenGL ES 3"));
  EXPECT_EQ(opening({.creates_contexts = false}), by_device(way + "eglCreateContext: EGL_SUCCESS"));
}

TEST(Refusal, OfTheDeviceAskedFor) {
  const std::string start = "trigon::Device: EGL device 0 does not open: ";
  EXPECT_EQ(opening({.client_extensions = "EGL_EXT_device_base"}, 0),
            start + "no EGL_EXT_platform_device" + hint);
  EXPECT_EQ(opening({.initializes = false}, 0),
            start + "device 0 (software rasterizer): eglInitialize: EGL_SUCCESS" + hint);
  EXPECT_EQ(opening({.devices = 0}, 0),
            "trigon::Device: no EGL device 0: no EGL device; device must be -1 (the first that "
            "works) or in [0, 0)");
}

// Machines differ in their render nodes: each node has its own reason.
TEST(Refusal, OfRenderNodes) {
  const std::string error =
      opening({.client_extensions = "EGL_KHR_platform_gbm", .has_display = false});
  const std::string start =
      "trigon::Device: no EGL display: device platform: no EGL_EXT_device_enumeration; "
      "surfaceless: no EGL_MESA_platform_surfaceless; gbm";
  const auto [nodes, reason] = gl::gbm_nodes();
  if (nodes.empty()) {
    EXPECT_EQ(error, start + ": " + reason + hint);
  }
  for (const gl::GbmNode& node : nodes) {
    EXPECT_TRUE(error.starts_with(start)) << error;
    EXPECT_NE(error.find("gbm " + node.path + ": " + node.reason), std::string::npos) << error;
  }
}

TEST(Refusal, OfFramebuffers) {
  EXPECT_EQ(refusal({.framebuffer_status = GL_FRAMEBUFFER_UNSUPPORTED}, [] { return Device(); }),
            "trigon::Device: no float render target: llvmpipe (no GL: calls are counted): RGBA32F: "
            "GL_FRAMEBUFFER_UNSUPPORTED; it must draw to RGBA32F and read it back "
            "(GL_EXT_color_buffer_float)");
  const Device device;
  const Tensor x = support::filled({40, 40}).to(device).eval();
  EXPECT_EQ(refusal({.framebuffer_status = GL_FRAMEBUFFER_UNSUPPORTED}, [&] { exp(x).eval(); }),
            "trigon::eval: no memory for a tensor: shape (40, 40), 6400 bytes, 6400 as a texture; "
            "trigon::gl: framebuffer of trigon::run: target is not complete: "
            "GL_FRAMEBUFFER_UNSUPPORTED");
}

TEST(Refusal, OfDraws) {
  null_gl::on_draw([] { null_gl::fail(GL_INVALID_OPERATION); });
  EXPECT_EQ(error_of<DeviceError>([] { return Device(); }),
            "trigon::Device: no float render target: llvmpipe (no GL: calls are counted): RGBA32F: "
            "the draw raises an error; it must draw to RGBA32F and read it back "
            "(GL_EXT_color_buffer_float)");
  null_gl::on_draw(nullptr);
}

TEST(Refusal, OfAMappedBuffer) {
  Future<float> future = support::filled({40, 40}).read_async<float>();
  EXPECT_EQ(refusal({.keeps_mapped_buffers = false}, [&] { return future.get(); }),
            "trigon::gl: glMapBufferRange: the driver has lost the buffer");
}

}  // namespace
}  // namespace trigon
