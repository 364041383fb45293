// SPDX-License-Identifier: MIT
#include "gl/caps.hpp"

#include <GLES3/gl3.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "gl/context.hpp"
#include "support/compare.hpp"
#include "trigon/error.hpp"

namespace trigon::detail::gl {
namespace {

// An environment variable for a scope; the value before comes back.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    const char* before = std::getenv(name);
    was_set_ = before != nullptr;
    before_ = before ? before : "";
    ::setenv(name, value, 1);
  }
  ~Variable() {
    if (was_set_) {
      ::setenv(name_, before_.c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  bool was_set_ = false;
  std::string before_;
};

// The device itself, independent of the environment of the tests.
class CapsTest : public ::testing::Test {
 protected:
  Caps caps_of(Profile profile) const { return probe(context_, profile); }

  Variable no_limits_{"TRIGON_LIMITS", ""};
  Variable no_quirks_{"TRIGON_QUIRKS", ""};
  Context context_ = Context::open();
  Current current_{context_};
};

TEST_F(CapsTest, MeetTheMinimumOfTheStandard) {
  const Caps caps = caps_of(Profile::webgl2);
  EXPECT_GE(caps.max_texture_size, 2048);
  EXPECT_GE(caps.max_array_layers, 256);
  EXPECT_GE(caps.max_draw_buffers, 4);
  EXPECT_LE(caps.max_draw_buffers, 8);
  EXPECT_GE(caps.max_color_attachments, caps.max_draw_buffers);
  EXPECT_GE(caps.max_texture_units, 16);
  EXPECT_GE(caps.max_uniform_vectors, 224);
  EXPECT_EQ(caps.trip_limit, 65'000);
  EXPECT_FALSE(caps.renderer.empty());
  EXPECT_FALSE(caps.vendor.empty());
  EXPECT_FALSE(caps.version.empty());
}

TEST_F(CapsTest, EveryFormatWorksUnderWebgl2) {
  const Caps caps = caps_of(Profile::webgl2);
  EXPECT_TRUE(caps.float32_render);
  EXPECT_TRUE(caps.float16_render);
  EXPECT_TRUE(caps.integer_formats);
  EXPECT_EQ(caps.read_format(Format::rgba32f).type, static_cast<unsigned>(GL_FLOAT));
  EXPECT_EQ(caps.read_format(Format::rgba32f).bytes_per_texel, 16);
  EXPECT_EQ(caps.read_format(Format::rgba32i).type, static_cast<unsigned>(GL_INT));
  EXPECT_EQ(caps.read_format(Format::rgba32ui).type, static_cast<unsigned>(GL_UNSIGNED_INT));
  for (const Format f : {Format::rgba16f, Format::rgba8ui}) {
    EXPECT_TRUE(caps.supports(f));
    EXPECT_GE(caps.read_format(f).bytes_per_texel, core::bytes_per_texel(f)) << info(f).name;
  }
}

TEST_F(CapsTest, Webgl1OffersPlainFloatTargetsOnly) {
  const Caps caps = caps_of(Profile::webgl1);
  EXPECT_TRUE(caps.float32_render);
  EXPECT_TRUE(caps.supports(Format::rgba32f));
  for (const Format f : {Format::rgba16f, Format::rgba32i, Format::rgba32ui, Format::rgba8ui})
    EXPECT_FALSE(caps.supports(f)) << info(f).name;
  EXPECT_EQ(caps.max_draw_buffers, 1);
  EXPECT_EQ(caps.max_array_layers, 1);
  EXPECT_FALSE(caps.float16_render);
  EXPECT_FALSE(caps.float_blend);
  EXPECT_FALSE(caps.integer_formats);
  EXPECT_EQ(caps.max_texture_size, caps_of(Profile::webgl2).max_texture_size);
}

TEST_F(CapsTest, ProbingLeavesNoErrorAndNoBinding) {
  caps_of(Profile::webgl2);
  EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
  for (const int name :
       {GL_DRAW_FRAMEBUFFER_BINDING, GL_READ_FRAMEBUFFER_BINDING, GL_VERTEX_ARRAY_BINDING,
        GL_CURRENT_PROGRAM, GL_TEXTURE_BINDING_2D, GL_TEXTURE_BINDING_2D_ARRAY, GL_BLEND}) {
    GLint value = -1;
    glGetIntegerv(static_cast<GLenum>(name), &value);
    EXPECT_EQ(value, 0) << "0x" << std::hex << name;
  }
}

TEST_F(CapsTest, TwoProbesAgree) {
  const Caps a = caps_of(Profile::webgl2);
  const Caps b = caps_of(Profile::webgl2);
  EXPECT_EQ(a.max_texture_size, b.max_texture_size);
  EXPECT_EQ(a.max_draw_buffers, b.max_draw_buffers);
  EXPECT_EQ(a.float_blend, b.float_blend);
}

TEST_F(CapsTest, EnvironmentLowersLimits) {
  const Variable limits("TRIGON_LIMITS", "side=63,draw_buffers=4,trips=64");
  const Caps caps = caps_of(Profile::webgl2);
  EXPECT_EQ(caps.max_texture_size, 63);
  EXPECT_EQ(caps.max_draw_buffers, 4);
  EXPECT_EQ(caps.trip_limit, 64);
}

TEST_F(CapsTest, EnvironmentSwitchesQuirks) {
  const Variable quirks("TRIGON_QUIRKS", "sampler_fetch=off,trip_limit=off");
  EXPECT_FALSE(caps_of(Profile::webgl2).quirks.has(Quirk::sampler_fetch));
  EXPECT_EQ(caps_of(Profile::webgl2).trip_limit, no_trip_limit);
  EXPECT_EQ(caps_of(Profile::webgl1).trip_limit, 65'000);
}

// Natively no driver needs it; browsers on llvmpipe run every test with it.
TEST(QuirkClearBeforeRead, LeavesWhatIsRead) {
  const Variable quirks("TRIGON_QUIRKS", "clear_before_read=on");
  for (const Profile profile : {Profile::webgl2, Profile::webgl1}) {
    const Device device({.profile = profile});
    const DeviceGuard guard(device);
    for (const DType dtype : {float32, float16, int32, uint32, uint8, boolean}) {
      const Tensor x = (trigon::arange(70) % 2).astype(dtype).eval();
      const Tensor y = (x + x).eval();
      // After y, so that another framebuffer was drawn to; in x's own format.
      const std::vector<double> got = support::read_doubles(x);
      const std::vector<double> twice = support::read_doubles(y);
      ASSERT_EQ(got.size(), 70U);
      for (std::size_t k = 0; k < got.size(); ++k) {
        ASSERT_EQ(got[k], k % 2) << dtype;
        ASSERT_EQ(twice[k], 2 * (k % 2)) << dtype;
      }
    }
  }
}

TEST_F(CapsTest, BadEnvironmentThrows) {
  const Variable limits("TRIGON_LIMITS", "side=big");
  EXPECT_THROW(caps_of(Profile::webgl2), DeviceError);
}

TEST_F(CapsTest, AnotherContextIsRefused) {
  const Context other = Context::open();
  EXPECT_THROW(probe(other, Profile::webgl2), DeviceError);
}

TEST(FormatTable, IsInTheOrderOfTheEnum) {
  for (std::size_t i = 0; i < format_count; ++i)
    EXPECT_EQ(static_cast<std::size_t>(info(static_cast<Format>(i)).id), i);
}

#if GTEST_HAS_DEATH_TEST  // a browser has no processes

// Mesa reads its overrides once per process, so this runs in a separate process.
int probe_without_float_targets() {
  ::setenv("MESA_EXTENSION_OVERRIDE", "-GL_EXT_color_buffer_float", 1);
  try {
    const Context context = Context::open();
    const Current current(context);
    const Caps caps = probe(context, Profile::webgl2);
    // Only Mesa can be told to have no float targets.
    if (caps.version.find("Mesa") == std::string::npos) std::fputs("not Mesa", stderr);
    return caps.version.find("Mesa") == std::string::npos ? 3 : 0;
  } catch (const DeviceError& error) {
    std::fputs(error.what(), stderr);
    return 3;
  }
}

TEST(CapsDeathTest, NoFloatTargetIsAnErrorThatNamesTheRenderer) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(std::exit(probe_without_float_targets()), ::testing::ExitedWithCode(3),
              "not Mesa|trigon::Device: no float render target: .*: RGBA32F: "
              "GL_FRAMEBUFFER_UNSUPPORTED; it must draw to RGBA32F and read it back");
}

#endif

}  // namespace
}  // namespace trigon::detail::gl
