// SPDX-License-Identifier: MIT
#include "../unicode.hpp"

#include <utf8proc.h>

#include <cstdlib>

#include "support.hpp"

// tests/web/unicode_test.mjs compares a browser's engine with the file that is written here.

namespace gpt2::test {
namespace {

char kind_of(char32_t code) {
  if (utf8proc_category(static_cast<utf8proc_int32_t>(code)) == UTF8PROC_CATEGORY_CN) return '?';
  return is_letter(code) ? 'L' : is_number(code) ? 'N' : '-';
}

// A line for each stretch of code points of one kind: its first one, and L, N, - or, where Unicode
// has assigned none, ?.
std::string kinds() {
  std::string text;
  char last = 0;
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    const char kind = kind_of(code);
    if (kind != last) text += fmt::format("{:x} {}\n", static_cast<std::uint32_t>(code), kind);
    last = kind;
  }
  return text;
}

TEST(Gpt2Unicode, KindsAreThoseOfTheFile) {
  const fs::path file = fs::path(GPT2_MODEL_DIR) / "../tests/unicode_kinds.txt";
  if (std::getenv("TRIGON_UPDATE_GOLDEN") != nullptr) write(file, kinds());
  EXPECT_EQ(read(file), kinds());
}

TEST(Gpt2Unicode, EncodesWhatItDecodes) {
  for (const char32_t code :
       {0x00U, 0x7FU, 0x80U, 0x7FFU, 0x800U, 0xD7FFU, 0xE000U, 0xFFFFU, 0x10000U, 0x10FFFFU}) {
    const std::string text = utf8(code);
    const auto found = first_code_point(text + "x");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->code, code);
    EXPECT_EQ(found->size, text.size());
  }
}

TEST(Gpt2Unicode, RefusesWhatIsNoUtf8) {
  for (const char* text : {"\x80", "\xC0\x80", "\xC2", "\xE0\x80\x80", "\xED\xA0\x80", "\xE2\x82",
                           "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80"}) {
    EXPECT_FALSE(first_code_point(text).has_value()) << text;
  }
  EXPECT_FALSE(first_code_point("").has_value());
}

}  // namespace
}  // namespace gpt2::test
