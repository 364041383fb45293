// SPDX-License-Identifier: MIT
#include "gl/quirks.hpp"

#include <fmt/core.h>

#include <array>
#include <string>

#include "core/called.hpp"
#include "core/list.hpp"
#include "gl/context.hpp"
#include "gl/settings.hpp"

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
bool in_a_browser(const DriverStrings&) { return in_browser; }

constexpr std::array<QuirkInfo, quirk_count> table = {{
    {.quirk = Quirk::sampler_fetch,
     .name = "sampler_fetch",
     .what = "fetches texels by the coordinates of their centres, not by column and row",
     .why = "1.5 times as fast on llvmpipe, and exact up to 16,384 texels; on other drivers both "
            "are equally fast",
     .applies = on_llvmpipe},
    {.quirk = Quirk::avoid_power_of_two,
     .name = "avoid_power_of_two",
     .what = "never gives a texture a side that is a power of two (1 counts)",
     .why = "llvmpipe compiles a program again when an input's side becomes a power of two or "
            "stops being one; it costs nothing on other drivers, so all have the same geometry",
     .applies = everywhere},
    {.quirk = Quirk::trip_limit,
     .name = "trip_limit",
     .what = "keeps all loops of one draw below 65,000 iterations in total",
     .why = "llvmpipe ends a fragment's loops after 65,535 iterations without an error; on other "
            "drivers watchdogs may stop very long draws",
     .applies = everywhere},
    {.quirk = Quirk::share_quads,
     .name = "share_quads",
     .what = "lets the fragments of a 2 x 2 quad share the inner axis of a matmul and exchange "
             "sums by derivatives, if a probe finds derivatives to be exact",
     .why = "a quarter to a third fewer fetches; 1.5 times as fast on NVIDIA, 1.2 on llvmpipe",
     .applies = everywhere},
    {.quirk = Quirk::one_at_a_time,
     .name = "one_at_a_time",
     .what = "lets one device of the process work at a time",
     .why = "llvmpipe reads the draws of a display's other contexts without locks, so two devices "
            "on two threads crash; they would share its threads anyway",
     .applies = on_llvmpipe},
    {.quirk = Quirk::float_blend,
     .name = "float_blend",
     .what = "adds up the updates of a scatter and the overlays of a product by blending, if a "
             "probe finds that float32 targets can blend",
     .why = "a scatter only does the work of its updates; without blending every element reads "
            "all updates. A product of few elements is twice as fast on an H200",
     .applies = everywhere},
    {.quirk = Quirk::finish_before_points,
     .name = "finish_before_points",
     .what = "waits until all draws are done before draws of points, and before draws that a "
             "texel may skip",
     .why = "the vertex stage of llvmpipe (Mesa 22.3) sometimes reads a texture before the draw "
            "that writes it is done",
     .applies = on_llvmpipe},
    {.quirk = Quirk::clear_before_read,
     .name = "clear_before_read",
     .what = "clears an empty region of a framebuffer before reading from it",
     .why = "llvmpipe (Mesa 22.3) reads a texture too soon if an unfinished draw writes it, an "
            "earlier draw read it, and it is not a target of the context; browsers use a read-only "
            "binding. Browser.ReadsWaitForDrawsThatAreNotDone sometimes finds such a read",
     .applies = on_llvmpipe_in_a_browser},
    {.quirk = Quirk::check_at_reads,
     .name = "check_at_reads",
     .what =
         "asks for errors of small uploads, and of draws for which nothing new was made, at the "
         "next read; an error then ends the device",
     .why = "a browser answers glGetError when its GPU process has done all earlier calls, which "
            "takes half of the time of a small evaluation",
     .applies = in_a_browser},
    {.quirk = Quirk::gpu_costs,
     .name = "gpu_costs",
     .what = "plans by a GPU's costs of draws, fetches and their delays, not by those of two cores",
     .why = "on a GPU computing a value again is often cheaper than storing it, and many "
            "fragments hide delays",
     .applies = on_hardware},
}};

static_assert(core::in_order(table, &QuirkInfo::quirk),
              "the table has one row for each quirk, in their order");

std::string names() {
  std::string text;
  for (const QuirkInfo& quirk : table) core::append_text(text, quirk.name);
  return text;
}

const QuirkInfo& find(const Setting& setting) {
  for (const QuirkInfo& quirk : table)
    if (quirk.name == setting.key) return quirk;
  core::fail_on_device("Device", "TRIGON_QUIRKS: unknown quirk: {}; the quirks are {}",
                       shown(setting), names());
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
      core::fail_on_device("Device", "TRIGON_QUIRKS: bad value: {}; it must be on or off",
                           shown(setting));
    quirks.set(quirk.quirk, setting.value == "on");
  }
  return quirks;
}

}  // namespace trigon::detail::gl
