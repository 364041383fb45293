// SPDX-License-Identifier: MIT
#include "io/out_of_memory.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/quote.hpp"
#include "io/text.hpp"

namespace trigon::detail::io {

// The path as quote_path() writes it.
OutOfMemory::OutOfMemory(std::string_view path) noexcept : Error("") {
  constexpr std::string_view rule = "\": out of memory; there must be some for the file";
  constexpr std::string_view cut = "...";
  char* end = text_.data();
  const auto append = [&](std::string_view text) {
    end = std::copy(text.begin(), text.end(), end);
  };
  const char* const function = core::called_function();
  append(function == nullptr ? "trigon" : "trigon::");
  if (function != nullptr) append(function);
  append(": \"");
  const char* const most = text_.data() + text_.size() - 1 - rule.size() - cut.size();
  while (!path.empty()) {
    const core::Shown one = core::first_shown(path, true);
    if (end + one.size > most) {
      append(cut);
      break;
    }
    append(one.text());
    path.remove_prefix(one.used);
  }
  append(rule);
}

void add_file(std::string_view path, const detail::core::NoMemory& error) {
  constexpr std::string_view after_function = ": ";
  const std::string_view text = error.what();
  core::fail("{}: {}", quote_path(path),
             text.substr(text.find(after_function) + after_function.size()));
}

}  // namespace trigon::detail::io
