// SPDX-License-Identifier: MIT
#include "gl/quirks.hpp"

#include <fmt/core.h>

#include <array>
#include <string>

#include "gl/context.hpp"
#include "gl/settings.hpp"
#include "trigon/error.hpp"

namespace trigon::detail::gl {
namespace {

// Also true for layers above it: "zink (llvmpipe ...)", "ANGLE (Mesa, llvmpipe ...)".
bool on_llvmpipe(const DriverStrings& driver) {
  return driver.renderer.find("llvmpipe") != std::string_view::npos;
}

bool on_llvmpipe_in_a_browser(const DriverStrings& driver) {
  return in_browser && on_llvmpipe(driver);
}

bool on_hardware(const DriverStrings& driver) {
  const auto is = [&](std::string_view name) {
    return driver.renderer.find(name) != std::string_view::npos;
  };
  return !is("llvmpipe") && !is("softpipe") && !is("SwiftShader");
}

bool everywhere(const DriverStrings&) { return true; }

constexpr std::array<QuirkInfo, quirk_count> table = {{
    {.quirk = Quirk::sampler_fetch,
     .name = "sampler_fetch",
     .what = "looks texels up by the coordinates of their centres in place of by column and row",
     .why = "this is 1.5 times as fast on llvmpipe and exact up to 16,384 texels; "
            "elsewhere they are equal",
     .applies = on_llvmpipe},
    {.quirk = Quirk::avoid_power_of_two,
     .name = "avoid_power_of_two",
     .what = "never gives a texture a side that is a power of two (1 counts)",
     .why = "llvmpipe compiles a program again when an input's side changes between power of two "
            "and not; it costs nothing elsewhere, and so every driver has the same geometry",
     .applies = everywhere},
    {.quirk = Quirk::trip_limit,
     .name = "trip_limit",
     .what = "keeps all loops of one draw below 65,000 trips in total",
     .why = "llvmpipe ends a fragment's loops after 65,535 trips without an error; elsewhere very "
            "long draws meet the watchdogs of drivers",
     .applies = everywhere},
    {.quirk = Quirk::share_quads,
     .name = "share_quads",
     .what = "lets the fragments of a 2 x 2 quad share the inner axis of a matmul, exchanging sums "
             "by derivatives, where these are found to be exact in each row and column",
     .why = "a quarter to a third fewer fetches: 1.5 times as fast on NVIDIA, 1.2 on llvmpipe",
     .applies = everywhere},
    {.quirk = Quirk::one_at_a_time,
     .name = "one_at_a_time",
     .what = "lets one device of the process work at a time",
     .why = "llvmpipe looks through what other contexts of a display are drawing without their "
            "locks: two devices on two threads crash in it; they share its threads anyway",
     .applies = on_llvmpipe},
    {.quirk = Quirk::float_blend,
     .name = "float_blend",
     .what = "adds up the updates of a scatter and the parts of a product by blending, where "
             "blending of float32 targets is found to work",
     .why = "the work of a scatter is that of the updates; without it every element reads all of "
            "them. A product of few elements is twice as fast on an H200",
     .applies = everywhere},
    {.quirk = Quirk::finish_before_points,
     .name = "finish_before_points",
     .what = "waits until all draws are done before it draws points, or what texels may skip",
     .why = "the vertex stage of llvmpipe (Mesa 22.3) now and then reads a texture before the draw "
            "that makes it is done",
     .applies = on_llvmpipe},
    {.quirk = Quirk::clear_before_read,
     .name = "clear_before_read",
     .what = "clears no texel of a framebuffer before it reads from it",
     .why =
         "llvmpipe (Mesa 22.3) reads a texture that an unfinished draw writes and an earlier one "
         "read too soon, where it is no target of the context; browsers bind what is read for "
         "reads alone. Browser.ReadsWaitForDrawsThatAreNotDone finds such a read now and then",
     .applies = on_llvmpipe_in_a_browser},
    {.quirk = Quirk::gpu_costs,
     .name = "gpu_costs",
     .what = "plans by what draws, fetches and their delays cost on a GPU, not on two cores",
     .why = "a GPU computes values again where a processor stores them, and hides delays by many "
            "fragments",
     .applies = on_hardware},
}};

static_assert(core::in_order(table, &QuirkInfo::quirk),
              "the table has one row a quirk, in their order");

std::string names() {
  std::string text;
  for (const QuirkInfo& quirk : table)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", quirk.name);
  return text;
}

const QuirkInfo& find(const Setting& setting) {
  for (const QuirkInfo& quirk : table)
    if (quirk.name == setting.key) return quirk;
  throw DeviceError(
      fmt::format("trigon::Device: TRIGON_QUIRKS: unknown quirk: {}; the quirks are {}",
                  shown(setting), names()));
}

}  // namespace

std::span<const QuirkInfo> quirk_table() { return table; }

Quirks quirks_for(const DriverStrings& driver) {
  Quirks quirks;
  for (const QuirkInfo& quirk : table) quirks.set(quirk.quirk, quirk.applies(driver));
  return quirks;
}

Quirks override_quirks(Quirks quirks, std::string_view text) {
  for (const Setting& setting : parse_settings("TRIGON_QUIRKS", text)) {
    const QuirkInfo& quirk = find(setting);
    if (setting.value != "on" && setting.value != "off")
      throw DeviceError(fmt::format(
          "trigon::Device: TRIGON_QUIRKS: bad value: {}; it must be on or off", shown(setting)));
    quirks.set(quirk.quirk, setting.value == "on");
  }
  return quirks;
}

}  // namespace trigon::detail::gl
