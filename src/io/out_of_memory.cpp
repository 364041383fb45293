// SPDX-License-Identifier: MIT
#include "io/out_of_memory.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "io/text.hpp"

namespace trigon::io {

// What is appended: at most four bytes for each of the path, as quote_path() writes them.
OutOfMemory::OutOfMemory(const char* function, std::string_view path) noexcept
    : Error("", Unchanged{}) {
  constexpr std::string_view rule = "\": out of memory; there must be some for the file";
  constexpr std::string_view cut = "...";
  char* end = text_.data();
  const auto append = [&](std::string_view text) {
    end = std::copy(text.begin(), text.end(), end);
  };
  append("trigon::");
  append(function);
  append(": \"");
  char* const most = text_.data() + text_.size() - 1 - rule.size() - cut.size() - 4;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (end > most) {
      append(cut);
      break;
    }
    if (byte < 0x20 || byte == 0x7f) {
      constexpr std::string_view digits = "0123456789abcdef";
      append("\\x");
      append(digits.substr(byte >> 4, 1));
      append(digits.substr(byte & 15, 1));
    } else {
      if (c == '"' || c == '\\') append("\\");
      append({&c, 1});
    }
  }
  append(rule);
}

void add_file(const char* function, std::string_view path, const detail::NoMemory& error) {
  constexpr std::string_view after_function = ": ";
  const std::string_view text = error.what();
  throw Error(fmt::format("trigon::{}: {}: {}", function, quote_path(path),
                          text.substr(text.find(after_function) + after_function.size())));
}

}  // namespace trigon::io
