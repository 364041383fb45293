// SPDX-License-Identifier: MIT
#include "core/quote.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace trigon::detail::core {
namespace {

struct CodePoint {
  char32_t code = 0;
  std::size_t size = 0;  ///< bytes in UTF-8; 0 if they are not UTF-8
};

CodePoint first_code_point(std::string_view text) {
  const auto lead = static_cast<std::uint8_t>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < size) return {};
  char32_t code = lead & (0xff >> (size + 1));
  for (std::size_t k = 1; k < size; ++k) {
    const auto byte = static_cast<std::uint8_t>(text[k]);
    if ((byte & 0xc0) != 0x80) return {};
    code = code << 6 | (byte & 0x3f);
  }
  // No overlong forms, no surrogates, nothing past U+10FFFF.
  const bool is_overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  if (is_overlong || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return {};
  return {code, size};
}

struct Range {
  char32_t first, last;
};

// Unicode's control characters, separators, direction marks and invisible format characters.
constexpr std::array<Range, 15> hidden{{{0x00, 0x1f},
                                        {0x7f, 0x9f},
                                        {0xad, 0xad},
                                        {0x61c, 0x61c},
                                        {0x180e, 0x180e},
                                        {0x200b, 0x200b},
                                        {0x200e, 0x200f},
                                        {0x2028, 0x202e},
                                        {0x2060, 0x206f},
                                        {0xfeff, 0xfeff},
                                        {0xfff9, 0xfffb},
                                        {0x13430, 0x1343f},
                                        {0x1bca0, 0x1bca3},
                                        {0x1d173, 0x1d17a},
                                        {0xe0000, 0xe007f}}};

bool is_hidden(char32_t code) {
  return std::any_of(hidden.begin(), hidden.end(), [code](const Range& range) {
    return code >= range.first && code <= range.last;
  });
}

void append(Shown& shown, std::string_view text) {
  std::copy(text.begin(), text.end(), shown.bytes.begin() + shown.size);
  shown.size += text.size();
}

void append_hex(Shown& shown, char32_t number) {
  constexpr std::string_view digits = "0123456789abcdef";
  bool has_begun = false;
  for (int shift = 20; shift >= 0; shift -= 4) {
    const std::size_t digit = number >> shift & 15;
    has_begun = has_begun || digit != 0 || shift <= 4;
    if (has_begun) append(shown, digits.substr(digit, 1));
  }
}

void append_all(std::string& out, std::string_view text, std::size_t limit, bool in_quotes) {
  for (std::size_t at = 0; at < text.size();) {
    const Shown one = first_shown(text.substr(at), in_quotes);
    if (at > 0 && at + one.used > limit) {
      out += "...";
      return;
    }
    out += one.text();
    at += one.used;
  }
}

}  // namespace

Shown first_shown(std::string_view text, bool in_quotes) noexcept {
  const CodePoint one = first_code_point(text);
  Shown shown{.used = std::max<std::size_t>(one.size, 1)};
  if (one.size > 0 && !is_hidden(one.code)) {
    if (in_quotes && (one.code == '"' || one.code == '\\')) append(shown, "\\");
    append(shown, text.substr(0, one.size));
  } else if (shown.used == 1) {
    append(shown, "\\x");
    append_hex(shown, static_cast<std::uint8_t>(text[0]));
  } else {
    append(shown, "\\u{");
    append_hex(shown, one.code);
    append(shown, "}");
  }
  return shown;
}

std::string escaped(std::string_view text, std::size_t limit) {
  std::string out;
  append_all(out, text, limit, false);
  return out;
}

std::string quote(std::string_view text, std::size_t limit) {
  std::string out = "\"";
  append_all(out, text, limit, true);
  return out + "\"";
}

std::string shape_text(std::span<const std::int64_t> sizes) {
  return fmt::format("({}{})", fmt::join(sizes, ", "), sizes.size() == 1 ? "," : "");
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace trigon::detail::core
