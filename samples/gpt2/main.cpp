// SPDX-License-Identifier: MIT
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <utf8proc.h>

#include "options.hpp"
#include "program.hpp"

namespace {

/// On one line, with control characters and what is not UTF-8 as \x1b: a terminal would obey those
/// of an argument.
std::string line(std::string text) {
  // Errors of the library may have a line more.
  constexpr std::string_view hint = "\n  hint: ";
  if (const auto at = text.find(hint); at != std::string::npos) text.replace(at, hint.size(), "; ");
  std::string out;
  const auto* at = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const auto* const end = at + text.size();
  while (at < end) {
    utf8proc_int32_t code = 0;
    const utf8proc_ssize_t size = utf8proc_iterate(at, end - at, &code);
    const bool is_shown = size > 0 && utf8proc_category(code) != UTF8PROC_CATEGORY_CC;
    const auto* const next = at + (size > 0 ? size : 1);
    out += is_shown ? std::string(at, next) : fmt::format("\\x{:02x}", size > 0 ? code : *at);
    at = next;
  }
  return out + "\n";
}

int fail(std::string_view what, int status) {
  // Errors of the sample begin with its name.
  const std::string text = fmt::format("{}{}", what.starts_with("gpt2:") ? "" : "gpt2: ", what);
  std::fputs(line(text).c_str(), stderr);  // which may be closed or full: the status says enough
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    gpt2::run(gpt2::parse_options(argc, argv));
    return 0;
  } catch (const gpt2::UsageError& error) {
    return fail(fmt::format("{}; gpt2 --help lists the options", error.what()), 2);
  } catch (const std::exception& error) {
    return fail(error.what(), 1);
  }
}
