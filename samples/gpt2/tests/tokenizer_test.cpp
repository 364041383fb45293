// SPDX-License-Identifier: MIT
#include "../tokenizer.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "support.hpp"

namespace {

namespace fs = std::filesystem;
using gpt2::Tokenizer;
using gpt2::test::error_of;
using gpt2::test::read;
using gpt2::test::real_data;
using gpt2::test::write;
using Ids = std::vector<std::int32_t>;

const Tokenizer& bundled() {
  static const Tokenizer tokenizer = Tokenizer::load(GPT2_MODEL_DIR);
  return tokenizer;
}

// The words of GPT-2's pattern, joined by '|'.
std::string words(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = gpt2::word_end(text, at, text.size());
    out += (at == 0 ? "" : "|") + std::string(text.substr(at, end - at));
    at = end;
  }
  return out;
}

// ---- A folder with a small vocabulary: the 256 byte symbols, then the given tokens.

class TokenizerFiles : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    dir_ = fs::path(testing::TempDir()) / fmt::format("tokenizer_{}_{}", test->name(), getpid());
    fs::create_directories(dir_);
    vocabulary({"ab"});
    merges("a b\n");
  }
  void TearDown() override { fs::remove_all(dir_); }

  static std::map<std::string, int> symbols() {
    std::map<std::string, int> ids;
    int next = 0x100;
    for (int byte = 0; byte < 256; ++byte) {
      const bool itself = (byte > 32 && byte < 127) || (byte > 160 && byte != 173);
      const int code = itself ? byte : next++;
      std::string symbol;
      if (code < 0x80) {
        symbol = static_cast<char>(code);
      } else {
        symbol = {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
      }
      ids[symbol] = byte;
    }
    return ids;
  }

  void vocabulary(const std::vector<std::string>& tokens) {
    nlohmann::json json = symbols();
    for (std::size_t i = 0; i < tokens.size(); ++i) json[tokens[i]] = 256 + i;
    vocabulary_text(json.dump());
  }
  // The 256 symbols and, as JSON text, further entries.
  void vocabulary_with(const std::string& entries) {
    std::string json = nlohmann::json(symbols()).dump();
    json.back() = ',';
    vocabulary_text(json + entries + "}");
  }
  void vocabulary_text(const std::string& text) { write(dir_ / "vocab.json", text); }
  void merges(const std::string& text) { write(dir_ / "merges.txt", text); }

  Tokenizer load() const { return Tokenizer::load(dir_); }
  std::string load_error() const {
    return error_of([&] { load(); });
  }
  std::string in_vocabulary(const std::string& what) const {
    return fmt::format("gpt2::Tokenizer::load: {}: {}", (dir_ / "vocab.json").string(), what);
  }
  std::string in_merges(const std::string& what) const {
    return fmt::format("gpt2::Tokenizer::load: {}: {}", (dir_ / "merges.txt").string(), what);
  }

  fs::path dir_;
};

// ---- words

TEST(TokenizerWords, AreThoseOfThePattern) {
  EXPECT_EQ(words("Hello world"), "Hello| world");
  EXPECT_EQ(words("it's we'll they've I'd you're I'm don't"),
            "it|'s| we|'ll| they|'ve| I|'d| you|'re| I|'m| don|'t");
  EXPECT_EQ(words("IT'S 'tis ' s"), "IT|'|S| '|tis| '| s");
  EXPECT_EQ(words("abc123 45.6!?"), "abc|123| 45|.|6|!?");
  EXPECT_EQ(words("a_b"), "a|_|b");
}

TEST(TokenizerWords, LeaveTheLastSpaceToTheNextWord) {
  EXPECT_EQ(words("a   b"), "a|  | b");
  EXPECT_EQ(words("a\n\nb"), "a|\n|\n|b");
  EXPECT_EQ(words("a \nb"), "a| |\n|b");
  EXPECT_EQ(words("a  "), "a|  ");
  EXPECT_EQ(words(" "), " ");
  EXPECT_EQ(words("a\tb"), "a|\t|b");
}

TEST(TokenizerWords, KnowUnicode) {
  EXPECT_EQ(words("Привет, мир"), "Привет|,| мир");
  EXPECT_EQ(words("x²Ⅷ½y"), "x|²Ⅷ½|y");                        // No, Nl: numbers
  EXPECT_EQ(words("e\u0301"), "e|\u0301");                     // Mn: neither letter nor number
  EXPECT_EQ(words("a\u00A0\u3000b"), "a|\u00A0|\u3000|b");     // white space, but not U+0020
  EXPECT_EQ(words("a\u180Eb\u200Bc"), "a|\u180E|b|\u200B|c");  // neither is white space
  EXPECT_EQ(words("\x1C\x1D a"), "\x1C\x1D| a");               // nor are these
}

// ---- the bundled model

TEST(Tokenizer, EncodesAndDecodesTheGoldenPrompts) {
  const auto cases = nlohmann::json::parse(read(fs::path(GPT2_MODEL_DIR) / "golden.json"));
  ASSERT_EQ(cases.size(), 4U);
  for (const auto& golden : cases) {
    const auto prompt = golden.at("prompt").get<std::string>();
    EXPECT_EQ(bundled().encode(prompt), golden.at("ids").get<Ids>()) << prompt;
    EXPECT_EQ(bundled().decode(golden.at("greedy").get<Ids>()),
              golden.at("greedy_text").get<std::string>());
  }
}

TEST(Tokenizer, DecodesWhatItEncoded) {
  for (const std::string text : {"", " ", "\n\n \t", "naïve — 世界 🌍", "a\r\nb", "''s"}) {
    EXPECT_EQ(bundled().decode(bundled().encode(text)), text);
  }
}

TEST(Tokenizer, DecodesAnyIdsTokenByToken) {
  std::mt19937_64 bits(11);
  for (int round = 0; round < 200; ++round) {
    Ids ids;
    std::string expected;
    for (int i = 0; i < 50; ++i) {
      ids.push_back(static_cast<std::int32_t>(bits() % bundled().size()));
      expected += bundled().bytes(ids.back());
    }
    ASSERT_EQ(bundled().decode(ids), expected);
  }
}

TEST(Tokenizer, RoundTripsRandomUnicode) {
  std::mt19937_64 bits(5);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (int i = 0; i < 40; ++i) {
      const unsigned limits[] = {0x80, 0x800, 0xD800};
      const auto code = static_cast<unsigned>(bits() % limits[bits() % 3]);
      if (code < 0x80) {
        text += static_cast<char>(code);
      } else if (code < 0x800) {
        text += {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
      } else {
        text += {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
                 static_cast<char>(0x80 | (code & 0x3F))};
      }
    }
    ASSERT_EQ(bundled().decode(bundled().encode(text)), text);
  }
}

TEST(Tokenizer, KeepsEndOfTextWhole) {
  ASSERT_EQ(bundled().end_of_text(), 0);
  Ids expected = bundled().encode("one ");
  expected.push_back(0);
  expected.push_back(0);
  for (const std::int32_t id : bundled().encode("two")) expected.push_back(id);
  EXPECT_EQ(bundled().encode("one <|endoftext|><|endoftext|>two"), expected);
  EXPECT_EQ(bundled().decode(expected), "one <|endoftext|><|endoftext|>two");
  EXPECT_NE(bundled().encode("<|endoftext|").front(), 0);
}

TEST(Tokenizer, RefusesATextThatIsNotUtf8) {
  const auto error = [](const std::string& text) {
    return error_of([&] { bundled().encode(text); });
  };
  const std::string end = "; it must be valid UTF-8";
  const std::string begin = "gpt2::Tokenizer::encode: the text is not UTF-8: byte ";
  EXPECT_EQ(error("ab\xFFz"), begin + "0xFF at offset 2 of 4" + end);
  EXPECT_EQ(error("\x80"), begin + "0x80 at offset 0 of 1" + end);
  EXPECT_EQ(error("ok \xC0\xAF"), begin + "0xC0 at offset 3 of 5" + end);
  EXPECT_EQ(error("\xED\xA0\x80"), begin + "0xED at offset 0 of 3" + end);
  EXPECT_EQ(error("caf\xC3"), begin + "0xC3 at offset 3 of 4" + end);
  EXPECT_EQ(error("\xF4\x90\x80\x80"), begin + "0xF4 at offset 0 of 4" + end);
  EXPECT_EQ(error("<|endoftext|>\xE2\x82<|endoftext|>"), begin + "0xE2 at offset 13 of 28" + end);
}

TEST(Tokenizer, RefusesIdsOutOfRange) {
  EXPECT_EQ(error_of([] {
              bundled().decode(Ids{5, -1});
            }),
            "gpt2::Tokenizer::decode: the id is out of range: -1; ids are 0 to 4095");
  EXPECT_EQ(error_of([] { bundled().decode(Ids{4096}); }),
            "gpt2::Tokenizer::decode: the id is out of range: 4096; ids are 0 to 4095");
}

TEST(Tokenizer, MergesAMegabyteWordInTime) {
  const std::string text(1'000'000, 'a');
  EXPECT_EQ(bundled().decode(bundled().encode(text)), text);
}

// ---- other people's data

TEST(TokenizerReal, AgreesWithGpt2OnEveryVector) {
  GPT2_SKIP_WITHOUT_REAL_DATA();
  const fs::path dir = real_data() / "gpt2_tokenizer";
  const Tokenizer tokenizer = Tokenizer::load(dir);
  EXPECT_EQ(tokenizer.size(), 50257U);
  EXPECT_EQ(tokenizer.end_of_text(), 50256);
  const auto vectors = nlohmann::json::parse(read(dir / "vectors.json"));
  EXPECT_EQ(vectors.size(), 119U);
  for (const auto& vector : vectors) {
    const auto text = vector.at("text").get<std::string>();
    const auto ids = vector.at("ids").get<Ids>();
    EXPECT_EQ(tokenizer.encode(text), ids) << text;
    EXPECT_EQ(tokenizer.decode(ids), text);
  }
}

TEST(TokenizerReal, RoundTripsShakespeare) {
  GPT2_SKIP_WITHOUT_REAL_DATA();
  const std::string text = read(real_data() / "text" / "tinyshakespeare.txt");
  const Tokenizer gpt2 = Tokenizer::load(real_data() / "gpt2_tokenizer");
  const auto start = std::chrono::steady_clock::now();
  const Ids ids = gpt2.encode(text);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  RecordProperty("encode_ms", static_cast<int>(took.count() * 1e3));
  EXPECT_EQ(ids.size(), 338025U);  // the count that GPT-2's own encoder gives for this text
  EXPECT_EQ(gpt2.decode(ids), text);
  EXPECT_EQ(bundled().decode(bundled().encode(text)), text);
}

// ---- files

TEST_F(TokenizerFiles, LoadUnderOpenAisNamesToo) {
  fs::rename(dir_ / "vocab.json", dir_ / "encoder.json");
  fs::rename(dir_ / "merges.txt", dir_ / "vocab.bpe");
  EXPECT_EQ(load().encode("ab"), Ids{256});
}

TEST_F(TokenizerFiles, ParseFromTexts) {
  const std::string vocabulary = read(dir_ / "vocab.json");
  EXPECT_EQ(Tokenizer::parse(vocabulary, "a b\n").encode("ab"), Ids{256});
  const auto error = [&](std::string_view ids, std::string_view merges) {
    return error_of([&] { Tokenizer::parse(ids, merges, "https://host/vocab.json"); });
  };
  EXPECT_EQ(error("7", ""),
            "gpt2::Tokenizer::load: https://host/vocab.json: holds 7; the file must be one object "
            "of tokens and their ids");
  EXPECT_EQ(error(vocabulary, "ab"),
            "gpt2::Tokenizer::load: merges.txt: line 1: \"ab\" has 0 spaces; a merge must be two "
            "tokens with one space between");
}

TEST_F(TokenizerFiles, LoadWithAndWithoutAVersionLine) {
  for (const char* text : {"a b", "a b\n", "#version: 0.2\na b\n", "#version: 0.2\r\na b\r\n"}) {
    merges(text);
    EXPECT_EQ(load().encode("abba"), (Ids{256, 'b', 'a'})) << text;
  }
}

TEST_F(TokenizerFiles, WithoutMergesEncodeBytes) {
  merges("");
  EXPECT_EQ(load().encode("ab é"), (Ids{'a', 'b', ' ', 0xC3, 0xA9}));
}

TEST_F(TokenizerFiles, WithoutEndOfTextTreatItAsText) {
  const Tokenizer tokenizer = load();
  EXPECT_FALSE(tokenizer.end_of_text());
  EXPECT_EQ(tokenizer.encode("<|endoftext|>").size(), 13U);
}

TEST_F(TokenizerFiles, MergeTheBestPairEverywhereFirst) {
  // "ab a" ranks above "a b", yet both "a b" are merged before it is looked at.
  vocabulary({"ab", "aba"});
  merges("ab a\na b\n");
  EXPECT_EQ(load().encode("abab"), (Ids{256, 256}));
  EXPECT_EQ(load().encode("aba"), Ids{257});
}

TEST_F(TokenizerFiles, MergeOverlappingPairsFromTheLeft) {
  vocabulary({"aa", "aaaa"});
  merges("a a\naa aa\n");
  EXPECT_EQ(load().encode("aaa"), (Ids{256, 'a'}));
  EXPECT_EQ(load().encode("aaaaaaa"), (Ids{257, 256, 'a'}));
}

TEST_F(TokenizerFiles, ThatAreMissingAreNamed) {
  const std::string end = fmt::format(
      " is in {}; the folder must hold vocab.json and merges.txt, or encoder.json and vocab.bpe",
      dir_.string());
  const std::string begin = "gpt2::Tokenizer::load: no tokenizer file: neither ";
  fs::remove(dir_ / "merges.txt");
  EXPECT_EQ(load_error(), begin + "merges.txt nor vocab.bpe" + end);
  fs::create_directory(dir_ / "merges.txt");
  EXPECT_EQ(load_error(), begin + "merges.txt nor vocab.bpe" + end);
  fs::remove(dir_ / "vocab.json");
  EXPECT_EQ(load_error(), begin + "vocab.json nor encoder.json" + end);
}

TEST_F(TokenizerFiles, ThatCannotBeReadAreNamed) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read every file";
  fs::permissions(dir_ / "vocab.json", fs::perms::none);
  EXPECT_EQ(load_error(), in_vocabulary("cannot be read; it must be a readable file"));
}

TEST_F(TokenizerFiles, VocabularyMustBeJson) {
  const std::string end = "; the file must be one object of tokens and their ids";
  vocabulary_text("");
  EXPECT_EQ(load_error(), in_vocabulary("line 1: not JSON at the end of 0 bytes" + end));
  vocabulary_text("{\"a\": 1,\n\"b\": 2,\n\"c\" 3}");
  EXPECT_EQ(load_error(), in_vocabulary("line 3: not JSON at byte 22 of 23 bytes" + end));
  vocabulary_text("{\"a\": 1");
  EXPECT_EQ(load_error(), in_vocabulary("line 1: not JSON at the end of 7 bytes" + end));
  vocabulary_text("{\"a\": 1} x");
  EXPECT_EQ(load_error(), in_vocabulary("line 1: not JSON at byte 10 of 10 bytes" + end));
  vocabulary_text("{\"\xFF\": 1}");
  EXPECT_EQ(load_error(), in_vocabulary("line 1: not JSON at byte 3 of 8 bytes" + end));
}

TEST_F(TokenizerFiles, VocabularyMustBeAnObject) {
  const std::string end = "; the file must be one object of tokens and their ids";
  vocabulary_text("[1, 2]");
  EXPECT_EQ(load_error(), in_vocabulary("holds an array" + end));
  vocabulary_text("7");
  EXPECT_EQ(load_error(), in_vocabulary("holds 7" + end));
  vocabulary_text("\"a\\nb\"");
  EXPECT_EQ(load_error(), in_vocabulary("holds \"a\\nb\"" + end));
}

TEST_F(TokenizerFiles, VocabularyIdsMustBeIntegers) {
  const auto error = [&](const std::string& value) {
    vocabulary_text("{\"a\": " + value + "}");
    return load_error();
  };
  const auto expected = [&](const std::string& value) {
    return in_vocabulary("the id of \"a\" is " + value +
                         "; an id must be an integer below the number of tokens");
  };
  EXPECT_EQ(error("\"1\""), expected("\"1\""));
  EXPECT_EQ(error("1.5"), expected("1.5"));
  EXPECT_EQ(error("null"), expected("null"));
  EXPECT_EQ(error("true"), expected("true"));
  EXPECT_EQ(error("[1]"), expected("an array"));
  EXPECT_EQ(error("{\"b\": 1}"), expected("an object"));
  EXPECT_EQ(error("18446744073709551615"), expected("18446744073709551615"));
  EXPECT_EQ(error(std::string(100'000, '[')), expected("an array"));
}

TEST_F(TokenizerFiles, VocabularyIdsMustBeInRange) {
  vocabulary_with("\"ab\":257");
  EXPECT_EQ(load_error(), in_vocabulary("the id of \"ab\" is out of range: 257; 257 tokens must "
                                        "have the ids 0 to 256"));
  vocabulary_with("\"ab\":-1");
  EXPECT_EQ(load_error(), in_vocabulary("the id of \"ab\" is out of range: -1; 257 tokens must "
                                        "have the ids 0 to 256"));
}

// The parser would take ten times the memory of such a number.
TEST_F(TokenizerFiles, VocabularyIdsMustBeShort) {
  const std::string digits(1001, '1');
  vocabulary_with("\"ab\":" + digits);
  EXPECT_EQ(load_error(), in_vocabulary("number too long: 1001 digits at byte 2109 of the text; "
                                        "must have at most 1000"));
  vocabulary({"ab", digits, "\"" + digits, "\\" + digits});
  EXPECT_EQ(load().decode(Ids{257, 258, 259}), digits + "\"" + digits + "\\" + digits);
}

TEST_F(TokenizerFiles, VocabularyMustBeOneToOne) {
  vocabulary_with("\"ab\":97");
  EXPECT_EQ(load_error(), in_vocabulary("the id 97 is given twice: to \"a\" and \"ab\"; every "
                                        "token must have its own"));
  vocabulary_with("\"a\":256");
  EXPECT_EQ(load_error(), in_vocabulary("the token \"a\" is there twice: with the ids 97 and 256; "
                                        "every token must have one id"));
}

TEST_F(TokenizerFiles, VocabularyMustHoldEveryByte) {
  auto ids = symbols();
  ids.erase("Ġ");  // the space
  ids["ab"] = 32;
  vocabulary_text(nlohmann::json(ids).dump());
  EXPECT_EQ(load_error(), in_vocabulary("the byte 0x20 has no token: \"Ġ\" is absent; all 256 "
                                        "byte symbols must be there"));
  vocabulary_text("{}");
  EXPECT_EQ(load_error(), in_vocabulary("the byte 0x00 has no token: \"Ā\" is absent; all 256 "
                                        "byte symbols must be there"));
}

TEST_F(TokenizerFiles, VocabularyMustBeSpeltInByteSymbols) {
  vocabulary({"世"});
  EXPECT_EQ(load_error(), in_vocabulary("the token \"世\" holds U+4E16; a token must be spelt in "
                                        "GPT-2's 256 byte symbols"));
  vocabulary({"a\nb"});
  EXPECT_EQ(load_error(), in_vocabulary("the token \"a\\nb\" holds U+000A; a token must be spelt "
                                        "in GPT-2's 256 byte symbols"));
  vocabulary({""});
  EXPECT_EQ(load_error(),
            in_vocabulary("the token \"\" is empty; a token must have at least one byte"));
}

TEST_F(TokenizerFiles, LongValuesAreShownInPart) {
  vocabulary({std::string(59, 'x') + "世界"});
  EXPECT_EQ(load_error(), in_vocabulary("the token \"" + std::string(59, 'x') +
                                        "\"... (65 bytes) holds U+4E16; "
                                        "a token must be spelt in GPT-2's 256 byte symbols"));
}

TEST_F(TokenizerFiles, MergesMustHaveOneSpace) {
  const std::string end = " spaces; a merge must be two tokens with one space between";
  merges("#version: 0.2\na b\nab\n");
  EXPECT_EQ(load_error(), in_merges("line 3: \"ab\" has 0" + end));
  merges("a  b\n");
  EXPECT_EQ(load_error(), in_merges("line 1: \"a  b\" has 2" + end));
  merges("a b\n\n");
  EXPECT_EQ(load_error(), in_merges("line 2: \"\" has 0" + end));
  merges("a b\n#version: 0.2 x\n");
  EXPECT_EQ(load_error(), in_merges("line 2: \"#version: 0.2 x\" has 2" + end));
}

TEST_F(TokenizerFiles, MergesMustBeInTheVocabulary) {
  const std::string end = " is not in the vocabulary; both parts and what they join to must be";
  merges("a b\nxy z\n");
  EXPECT_EQ(load_error(), in_merges("line 2: \"xy\" of the merge \"xy z\"" + end));
  merges("z xy\n");
  EXPECT_EQ(load_error(), in_merges("line 1: \"xy\" of the merge \"z xy\"" + end));
  merges("#version: 0.2\nx y\n");
  EXPECT_EQ(load_error(), in_merges("line 2: \"xy\" of the merge \"x y\"" + end));
  merges("a \n");
  EXPECT_EQ(load_error(), in_merges("line 1: \"\" of the merge \"a \"" + end));
  merges("\xFF\x01 b\n");
  EXPECT_EQ(load_error(), in_merges("line 1: \"\\xff\\x01\" of the merge \"\\xff\\x01 b\"" + end));
}

TEST_F(TokenizerFiles, MergesMustBeThereOnce) {
  vocabulary({"ab", "bc"});
  merges("#version: 0.2\na b\nb c\na b\n");
  EXPECT_EQ(load_error(), in_merges("line 4: the merge \"a b\" is there twice: first on line 2; a "
                                    "merge must have one rank"));
}

}  // namespace
