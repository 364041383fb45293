// SPDX-License-Identifier: MIT
#include "gl/listing.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "core/quote.hpp"

namespace trigon::detail::gl {
namespace {

bool take_number(std::string_view& text, int& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return false;
  text.remove_prefix(end - text.data());
  return true;
}

// "0:7(12): ...", "0(7) : ...", "ERROR: 0:7: ..." -> 7; 0 for any other text.
int line_of(std::string_view message) {
  constexpr std::string_view prefix = "ERROR: ";
  if (message.substr(0, prefix.size()) == prefix) message.remove_prefix(prefix.size());
  int string_number = 0;
  int line = 0;
  if (!take_number(message, string_number) || message.empty()) return 0;
  if (message.front() != ':' && message.front() != '(') return 0;
  message.remove_prefix(1);
  return take_number(message, line) ? std::max(line, 0) : 0;
}

}  // namespace

int first_error_line(std::string_view log) {
  int fallback = 0;
  while (!log.empty()) {
    const std::string_view message = core::take_line(log);
    const int line = line_of(message);
    if (line == 0) continue;
    const bool error = message.find("error") != std::string_view::npos ||
                       message.find("ERROR") != std::string_view::npos;
    if (error) return line;
    if (fallback == 0) fallback = line;
  }
  return fallback;
}

std::string listing(std::string_view source, int line, int around) {
  std::string text;
  for (int number = 1; !source.empty(); ++number) {
    const std::string_view content = core::take_line(source);
    if (number < line - around) continue;
    if (number > std::max(line, 1) + around) break;
    text += fmt::format("\n{} {:4} | {}", number == line ? '>' : ' ', number, content);
  }
  return text;
}

}  // namespace trigon::detail::gl
