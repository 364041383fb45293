// SPDX-License-Identifier: MIT
#include "../utf8_stream.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

namespace {

std::string decoded(std::string_view bytes, std::size_t chunk) {
  gpt2::Utf8Stream stream;
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += chunk) {
    out += stream.push(bytes.substr(at, chunk));
  }
  return out + stream.finish();
}

const std::string fffd = "\xEF\xBF\xBD";

TEST(Utf8Stream, HoldsACharacterBackUntilItIsWhole) {
  gpt2::Utf8Stream stream;
  EXPECT_EQ(stream.push("a\xF0\x9F"), "a");
  EXPECT_EQ(stream.push("\x8C"), "");
  EXPECT_EQ(stream.push("\x8D!"), "\xF0\x9F\x8C\x8D!");
  EXPECT_EQ(stream.finish(), "");
}

TEST(Utf8Stream, FlushesAnUnfinishedCharacterAsOneReplacement) {
  gpt2::Utf8Stream stream;
  EXPECT_EQ(stream.push("\xE2\x82"), "");
  EXPECT_EQ(stream.finish(), fffd);
  EXPECT_EQ(stream.finish(), "");
  EXPECT_EQ(stream.push("\xC3\xA9"), "\xC3\xA9");
}

TEST(Utf8Stream, KeepsTheFirstAndLastCharacterOfEachLength) {
  const std::string text = std::string(1, '\0') +
                           "\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF"
                           "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF";
  for (const std::size_t chunk : {1U, 2U, 3U, 5U, 100U}) EXPECT_EQ(decoded(text, chunk), text);
}

// The examples of the Unicode Standard, tables 3-8 to 3-11.
TEST(Utf8Stream, ReplacesEachMaximalSubpartOnce) {
  const auto times = [](int n) {
    std::string out;
    while (n-- > 0) out += fffd;
    return out;
  };
  EXPECT_EQ(decoded("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41", 1), times(8) + "A");
  EXPECT_EQ(decoded("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41", 1), times(8) + "A");
  EXPECT_EQ(decoded("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42", 1), times(5) + "A" + times(2) + "B");
  EXPECT_EQ(decoded("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41", 1), times(4) + "A");
}

TEST(Utf8Stream, GivesTheSameTextHoweverTheBytesAreCut) {
  std::mt19937_64 bits(7);
  // Bytes near the borders of UTF-8's ranges are the likely ones to go wrong.
  const std::string_view alphabet =
      "A\x7F\x80\x8F\x90\x9F\xA0\xBF\xC1\xC2\xE0\xE2\xED\xEF\xF0\xF4\xF5";
  for (int round = 0; round < 500; ++round) {
    std::string bytes;
    for (int i = 0; i < 60; ++i) bytes += alphabet[bits() % alphabet.size()];
    const std::string whole = decoded(bytes, bytes.size());
    for (const std::size_t chunk : {1U, 2U, 3U, 7U}) ASSERT_EQ(decoded(bytes, chunk), whole);
    ASSERT_EQ(decoded(whole, 1), whole);  // the output is UTF-8
  }
}

}  // namespace
