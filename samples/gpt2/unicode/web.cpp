// SPDX-License-Identifier: MIT
#include <emscripten/em_js.h>
#include <emscripten/emscripten.h>

#include "unicode.hpp"

namespace gpt2 {
namespace {

// clang-format off

// The linker drops backslashes.
EM_JS(int, gpt2_is_letter, (int code), {
  return new RegExp(String.fromCharCode(92) + 'p{L}', 'u').test(String.fromCodePoint(code));
});
EM_JS(int, gpt2_is_number, (int code), {
  return new RegExp(String.fromCharCode(92) + 'p{N}', 'u').test(String.fromCodePoint(code));
});

// clang-format on

bool is_continuation(char byte) { return (byte & 0xC0) == 0x80; }

}  // namespace

std::optional<CodePoint> first_code_point(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return CodePoint{lead, 1};
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return std::nullopt;
  char32_t code = lead & (0xFF >> (size + 1));
  for (std::size_t k = 1; k < size; ++k) {
    if (!is_continuation(text[k])) return std::nullopt;
    code = code << 6 | (static_cast<unsigned char>(text[k]) & 0x3F);
  }
  // No overlong forms, no surrogates, nothing past U+10FFFF.
  const bool is_short = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  if (is_short || (code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF) return std::nullopt;
  return CodePoint{code, size};
}

std::string utf8(char32_t code) {
  const auto byte = [](char32_t bits) { return static_cast<char>(bits); };
  const auto rest = [&](int shift) { return byte(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0 | code >> 6), rest(0)};
  if (code < 0x10000) return {byte(0xE0 | code >> 12), rest(6), rest(0)};
  return {byte(0xF0 | code >> 18), rest(12), rest(6), rest(0)};
}

bool is_letter(char32_t code) { return gpt2_is_letter(static_cast<int>(code)) != 0; }
bool is_number(char32_t code) { return gpt2_is_number(static_cast<int>(code)) != 0; }

}  // namespace gpt2
