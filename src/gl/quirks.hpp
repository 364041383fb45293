// SPDX-License-Identifier: MIT
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/item.hpp"

namespace trigon::detail::gl {

/// Differences between drivers that no query reveals. The table in quirks.cpp names and explains
/// each; TRIGON_QUIRKS="sampler_fetch=off,trip_limit=on" switches them.
enum class Quirk : std::uint8_t {
  sampler_fetch,
  avoid_power_of_two,
  trip_limit,
  share_quads,
  one_at_a_time,
  float_blend,
  finish_before_points,
  clear_before_read,
  check_at_reads,
  gpu_costs,
};

/// One more than the last quirk.
inline constexpr std::size_t quirk_count = core::rows_through(Quirk::gpu_costs);

/// The set of quirks that are on.
class Quirks {
 public:
  bool has(Quirk quirk) const { return item(on_, quirk); }
  void set(Quirk quirk, bool on) { item(on_, quirk) = on; }
  friend bool operator==(const Quirks&, const Quirks&) = default;

 private:
  std::bitset<quirk_count> on_;
};

/// The strings that GL gives.
struct DriverStrings {
  std::string_view vendor;    ///< GL_VENDOR
  std::string_view renderer;  ///< GL_RENDERER
  std::string_view version;   ///< GL_VERSION: names the driver's release too
};

struct QuirkInfo {
  Quirk quirk;
  std::string_view name;  ///< in TRIGON_QUIRKS
  std::string_view what;
  std::string_view why;
  bool (*applies)(const DriverStrings& driver);
};

/// All quirks, in the order of the enumeration.
std::span<const QuirkInfo> quirk_table();

/// The quirks that apply to a driver.
Quirks quirks_for(const DriverStrings& driver);

/// Applies "name=on,name=off", the text of TRIGON_QUIRKS; an empty text changes nothing. Raises
/// DeviceError for an unknown name, another value, or a name given twice.
Quirks override_quirks(Quirks quirks, std::string_view text);

}  // namespace trigon::detail::gl
