// SPDX-License-Identifier: MIT
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "options.hpp"
#include "program.hpp"

namespace {

/// On one line, with control characters as \x1b: a terminal would obey those of an argument.
std::string line(std::string text) {
  // Errors of the library may have a line more.
  constexpr std::string_view hint = "\n  hint: ";
  if (const auto at = text.find(hint); at != std::string::npos) text.replace(at, hint.size(), "; ");
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    const auto next = static_cast<unsigned char>(k + 1 < text.size() ? text[k + 1] : 0);
    if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {  // U+0080 to U+009F
      out += fmt::format("\\x{:02x}", next);
      ++k;
    } else {
      out += text[k];
    }
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
