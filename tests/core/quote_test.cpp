// SPDX-License-Identifier: MIT
#include "core/quote.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <trigon/create.hpp>
#include <trigon/io.hpp>
#include <trigon/join.hpp>
#include <trigon/kernel.hpp>
#include <trigon/linalg.hpp>

#include "support/errors.hpp"
#include "support/io_files.hpp"
#include "support/plans.hpp"

// Texts of users and of files within errors.

namespace trigon {
namespace {

using support::error_of;
using namespace std::string_literals;

TEST(Quote, EscapesQuotesBackslashesAndControlCharacters) {
  EXPECT_EQ(core::quote(""), R"("")");
  EXPECT_EQ(core::quote("a \"b\" \\c"), R"("a \"b\" \\c")");
  EXPECT_EQ(core::quote("a\nb\t\x1b[31m\x7f\0z"s), R"("a\x0ab\x09\x1b[31m\x7f\x00z")");
}

TEST(Quote, EscapesWhatATerminalObeysAndNobodySees) {
  EXPECT_EQ(core::quote("\u0080\u009b\u009f"), R"("\u{80}\u{9b}\u{9f}")");
  EXPECT_EQ(core::quote("\u200e\u200f\u202a\u202e\u2066\u2069"),
            R"("\u{200e}\u{200f}\u{202a}\u{202e}\u{2066}\u{2069}")");
  EXPECT_EQ(core::quote("\u2028\u2029\u200b\ufeff\U000e0041"),
            R"("\u{2028}\u{2029}\u{200b}\u{feff}\u{e0041}")");
}

TEST(Quote, LeavesTextOfAnyScript) {
  // Joiners and variation selectors are part of words and of emoji.
  for (const char* text :
       {"\u00a0\u00e9", "\u5f20\u91cf", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u2764\ufe0f", "\U0010ffff"}) {
    EXPECT_EQ(core::quote(text), "\""s + text + "\"");
  }
}

TEST(Quote, ShowsTheBytesOfWhatIsNotUtf8) {
  EXPECT_EQ(core::quote("a\xff z"), R"("a\xff z")");
  EXPECT_EQ(core::quote("\xc0\x80"), R"("\xc0\x80")") << "overlong";
  EXPECT_EQ(core::quote("\xe0\x9f\xbf\xf0\x8f\xbf\xbf"), R"("\xe0\x9f\xbf\xf0\x8f\xbf\xbf")");
  EXPECT_EQ(core::quote("\xed\xa0\x80"), R"("\xed\xa0\x80")") << "a surrogate";
  EXPECT_EQ(core::quote("\xf4\x90\x80\x80"), R"("\xf4\x90\x80\x80")") << "past U+10FFFF";
  EXPECT_EQ(core::quote("\xe5\xbc"), R"("\xe5\xbc")") << "cut";
  EXPECT_EQ(core::quote("\xe5z"), R"("\xe5z")");
}

TEST(Quote, CutsBetweenCharacters) {
  EXPECT_EQ(core::quote("abcd", 4), R"("abcd")");
  EXPECT_EQ(core::quote("abcde", 4), R"("abcd...")");
  EXPECT_EQ(core::quote("a\u5f20\u91cf", 6), "\"a\u5f20...\"");
  EXPECT_EQ(core::quote("\u5f20\u91cf", 1), "\"\u5f20...\"") << "the first one is always there";
  EXPECT_EQ(core::quote(std::string(100'000, '\x80')).size(), 2 + 80 * 4 + 3U);
}

TEST(Escaped, LeavesQuotesAndBackslashes) {
  EXPECT_EQ(core::escaped("\"a\\b\"\x1b", 10), R"("a\b"\x1b)");
  EXPECT_EQ(core::escaped("abc", 2), "ab...");
}

// ---- Every function that takes a text

std::string file_with(const std::string& name) {
  const std::string entry = R"(:{"dtype":"I64","shape":[1],"data_offsets":[0,8]}})";
  const std::string header = "{\"" + name + "\"" + entry;
  return io::little_endian(header.size(), 8) + header + std::string(8, '\x7f');
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

using Call = std::function<void(const std::string&)>;

std::vector<std::pair<const char*, Call>> calls_of_operations() {
  static const Tensor x = host_leaf({3});
  return {
      {"pad",
       [](const std::string& text) {
         return pad(x, {{1, 1}}, text);
       }},
      {"meshgrid",
       [](const std::string& text) {
         return meshgrid({x, x}, text);
       }},
      {"einsum", [](const std::string& text) { return einsum(text, {x}); }},
      {"einsum of two",
       [](const std::string& text) {
         return einsum(text + ",i", {x, x});
       }},
      {"einsum, sizes",
       [](const std::string& text) {
         return einsum("i,i" + text, {x, host_leaf({2})});
       }},
  };
}

std::vector<std::pair<const char*, Call>> calls_of_kernels() {
  static const Kernel kernel({.name = "mine",
                              .inputs = {"x"},
                              .uniforms = {{"radius", 2}},
                              .body = "out = x(0) * float(radius)"});
  return {
      {"name",
       [](const std::string& text) { return ElementwiseKernel("T x", "T y", "y = x", text); }},
      {"name of a reduction",
       [](const std::string& text) {
         return ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", text);
       }},
      {"name of a kernel",
       [](const std::string& text) { return Kernel({.name = text, .body = "out"}); }},
      {"inputs",
       [](const std::string& text) { return ElementwiseKernel(text, "T y", "y = x", "mine"); }},
      {"a type",
       [](const std::string& text) {
         return ElementwiseKernel(text + " x", "T y", "y = x", "mine");
       }},
      {"a name",
       [](const std::string& text) {
         return ElementwiseKernel("T " + text, "T y", "y = x", "mine")(host_leaf({2}));
       }},
      {"outputs",
       [](const std::string& text) { return ElementwiseKernel("T x", text, "y = x", "mine"); }},
      {"a word",
       [](const std::string& text) {
         return ElementwiseKernel("T x", "T y", "y = x;\n" + text + " float w_k1", "mine");
       }},
      {"an input",
       [](const std::string& text) {
         return Kernel({.name = "mine", .inputs = {text}, .body = "out = 1.0"});
       }},
      {"an output",
       [](const std::string& text) {
         return Kernel({.name = "mine", .inputs = {"x"}, .outputs = {text}, .body = "x"});
       }},
      {"a uniform",
       [](const std::string& text) {
         return Kernel({.name = "mine", .uniforms = {{text, 1}}, .body = "out = 1.0"});
       }},
      {"with",
       [](const std::string& text) {
         return kernel.with({{text, 1}});
       }},
  };
}

std::vector<std::pair<const char*, Call>> calls_of_files() {
  static const std::string file = file_with("x");
  const auto open = [] { return SafeTensors::from_memory(bytes_of(file)); };
  return {
      {"load", [=](const std::string& text) { return open().load(text); }},
      {"entry", [=](const std::string& text) { return open().entry(text); }},
      {"save",
       [](const std::string& text) {
         save_safetensors("/dev/null", {{text, Tensor()}});
       }},
      {"a file", [](const std::string& text) { return SafeTensors::from_memory(bytes_of(text)); }},
      {"a name",
       [](const std::string& text) {
         return SafeTensors::from_memory(bytes_of(text), text.substr(0, 100)).names();
       }},
  };
}

void expect_one_plain_line(const char* what, const Call& call, const std::string& hostile) {
  const std::string error = error_of([&] { return call(hostile); });
  const std::string shown = core::escaped(hostile, 20);
  EXPECT_TRUE(error.starts_with("trigon::")) << what << " of " << shown << ": " << error;
  EXPECT_EQ(core::escaped(error, error.size()), error) << what << " of " << shown;
  EXPECT_LT(error.size(), 700U) << what << " of " << shown;
}

TEST(HostileTexts, StayOnOneLineOfErrors) {
  for (const std::string& hostile :
       {"a\nb"s, "a\x1b[31mb"s, "a\0b"s, "a\u202eb"s, "a\u0085\u2028"s, "a\xff"s,
        std::string(100'000, 'a'), "a" + std::string(100'000, '\n'),
        "a" + std::string(1000, '\x80')}) {
    for (const auto& calls : {calls_of_operations(), calls_of_kernels(), calls_of_files()}) {
      for (const auto& [what, call] : calls) {
        const bool is_word = std::string_view(what) == "a word";
        expect_one_plain_line(what, call, is_word ? "float " + hostile + "_k1;" : hostile);
      }
    }
  }
}

TEST(HostileTexts, AreQuoted) {
  const Tensor x = host_leaf({3});
  EXPECT_EQ(error_of([&] { return einsum("i\nj", {x}); }),
            R"(trigon::einsum: unexpected '\x0a': "i\x0aj"; axes are letters, and "..." may stand )"
            "once");
  EXPECT_EQ(error_of([&] { return einsum("i\u00e9", {x}); }),
            "trigon::einsum: unexpected '\u00e9': \"i\u00e9\"; axes are letters, and \"...\" may "
            "stand once");
  EXPECT_EQ(error_of([] { return ElementwiseKernel("T x", "T y", "y = x", "a\nb"); }),
            R"(trigon::ElementwiseKernel: name of the kernel is malformed: "a\x0ab"; must consist )"
            "of letters, digits and underscores, at most 200 of them");
  EXPECT_EQ(error_of([] {
              save_safetensors("/dev/null", {{"a\nb", Tensor()}});
            }),
            R"(trigon::save_safetensors: empty handle: tensor "a\x0ab" refers to no value; assign )"
            "a tensor first");
}

// A name given by the file.
TEST(HostileTexts, OfFilesAreQuoted) {
  const std::string file = file_with(R"(a\n\u001b[31m\u202e\u0085)");
  const std::string shown = R"("a\x0a\x1b[31m\u{202e}\u{85}")";
  const SafeTensors header = SafeTensors::from_header(bytes_of(file), {.name = "x"});
  const std::string name = header.names()[0];
  EXPECT_EQ(error_of([&] { return header.load(name); }),
            "trigon::SafeTensors::load: \"x\": the bytes of tensor " + shown +
                " are not here: the header alone was given; call load(name, bytes)");
  EXPECT_EQ(error_of([&] { return header.load(name, std::span<const std::byte>()); }),
            "trigon::SafeTensors::load: \"x\": wrong number of bytes for tensor " + shown +
                ": 0 were given, I64 (1,) takes 8; must be equal");
}

TEST(KernelText, NamesHaveAtMost200Characters) {
  const std::string longest(200, 'n');
  const auto text = [](const std::string& name) { return "y = " + name; };
  static_cast<void>(ElementwiseKernel("T " + longest, "T y", text(longest), longest));
  EXPECT_EQ(error_of([&] { return ElementwiseKernel("T x", "T y", "y = x", longest + "n"); }),
            "trigon::ElementwiseKernel: name of the kernel is malformed: \"" +
                longest.substr(0, 80) +
                "...\"; must consist of letters, digits and underscores, at most 200 of them");
  EXPECT_EQ(error_of([&] { return ElementwiseKernel("T " + longest + "n", "T y", "y", "mine"); }),
            "trigon::mine: parameter is malformed: \"T " + longest.substr(0, 78) +
                "...\"; write [raw | rawnd] TYPE NAME");
  EXPECT_EQ(
      error_of([] { return Kernel({.name = "mine", .inputs = {"a-b"}, .body = "out = 1.0"}); }),
      "trigon::mine: name is malformed: \"a-b\"; must consist of letters, digits and "
      "underscores, at most 200 of them");
}

}  // namespace
}  // namespace trigon
