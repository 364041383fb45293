// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace trigon::gl {

/// Where drivers differ in ways that no query tells. Each is named, explained and switchable with
/// TRIGON_QUIRKS="sampler_fetch=off,trip_limit=on".
struct Quirks {
  bool sampler_fetch = false;
  bool avoid_power_of_two = false;
  bool trip_limit = false;
  bool share_quads = false;
  bool one_at_a_time = false;
  friend bool operator==(const Quirks&, const Quirks&) = default;
};

struct QuirkInfo {
  std::string_view name;
  std::string_view what;
  std::string_view why;
  bool (*applies)(std::string_view vendor, std::string_view renderer);
  bool Quirks::*member;
};

/// All quirks, in the order of the struct.
std::span<const QuirkInfo> quirk_table();

/// Those that apply to a driver, by the strings that GL gives.
Quirks quirks_for(std::string_view vendor, std::string_view renderer);

/// `quirks` with "name=on,name=off" applied, the text of TRIGON_QUIRKS; an empty text changes
/// nothing. Raises DeviceError for an unknown name, another value, or a name given twice.
Quirks override_quirks(Quirks quirks, std::string_view text);

}  // namespace trigon::gl
