// SPDX-License-Identifier: MIT
#include "gl/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/called.hpp"
#include "core/quote.hpp"

namespace trigon::detail::gl {
namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

std::vector<Setting> parse_settings(std::string_view variable, std::string_view text) {
  std::vector<Setting> settings;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view pair = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos)
      core::fail_on_device("Device", "{}: no value: {}; write key=value, separated by commas",
                           variable, core::quote(pair));
    const Setting setting{trim(pair.substr(0, equals)), trim(pair.substr(equals + 1))};
    for (const Setting& earlier : settings)
      if (earlier.key == setting.key)
        core::fail_on_device("Device", "{}: given twice: {}, {}; each key may be given once",
                             variable, shown(earlier), shown(setting));
    settings.push_back(setting);
  }
  return settings;
}

std::string shown(const Setting& setting) {
  return core::quote(fmt::format("{}={}", setting.key, setting.value));
}

std::string environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value ? value : "";
}

int level_from_environment(const char* variable, int most) {
  const std::string text = environment(variable);
  if (text.empty()) return 0;
  for (int level = 0; level <= most; ++level) {
    if (text == fmt::to_string(level)) return level;
  }
  core::fail_on_device("Device", "{}: bad value: {}; it must be a whole number in [0, {}]",
                       variable, core::quote(text), most);
}

}  // namespace trigon::detail::gl
