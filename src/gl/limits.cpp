// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>

#include "core/called.hpp"
#include "core/list.hpp"
#include "gl/caps.hpp"
#include "gl/settings.hpp"

namespace trigon::detail::gl {
namespace {

struct Limit {
  std::string_view key;
  void (*lower)(Caps&, std::int64_t);
  std::int64_t least = 1;
};

template <class T>
void lower(T& limit, std::int64_t value) {
  limit = static_cast<T>(std::min<std::int64_t>(limit, value));
}

constexpr Limit table[] = {
    {"side", [](Caps& c, std::int64_t v) { lower(c.max_texture_size, v); }},
    {"layers", [](Caps& c, std::int64_t v) { lower(c.max_array_layers, v); }},
    {"draw_buffers",
     [](Caps& c, std::int64_t v) {
       lower(c.max_draw_buffers, v);
       lower(c.max_color_attachments, v);
     }},
    // With one trip per fragment, no pass of a reduction would leave less than it reads.
    {"trips", [](Caps& c, std::int64_t v) { lower(c.trip_limit, v); }, 2},
    {"samplers", [](Caps& c, std::int64_t v) { lower(c.max_texture_units, v); }},
    {"vertex_samplers", [](Caps& c, std::int64_t v) { lower(c.max_vertex_texture_units, v); }, 0},
    {"uniform_vectors", [](Caps& c, std::int64_t v) { lower(c.max_uniform_vectors, v); }},
    // With smaller limits, two digits could not number all elements of a texture.
    {"index", [](Caps& c, std::int64_t v) { lower(c.index_limit, v); }, 1024},
};

std::string keys() {
  std::string text;
  for (const Limit& limit : table) core::append_text(text, limit.key);
  return text;
}

const Limit& find(const Setting& setting) {
  for (const Limit& limit : table)
    if (limit.key == setting.key) return limit;
  core::fail_on_device("Device", "TRIGON_LIMITS: unknown key: {}; the keys are {}", shown(setting),
                       keys());
}

std::int64_t number(const Setting& setting, std::int64_t least) {
  std::int64_t value = 0;
  const char* end = setting.value.data() + setting.value.size();
  const auto [stop, error] = std::from_chars(setting.value.data(), end, value);
  if (error == std::errc() && stop == end && value >= least) return value;
  core::fail_on_device("Device",
                       "TRIGON_LIMITS: bad number: {}; it must be a whole number of at least {}",
                       shown(setting), least);
}

}  // namespace

Caps lower_limits(Caps caps, std::string_view text) {
  for (const Setting& setting : parse_settings("TRIGON_LIMITS", text)) {
    const Limit& limit = find(setting);
    limit.lower(caps, number(setting, limit.least));
  }
  return caps;
}

}  // namespace trigon::detail::gl
