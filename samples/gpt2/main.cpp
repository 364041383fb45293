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

/// Whether it controls a terminal, breaks a line, changes the direction of text or is invisible.
bool is_hidden(utf8proc_int32_t code) {
  if (code == 0x200c || code == 0x200d) return false;  // joiners are part of words and of emoji
  const auto kind = utf8proc_category(code);
  return kind == UTF8PROC_CATEGORY_CC || kind == UTF8PROC_CATEGORY_CF ||
         kind == UTF8PROC_CATEGORY_ZL || kind == UTF8PROC_CATEGORY_ZP;
}

/// A text on one line, as in the library's errors, since a terminal would obey control characters
/// of an argument. They become \x1b, as do bytes that are not UTF-8, or \u{202e}.
std::string line(std::string text) {
  // Errors of the library may have a second line.
  constexpr std::string_view hint = "\n  hint: ";
  if (const auto at = text.find(hint); at != std::string::npos) text.replace(at, hint.size(), "; ");
  std::string out;
  const auto* at = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const auto* const end = at + text.size();
  while (at < end) {
    utf8proc_int32_t code = 0;
    const utf8proc_ssize_t size = utf8proc_iterate(at, end - at, &code);
    const auto* const next = at + (size > 0 ? size : 1);
    if (size > 0 && !is_hidden(code)) {
      out.append(at, next);
    } else {
      out += size > 1 ? fmt::format("\\u{{{:x}}}", code) : fmt::format("\\x{:02x}", *at);
    }
    at = next;
  }
  return out + "\n";
}

int fail(std::string_view what, int status) {
  // Errors of the sample begin with its name.
  const std::string text = fmt::format("{}{}", what.starts_with("gpt2:") ? "" : "gpt2: ", what);
  std::fputs(line(text).c_str(), stderr);  // stderr may be closed or full; the status is enough
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
