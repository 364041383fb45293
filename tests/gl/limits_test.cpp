// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "gl/caps.hpp"
#include "gl/listing.hpp"
#include "gl/quirks.hpp"
#include "gl/settings.hpp"
#include "support/errors.hpp"
#include "trigon/error.hpp"

namespace trigon::detail::gl {
namespace {

Caps large() {
  Caps caps;
  caps.max_texture_size = 16384;
  caps.max_array_layers = 2048;
  caps.max_draw_buffers = 8;
  caps.max_color_attachments = 8;
  caps.max_texture_units = 16;
  caps.max_vertex_texture_units = 16;
  caps.max_uniform_vectors = 1024;
  return caps;
}

std::string limits_error(const char* text) {
  return support::error_of<DeviceError>([&] { lower_limits(large(), text); });
}

std::string quirks_error(const char* text) {
  return support::error_of<DeviceError>([&] { override_quirks({}, text); });
}

TEST(Limits, LowerEveryKey) {
  const Caps caps = lower_limits(large(),
                                 "side=63,layers=256, draw_buffers=4 ,trips=64,samplers=8,"
                                 "vertex_samplers=2,uniform_vectors=224,index=4096");
  EXPECT_EQ(caps.max_texture_size, 63);
  EXPECT_EQ(caps.max_array_layers, 256);
  EXPECT_EQ(caps.max_draw_buffers, 4);
  EXPECT_EQ(caps.max_color_attachments, 4);
  EXPECT_EQ(caps.trip_limit, 64);
  EXPECT_EQ(caps.max_texture_units, 8);
  EXPECT_EQ(caps.max_vertex_texture_units, 2);
  EXPECT_EQ(caps.max_uniform_vectors, 224);
  EXPECT_EQ(caps.index_limit, 4096);
}

TEST(Limits, NeverRaise) {
  const Caps caps = lower_limits(large(), "side=99999,trips=9000000000");
  EXPECT_EQ(caps.max_texture_size, 16384);
  EXPECT_EQ(caps.trip_limit, 65'000);
}

TEST(Limits, EmptyTextChangesNothing) {
  EXPECT_EQ(lower_limits(large(), "").max_texture_size, 16384);
  EXPECT_EQ(lower_limits(large(), " , ").max_texture_size, 16384);
}

TEST(Limits, UnknownKeyIsNamed) {
  EXPECT_EQ(limits_error("sides=63"),
            "trigon::Device: TRIGON_LIMITS: unknown key: \"sides=63\"; the keys are side, layers, "
            "draw_buffers, trips, samplers, vertex_samplers, uniform_vectors, index");
}

TEST(Limits, BadNumberIsNamed) {
  for (const char* value : {"0", "-4", "4.5", "4k", "", "99999999999999999999"})
    EXPECT_EQ(limits_error(("side=" + std::string(value)).c_str()),
              "trigon::Device: TRIGON_LIMITS: bad number: \"side=" + std::string(value) +
                  "\"; it must be a whole number of at least 1");
}

TEST(Limits, LoopsTakeTwoTripsAtLeast) {
  EXPECT_EQ(
      limits_error("index=3"),
      "trigon::Device: TRIGON_LIMITS: bad number: \"index=3\"; it must be a whole number of at "
      "least 1024");
  EXPECT_EQ(
      limits_error("trips=1"),
      "trigon::Device: TRIGON_LIMITS: bad number: \"trips=1\"; it must be a whole number of at "
      "least 2");
  EXPECT_EQ(lower_limits(large(), "trips=2").trip_limit, 2);
}

TEST(Limits, MissingValueIsNamed) {
  EXPECT_EQ(limits_error("side=63,layers"),
            "trigon::Device: TRIGON_LIMITS: no value: \"layers\"; write key=value, separated by "
            "commas");
}

TEST(Limits, KeyGivenTwiceIsRefused) {
  EXPECT_EQ(
      limits_error("side=63,side=64"),
      "trigon::Device: TRIGON_LIMITS: given twice: \"side=63\", \"side=64\"; each key may be given "
      "once");
}

TEST(Limits, HostileTextIsQuoted) {
  EXPECT_EQ(limits_error("\x1b[2Jside=1"),
            R"(trigon::Device: TRIGON_LIMITS: unknown key: "\x1b[2Jside=1"; the keys are side, )"
            "layers, draw_buffers, trips, samplers, vertex_samplers, uniform_vectors, index");
}

TEST(Settings, ALevelIsANumber) {
  const auto level = [](const char* text) {
    ::setenv("TRIGON_TEST_LEVEL", text, 1);
    const int found = level_from_environment("TRIGON_TEST_LEVEL", 3);
    ::unsetenv("TRIGON_TEST_LEVEL");
    return found;
  };
  EXPECT_EQ(level_from_environment("TRIGON_TEST_LEVEL", 3), 0);
  EXPECT_EQ(level(""), 0);
  EXPECT_EQ(level("0"), 0);
  EXPECT_EQ(level("3"), 3);
  for (const std::string text : {"4", "-1", "nan", "x", "1 ", "01", "1.0", "yes"}) {
    EXPECT_EQ(support::error_of<DeviceError>([&] { level(text.c_str()); }),
              "trigon::Device: TRIGON_TEST_LEVEL: bad value: \"" + text +
                  "\"; it must be a whole number in [0, 3]");
  }
  ::unsetenv("TRIGON_TEST_LEVEL");
}

constexpr DriverStrings llvmpipe{.vendor = "Mesa",
                                 .renderer = "llvmpipe (LLVM 15.0.6, 256 bits)",
                                 .version = "OpenGL ES 3.2 Mesa 22.3.6"};
constexpr DriverStrings nvidia{.vendor = "NVIDIA Corporation",
                               .renderer = "NVIDIA H200/PCIe/SSE2",
                               .version = "OpenGL ES 3.2 NVIDIA 580.159"};

TEST(QuirkTable, SamplerFetchIsForLlvmpipe) {
  EXPECT_TRUE(quirks_for(llvmpipe).has(Quirk::sampler_fetch));
  EXPECT_FALSE(quirks_for(nvidia).has(Quirk::sampler_fetch));
}

TEST(QuirkTable, GeometryAndTripsAreTheSameEverywhere) {
  for (const DriverStrings& driver : {llvmpipe, nvidia}) {
    EXPECT_TRUE(quirks_for(driver).has(Quirk::avoid_power_of_two));
    EXPECT_TRUE(quirks_for(driver).has(Quirk::trip_limit));
  }
}

TEST(QuirkTable, EveryQuirkIsExplained) {
  for (const QuirkInfo& quirk : quirk_table()) {
    EXPECT_FALSE(quirk.what.empty()) << quirk.name;
    EXPECT_FALSE(quirk.why.empty()) << quirk.name;
  }
}

TEST(QuirkTable, EveryQuirkIsInTheDocuments) {
  std::ifstream page(std::string(TRIGON_SOURCE_DIR) + "/docs/devices.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  for (const QuirkInfo& quirk : quirk_table()) {
    EXPECT_NE(text.find(std::string(quirk.name) + "=o"), std::string::npos) << quirk.name;
  }
}

TEST(QuirkOverride, SwitchesOnAndOff) {
  Quirks start;
  start.set(Quirk::sampler_fetch, true);
  start.set(Quirk::share_quads, true);
  Quirks wanted;
  wanted.set(Quirk::trip_limit, true);
  wanted.set(Quirk::share_quads, true);
  EXPECT_EQ(override_quirks(start, "sampler_fetch=off, trip_limit=on"), wanted);
  EXPECT_EQ(override_quirks(start, ""), start);
}

TEST(QuirkOverride, UnknownNameListsTheNames) {
  EXPECT_EQ(quirks_error("sampler_fech=on"),
            "trigon::Device: TRIGON_QUIRKS: unknown quirk: \"sampler_fech=on\"; the quirks are "
            "sampler_fetch, avoid_power_of_two, trip_limit, share_quads, "
            "one_at_a_time, float_blend, finish_before_points, clear_before_read, check_at_reads, "
            "gpu_costs");
}

TEST(QuirkOverride, OtherValueIsRefused) {
  EXPECT_EQ(quirks_error("trip_limit=1"),
            "trigon::Device: TRIGON_QUIRKS: bad value: \"trip_limit=1\"; it must be on or off");
}

TEST(QuirkOverride, NameWithoutValueIsRefused) {
  EXPECT_EQ(quirks_error("trip_limit"),
            "trigon::Device: TRIGON_QUIRKS: no value: \"trip_limit\"; write key=value, separated "
            "by commas");
}

TEST(Listing, FindsTheLineInEachDriversLog) {
  EXPECT_EQ(first_error_line("0:7(12): error: `colour' undeclared"), 7);
  EXPECT_EQ(first_error_line("0(31) : error C1503: undefined variable \"colour\""), 31);
  EXPECT_EQ(first_error_line("ERROR: 0:12: 'colour' : undeclared identifier"), 12);
}

TEST(Listing, ErrorsComeBeforeWarnings) {
  EXPECT_EQ(first_error_line("0:3(1): warning: unused\n0:9(1): error: bad"), 9);
  EXPECT_EQ(first_error_line("0:3(1): warning: unused"), 3);
}

TEST(Listing, OtherTextHasNoLine) {
  EXPECT_EQ(first_error_line(""), 0);
  EXPECT_EQ(first_error_line("out of memory\n12 things"), 0);
}

TEST(Listing, NumbersAndMarksTheLines) {
  EXPECT_EQ(listing("a\nb\nc\nd\ne\n", 3, 1), "\n     2 | b\n>    3 | c\n     4 | d");
  EXPECT_EQ(listing("a\nb\nc", 0, 1), "\n     1 | a\n     2 | b");
  EXPECT_EQ(listing("a\nb\nc", 3, 1), "\n     2 | b\n>    3 | c");
}

}  // namespace
}  // namespace trigon::detail::gl
