// SPDX-License-Identifier: MIT
#include "core/words.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace trigon {
namespace {

std::vector<std::string> texts(std::string_view text) {
  std::vector<std::string> found;
  for (const Word& word : words_of(text)) found.emplace_back(word.text);
  return found;
}

using Names = std::vector<std::string>;

TEST(Words, AreNamesOutsideOfComments) {
  EXPECT_EQ(texts("z = x1 * _y + 2.0e5; // no x\n/* nor z */ w"), (Names{"z", "x1", "_y", "w"}));
}

TEST(Words, AreNeitherFieldsNorPartsOfNumbers) {
  EXPECT_EQ(texts("v.xy + v . zw + .5f + 0x1Fu + 1.e3"), (Names{"v", "v"}));
}

TEST(Words, KnowWhatStandsAroundThem) {
  const std::vector<Word> words = words_of("float f (int a) { return a; }");
  ASSERT_EQ(words.size(), 6u);
  EXPECT_EQ(words[1].text, "f");
  EXPECT_EQ(words[1].before, "float");
  EXPECT_EQ(words[1].after, '(');
  EXPECT_EQ(words[1].depth, 0);
  EXPECT_EQ(words[5].text, "a");
  EXPECT_EQ(words[5].depth, 1);
  EXPECT_EQ(words[5].before, "return");
}

TEST(Words, AreRenamedWhereTheyAreNames) {
  EXPECT_EQ(renamed("x = p.x + x(1) // x\n+ xx", {{"x", "x_k1"}}),
            "x_k1 = p.x + x_k1(1) // x\n+ xx");
  EXPECT_EQ(renamed("", {{"x", "y"}}), "");
}

TEST(Words, ReadInputsByBrackets) {
  EXPECT_EQ(with_calls("y = x[n[0] + 1] * v[2] + x [x[3]];", {"x", "n"}),
            "y = x(n(0) + 1) * v[2] + x (x(3));");
  EXPECT_EQ(with_calls("y = x[1", {"x"}), "y = x[1");
}

TEST(Words, FindWhatAPreambleDefines) {
  const std::string preamble =
      "#define TWICE(v) ((v) + (v))\n"
      "const float g = 9.8;\n"
      "struct Pair { float a; float b; };\n"
      "float fall(float t) { float s = g * t; return s; }\n";
  EXPECT_EQ(names_defined_in(preamble), (Names{"TWICE", "g", "Pair", "fall"}));
}

TEST(Words, CountEachTripOfEachLoop) {
  EXPECT_EQ(with_each_trip("for (int k = 0; k < f(2); ++k) s += 1.0;", "T "),
            "T for (int k = 0; k < f(2); ++k) T s += 1.0;");
  EXPECT_EQ(with_each_trip("while (a) { b(); }", "T "), "T while (a) T { b(); }");
  EXPECT_EQ(with_each_trip("do { b(); } while (a);", "T "), "T do T { b(); } while (a);");
  EXPECT_EQ(with_each_trip("// for (;;) {}\nx = 1;", "T "), "// for (;;) {}\nx = 1;");
}

TEST(Words, TellNamesFromOtherTexts) {
  EXPECT_TRUE(is_name("_l2norm"));
  EXPECT_FALSE(is_name("2norm"));
  EXPECT_FALSE(is_name("l2 norm"));
  EXPECT_FALSE(is_name(""));
}

}  // namespace
}  // namespace trigon
