// SPDX-License-Identifier: MIT
#define EGL_NO_X11
#define MESA_EGL_NO_X11_HEADERS
#include <EGL/egl.h>
#include <GLES3/gl3.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "gl/caps.hpp"
#include "gl/check.hpp"
#include "gl/context.hpp"
#include "gl/handles.hpp"
#include "gl/program.hpp"
#include "support/errors.hpp"
#include "trigon/error.hpp"

namespace trigon::detail::gl {
namespace {

using support::error_of;

TEST(Context, OpensWithoutASurface) {
  const Context context = Context::open();
  const Current current(context);
  GLint major = 0;
  glGetIntegerv(GL_MAJOR_VERSION, &major);
  EXPECT_GE(major, 3);
  EXPECT_FALSE(context.way().empty());
}

TEST(Context, OpeningLeavesNothingCurrent) {
  const Context context = Context::open();
  EXPECT_EQ(eglGetCurrentContext(), EGL_NO_CONTEXT);
  EXPECT_FALSE(is_current(context));
}

TEST(Context, OpensEachDeviceByItsIndexOrSaysWhyNot) {
  const std::size_t count = list_devices().size();
  for (std::size_t i = 0; i < count; ++i) {
    const int index = static_cast<int>(i);
    const std::string prefix = "trigon::Device: EGL device " + std::to_string(i) + " does not open";
    const std::string error = error_of([&] { Context::open({.device = index}); });
    EXPECT_TRUE(error == "no error" || error.substr(0, prefix.size()) == prefix) << error;
  }
}

TEST(Context, BadDeviceIndexIsNamed) {
  if (list_devices().empty()) GTEST_SKIP() << "EGL lists no devices";
  const std::string count = std::to_string(list_devices().size());
  EXPECT_EQ(error_of([] { Context::open({.device = 99}); }),
            "trigon::Device: no EGL device 99: there are " + count +
                "; device must be -1 (the first that works) or in [0, " + count + ")");
  EXPECT_EQ(error_of([] { Context::open({.device = -2}); }),
            "trigon::Device: no EGL device -2: there are " + count +
                "; device must be -1 (the first that works) or in [0, " + count + ")");
}

TEST(Context, MovesWithItsHandle) {
  Context a = Context::open();
  void* const handle = a.handle();
  Context b = std::move(a);
  EXPECT_EQ(b.handle(), handle);
  EXPECT_EQ(a.handle(), nullptr);  // NOLINT(bugprone-use-after-move): the state is promised
  const Current current(b);
  EXPECT_TRUE(is_current(b));
}

// Objects have names per context, so one context does not see the bindings of another.
TEST(Context, TwoLiveAtOnce) {
  const Context a = Context::open();
  const Context b = Context::open();
  EXPECT_NE(a.handle(), b.handle());
  std::optional<Current> current(a);
  glClearColor(0.25F, 0.0F, 0.0F, 0.0F);
  current.reset();
  current.emplace(b);
  GLfloat color[4] = {};
  glGetFloatv(GL_COLOR_CLEAR_VALUE, color);
  EXPECT_EQ(color[0], 0.0F);
  current.reset();
  current.emplace(a);
  glGetFloatv(GL_COLOR_CLEAR_VALUE, color);
  EXPECT_EQ(color[0], 0.25F);
}

TEST(Context, OneOutlivesTheOther) {
  const Context a = Context::open();
  { const Context b = Context::open(); }
  const Current current(a);
  glFinish();
  EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
}

TEST(Current, UnbindsAtTheEnd) {
  const Context context = Context::open();
  { const Current current(context); }
  EXPECT_EQ(eglGetCurrentContext(), EGL_NO_CONTEXT);
}

TEST(Current, NestsWithItself) {
  const Context context = Context::open();
  const Current outer(context);
  { const Current inner(context); }
  EXPECT_TRUE(is_current(context));
}

TEST(Current, NestsWithAnother) {
  const Context a = Context::open();
  const Context b = Context::open();
  {
    const Current outer(a);
    {
      const Current inner(b);
      EXPECT_TRUE(is_current(b));
      const Current innermost(a);
      EXPECT_TRUE(is_current(a));
    }
    EXPECT_TRUE(is_current(a));
  }
  EXPECT_EQ(eglGetCurrentContext(), EGL_NO_CONTEXT);
}

// A caller that draws with its own API, display, context and surface.
TEST(Current, RestoresTheCallersContextAndSurface) {
  const Context ours = Context::open();
  EGLDisplay display = ours.display();
  const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                           EGL_OPENGL_ES3_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
    GTEST_SKIP() << "no config with pixel buffers";
  const EGLint size[] = {EGL_WIDTH, 4, EGL_HEIGHT, 4, EGL_NONE};
  const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
  EGLSurface surface = eglCreatePbufferSurface(display, config, size);
  eglBindAPI(EGL_OPENGL_ES_API);
  EGLContext theirs = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
  ASSERT_TRUE(eglMakeCurrent(display, surface, surface, theirs));
  eglBindAPI(EGL_OPENGL_API);
  {
    const Current current(ours);
    EXPECT_TRUE(is_current(ours));
  }
  EXPECT_EQ(eglQueryAPI(), static_cast<EGLenum>(EGL_OPENGL_API));
  eglBindAPI(EGL_OPENGL_ES_API);
  EXPECT_EQ(eglGetCurrentContext(), theirs);
  EXPECT_EQ(eglGetCurrentDisplay(), display);
  EXPECT_EQ(eglGetCurrentSurface(EGL_DRAW), surface);
  EXPECT_EQ(eglGetCurrentSurface(EGL_READ), surface);
  eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display, theirs);
  eglDestroySurface(display, surface);
}

TEST(Current, CallersDestroyedContextDoesNotKeepOurs) {
  const Context ours = Context::open();
  std::optional<Context> theirs = Context::open();
  std::optional<Current> caller(*theirs);
  std::optional<Current> current(ours);
  theirs.reset();
  current.reset();
  EXPECT_FALSE(is_current(ours));
  caller.reset();
}

TEST(Handles, DeleteTheirObject) {
  const Context context = Context::open();
  const Current current(context);
  GLuint id = 0;
  {
    const Buffer buffer = Buffer::create();
    id = buffer.id();
    glBindBuffer(GL_ARRAY_BUFFER, id);
    EXPECT_TRUE(glIsBuffer(id));
  }
  EXPECT_FALSE(glIsBuffer(id));
}

TEST(Handles, MoveAndRelease) {
  const Context context = Context::open();
  const Current current(context);
  Framebuffer a = Framebuffer::create();
  const GLuint id = a.id();
  Framebuffer b = std::move(a);
  EXPECT_FALSE(a);  // NOLINT(bugprone-use-after-move): the state is promised
  EXPECT_EQ(b.id(), id);
  const GLuint released = b.release();
  EXPECT_EQ(released, id);
  EXPECT_FALSE(b);
  glDeleteFramebuffers(1, &released);
  const Sync sync = Sync::create();
  EXPECT_TRUE(glIsSync(sync.id()));
}

TEST(Handles, CreationWithoutAContextIsAnError) {
  EXPECT_EQ(error_of([] { VertexArray::create(); }),
            "trigon::gl: glGenVertexArrays: no object; a context must be current");
}

TEST(Caps, OfAContextThatIsNotCurrentAreAnError) {
  const Context context = Context::open();
  EXPECT_EQ(error_of([&] { probe(context, Profile::webgl2); }),
            "trigon::gl: probe: the context is not current; hold a Current");
}

TEST(Check, NamesTheCallAndTheError) {
  const Context context = Context::open();
  const Current current(context);
  glBindTexture(0x1234, 1);
  EXPECT_EQ(error_of([] { check("glBindTexture"); }), "trigon::gl: glBindTexture: GL_INVALID_ENUM");
  EXPECT_NO_THROW(check("glBindTexture"));
}

TEST(Check, NamesTheFramebufferStatus) {
  const Context context = Context::open();
  const Current current(context);
  const Framebuffer framebuffer = Framebuffer::create();
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
  EXPECT_EQ(error_of([] { check_framebuffer("a slab"); }),
            "trigon::gl: framebuffer of a slab is not complete: "
            "GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT");
}

constexpr const char* vertex_source = R"(#version 300 es
out vec2 v_place;
void main() {
  v_place = vec2(1.0);
  gl_Position = vec4(0.0);
}
)";

TEST(Program, CompileErrorShowsTheLine) {
  const Context context = Context::open();
  const Current current(context);
  try {
    compile_shader(GL_FRAGMENT_SHADER,
                   "#version 300 es\nprecision highp float;\nout vec4 o;\nvoid main() {\n"
                   "  o = vec4(colour);\n}\n");
    FAIL() << "it compiles";
  } catch (const CompileError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find("trigon::gl: fragment shader does not compile: "), 0U);
    EXPECT_NE(text.find("\n>    5 |   o = vec4(colour);\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\n     2 | precision highp float;\n"), std::string::npos) << text;
    EXPECT_NE(text.find(error.log()), std::string::npos);
    EXPECT_EQ(error.line(), 5);
  }
  EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
}

TEST(Program, LinkErrorHoldsTheLog) {
  const Context context = Context::open();
  const Current current(context);
  const Shader vertex = compile_shader(GL_VERTEX_SHADER, vertex_source);
  const Shader fragment =
      compile_shader(GL_FRAGMENT_SHADER,
                     "#version 300 es\nprecision highp float;\nin vec3 v_place;\nout vec4 o;\n"
                     "void main() { o = vec4(v_place, 1.0); }\n");
  const std::string error = error_of([&] { link_program(vertex, fragment); });
  EXPECT_EQ(error.find("trigon::gl: program does not link: "), 0U) << error;
  EXPECT_NE(error.find("v_place"), std::string::npos) << error;
}

TEST(Program, OutlivesItsShadersAndBindsTheAttribute) {
  const Context context = Context::open();
  const Current current(context);
  const Program program = link_program(
      compile_shader(GL_VERTEX_SHADER,
                     "attribute vec2 a_place;\nvoid main() { gl_Position = vec4(a_place, 0, 1); }"),
      compile_shader(GL_FRAGMENT_SHADER, "void main() { gl_FragColor = vec4(1.0); }"), "a_place");
  EXPECT_EQ(glGetAttribLocation(program.id(), "a_place"), 0);
}

// EGL looks for its drivers once per process, so these run in separate processes.
int fail_with(const char* variable, const char* value) {
  ::setenv(variable, value, 1);
  try {
    Context::open();
  } catch (const DeviceError& error) {
    std::fputs(error.what(), stderr);
    return 3;
  }
  return 0;
}

TEST(ContextDeathTest, EveryFailedWayIsExplained) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(std::exit(fail_with("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent")),
              ::testing::ExitedWithCode(3),
              "trigon::Device: no EGL display: device platform: .*; surfaceless: .*; gbm: .*\n"
              "  hint: install libegl-mesa0 and libgl1-mesa-dri, or set LIBGL_ALWAYS_SOFTWARE=1");
}

}  // namespace
}  // namespace trigon::detail::gl
