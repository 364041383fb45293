// SPDX-License-Identifier: MIT
#include "glsl_text/words.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace trigon {
namespace {

std::vector<std::string> texts(std::string_view text) {
  std::vector<std::string> found;
  for (const glsl_text::Word& word : glsl_text::words_of(text)) found.emplace_back(word.text);
  return found;
}

using Names = std::vector<std::string>;

TEST(Words, AreNamesOutsideOfComments) {
  EXPECT_EQ(texts("z = x1 * _y + 2.0e5; // no x\n/* nor z */ w"), (Names{"z", "x1", "_y", "w"}));
}

TEST(JoinedLines, KeepTheNumbersOfTheOthers) {
  EXPECT_EQ(glsl_text::with_joined_lines("a\nb"), "a\nb");
  EXPECT_EQ(glsl_text::with_joined_lines("dis\\\ncard;\nb"), "discard;\n\nb");
  EXPECT_EQ(glsl_text::with_joined_lines("a\\\r\nb\\\nc\r\nd"), "abc\r\n\n\nd");
  EXPECT_EQ(glsl_text::with_joined_lines("// a\\\nb"), "// ab");
  EXPECT_EQ(glsl_text::with_joined_lines("a \\ b\\"), "a \\ b")
      << "what follows the text is not its own";
}

TEST(Words, AreNeitherFieldsNorPartsOfNumbers) {
  EXPECT_EQ(texts("v.xy + v . zw + .5f + 0x1Fu + 1.e3"), (Names{"v", "v"}));
}

TEST(Words, KnowWhatStandsAroundThem) {
  const std::vector<glsl_text::Word> words = glsl_text::words_of("float f (int a) { return a; }");
  ASSERT_EQ(words.size(), 6u);
  EXPECT_EQ(words[1].text, "f");
  EXPECT_EQ(words[1].after, '(');
  EXPECT_EQ(words[5].text, "a");
  EXPECT_EQ(words[5].after, ';');
}

/// Each word that the text declares, with a colon after those in a block; words that it does not
/// declare have a question mark.
std::string read(std::string_view text) {
  std::string found;
  for (const glsl_text::Word& word : glsl_text::words_of(text)) {
    found += found.empty() ? "" : " ";
    found += word.text;
    if (word.declares) found += word.binding == glsl_text::Binding::local ? ":" : "=";
    if (word.binding == glsl_text::Binding::free) found += "?";
  }
  return found;
}

TEST(Words, AreDeclaredInFunctions) {
  EXPECT_EQ(read("float f(out float x, const in vec2 v) { return x * y; } float g(float);"),
            "float? f= float? x: const? vec2? v: return? x y? float? g= float?");
  EXPECT_EQ(read("float f(float x) { return x; }\nconst float c = x;"),
            "float? f= float? x: return? x const? float? c= x?");
}

TEST(Words, AreDeclaredBehindCommas) {
  EXPECT_EQ(read("float s = max(x, t), x = 2.0, z; z = x;"), "float? s= max? x? t? x= z= z x");
  EXPECT_EQ(read("const float[2] c = float[2](1.0, d), d = 3.0;"), "const? float? c= float? d? d=");
  EXPECT_EQ(read("y = s, x = t;"), "y? s? x? t?");
}

TEST(Words, AreDeclaredUntilTheirBlockEnds) {
  EXPECT_EQ(read("for (int i = 0, n = 3; i < n; ++i) y += x(i); z = i;"),
            "for? int? i: n: i n i y? x? i z? i?");
  EXPECT_EQ(read("if (b) { float x = x + 1.0; y = x; } else y = x;"),
            "if? b? float? x: x? y? x else? y? x?");
  EXPECT_EQ(read("for (int k = 0; k < 3; ++k) if (b) { y = k; } else y = k; z = k;"),
            "for? int? k: k k if? b? y? k else? y? k z? k?");
  EXPECT_EQ(read("for (;;) do { int k = 0; } while (k < 1); z = k;"),
            "for? do? int? k: while? k? z? k?");
}

TEST(Words, AreNoFieldsOfStructs) {
  EXPECT_EQ(read("struct P { float x, y; vec2 v[N]; } p; float f(P q) { return q.x + x; }"),
            "struct? P= float? vec2? N? p= float? f= P q: return? q x?");
}

TEST(Words, AreNoQualifiersAndNoPrecision) {
  EXPECT_EQ(read("precision highp float; void f(out float out, inout vec2 v) { out = v.x; }"),
            "precision? highp? float? void? f= float? out: vec2? v: out v");
}

TEST(Words, AreDeclaredByMacros) {
  EXPECT_EQ(read("#define SQ(x) ((x) * (x) + y)\n#ifdef FAST\n#endif\nfloat z = SQ(x);"),
            "define? SQ= x x x y? ifdef? FAST? endif? float? z= SQ x?");
  EXPECT_EQ(read("#define LONG a + \\\n  b\nfloat c = LONG;"),
            "define? LONG= a? b? float? c= LONG");
  EXPECT_EQ(read("#define EACH for (;;)\n#define REAL float\nEACH y = x; REAL z = x;"),
            "define? EACH= for? define? REAL= float? EACH y? x? REAL z= x?");
  EXPECT_EQ(
      glsl_text::macros_defined_in("float x;\n#define ONE 1.0\n#undef ONE\n#define TWO(v) v\n"),
      (Names{"ONE", "TWO"}));
}

TEST(Words, AreRenamedWhereTheyAreNames) {
  EXPECT_EQ(glsl_text::renamed("x = p.x + x(1) // x\n+ xx", {{"x", "x_k1"}}),
            "x_k1 = p.x + x_k1(1) // x\n+ xx");
  EXPECT_EQ(glsl_text::renamed("", {{"x", "y"}}), "");
}

TEST(Words, ReadInputsByBrackets) {
  EXPECT_EQ(glsl_text::with_calls("y = x[n[0] + 1] * v[2] + x [x[3]];", {"x", "n"}),
            "y = x(n(0) + 1) * v[2] + x (x(3));");
  EXPECT_EQ(glsl_text::with_calls("y = x[1", {"x"}), "y = x[1");
  EXPECT_EQ(
      glsl_text::with_calls("float f(vec4 x) { return x[0]; } float g() { return x[0]; }", {"x"}),
      "float f(vec4 x) { return x[0]; } float g() { return x(0); }");
}

TEST(Words, FindWhatAPreambleDefines) {
  const std::string preamble =
      "#define TWICE(v) ((v) + (v))\n"
      "const float g = 9.8;\n"
      "struct Pair { float a; float b; };\n"
      "float fall(float t) { float s = g * t; return s; }\n";
  EXPECT_EQ(glsl_text::names_defined_in(preamble), (Names{"TWICE", "g", "Pair", "fall"}));
  EXPECT_EQ(
      glsl_text::names_defined_in("precision highp float;\nconst float a = 1.0, c = f(2.0, d);"),
      (Names{"a", "c"}));
}

TEST(Words, CountEachIterationOfEachLoop) {
  EXPECT_EQ(glsl_text::with_each_iteration("for (int k = 0; k < f(2); ++k) s += 1.0;", "T "),
            "T for (int k = 0; k < f(2); ++k) T s += 1.0;");
  EXPECT_EQ(glsl_text::with_each_iteration("while (a) { b(); }", "T "), "T while (a) T { b(); }");
  EXPECT_EQ(glsl_text::with_each_iteration("do { b(); } while (a);", "T "),
            "T do T { b(); } while (a);");
  EXPECT_EQ(glsl_text::with_each_iteration("do while (a) b(); while (c); while (d);", "T "),
            "T do T T while (a) T b(); while (c); T while (d)T ;");
  EXPECT_EQ(glsl_text::with_each_iteration("do{ b(); }while (a);", "T "),
            "T do T { b(); }while (a);");
  EXPECT_EQ(glsl_text::with_each_iteration("#define EACH for (;;)\nEACH b();", "T "),
            "#define EACH T for (;;)T \nEACH b();");
  EXPECT_EQ(glsl_text::with_each_iteration("// for (;;) {}\nx = 1;", "T "),
            "// for (;;) {}\nx = 1;");
}

TEST(Words, LieInLines) {
  EXPECT_EQ(glsl_text::line_of("a\nb\nc", 0), 1);
  EXPECT_EQ(glsl_text::line_of("a\nb\nc", 4), 3);
}

TEST(Words, TellNamesFromOtherTexts) {
  EXPECT_TRUE(glsl_text::is_name("_l2norm"));
  EXPECT_FALSE(glsl_text::is_name("2norm"));
  EXPECT_FALSE(glsl_text::is_name("l2 norm"));
  EXPECT_FALSE(glsl_text::is_name(""));
}

}  // namespace
}  // namespace trigon
