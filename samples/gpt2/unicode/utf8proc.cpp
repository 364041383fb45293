// SPDX-License-Identifier: MIT
#include <utf8proc.h>

#include "unicode.hpp"

namespace gpt2 {

std::optional<CodePoint> first_code_point(std::string_view text) {
  utf8proc_int32_t code = 0;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const auto size = static_cast<utf8proc_ssize_t>(text.size());
  const utf8proc_ssize_t used = utf8proc_iterate(bytes, size, &code);
  if (used <= 0) return std::nullopt;
  return CodePoint{static_cast<char32_t>(code), static_cast<std::size_t>(used)};
}

std::string utf8(char32_t code) {
  std::string text(4, '\0');
  auto* bytes = reinterpret_cast<utf8proc_uint8_t*>(text.data());
  const auto size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code), bytes);
  text.resize(static_cast<std::size_t>(size));
  return text;
}

bool is_letter(char32_t code) {
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(code));
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

bool is_number(char32_t code) {
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(code));
  return category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
}

}  // namespace gpt2
