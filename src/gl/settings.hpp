// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/rooms.hpp"

namespace trigon::detail::gl {

struct Setting {
  std::string_view key;
  std::string_view value;
};

/// "side=63, layers=256" -> its pairs. Empty pairs are skipped, spaces trimmed. Raises DeviceError,
/// naming the environment variable, for a pair without "=" and for a key given twice.
std::vector<Setting> parse_settings(std::string_view variable, std::string_view text);

/// "key=value" in quotes, for errors.
std::string shown(const Setting& setting);

/// The value of an environment variable, "" if it is not set.
std::string environment(const char* variable);

/// The value of an environment variable as a number from 0 to `most`; 0 if it is not set or empty.
/// Raises DeviceError, naming it, for anything else.
int level_from_environment(const char* variable, int most);

}  // namespace trigon::detail::gl
