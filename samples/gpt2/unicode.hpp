// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gpt2 {

// Unicode functions for the tokenizer. unicode/utf8proc.cpp takes them from that library,
// unicode/web.cpp from the browser.

struct CodePoint {
  char32_t code;
  std::size_t size;  ///< bytes in UTF-8
};

/// The first character of a text. Nothing if the bytes are not UTF-8.
std::optional<CodePoint> first_code_point(std::string_view text);

/// A code point in UTF-8; it must be valid.
std::string utf8(char32_t code);

/// Whether the general category is a letter's, `\p{L}`: Lu, Ll, Lt, Lm or Lo.
bool is_letter(char32_t code);
/// Whether it is a number's, `\p{N}`: Nd, Nl or No.
bool is_number(char32_t code);

}  // namespace gpt2
