// SPDX-License-Identifier: MIT
#include "../generate.hpp"

#include <limits>

#include "../progress.hpp"
#include "../report.hpp"
#include "../stop_filter.hpp"
#include "support.hpp"

namespace {

using gpt2::generate;
using gpt2::GenerateOptions;
using gpt2::Generation;
using gpt2::Model;
using gpt2::StopFilter;
using gpt2::test::device;
using gpt2::test::error_of;
using gpt2::test::Ids;
using trigon::Profile;

const trigon::Device& on() { return device(Profile::webgl2); }

Model tiny() { return Model::load(gpt2::test::tiny_folder(), on()); }

GenerateOptions greedy(std::size_t tokens) {
  return {.tokens = tokens, .sampling = {.temperature = 0}};
}

// The rule of the context, without a cache: each id comes from a pass of its own.
Ids expected_greedy(const Model& model, Ids history, std::size_t tokens) {
  const auto context = static_cast<std::size_t>(model.config().n_positions);
  std::size_t window = history.size() > context ? context / 2 : history.size();
  Ids ids;
  while (ids.size() < tokens) {
    const Ids seen(history.end() - static_cast<std::ptrdiff_t>(window), history.end());
    ids.push_back(model.start().greedy(seen));
    history.push_back(ids.back());
    window = window == context ? context / 2 : window + 1;
  }
  return ids;
}

TEST(Gpt2Generate, IsTheGreedyReference) {
  const auto text = gpt2::test::golden()[1];
  const Ids prompt = text["ids"].get<Ids>();
  Ids expected = text["greedy"].get<Ids>();
  expected.erase(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(prompt.size()));
  const Generation found = generate(gpt2::test::bundled(Profile::webgl2), prompt, greedy(64));
  EXPECT_EQ(found.ids, expected);
  EXPECT_EQ(found.prefill_ids, prompt.size());
  EXPECT_EQ(found.decode.size(), 63U);
}

TEST(Gpt2Generate, GoesOnFromTheNewestHalfPastTheContext) {
  const Model model = tiny();  // a context of 6
  const Ids prompt{3, 1, 4};
  EXPECT_EQ(generate(model, prompt, greedy(20)).ids, expected_greedy(model, prompt, 20));
}

TEST(Gpt2Generate, ALongPromptIsCutToTheNewestHalf) {
  const Model model = tiny();
  const Ids prompt{3, 1, 4, 1, 5, 9, 2};
  const Generation found = generate(model, prompt, greedy(8));
  EXPECT_EQ(found.prefill_ids, 3U);
  EXPECT_EQ(found.ids, expected_greedy(model, prompt, 8));
}

TEST(Gpt2Generate, APromptAsLongAsTheContextIsReadWhole) {
  const Model model = tiny();
  const Ids prompt{3, 1, 4, 1, 5, 9};
  const Generation found = generate(model, prompt, greedy(8));
  EXPECT_EQ(found.prefill_ids, 6U);
  EXPECT_EQ(found.ids, expected_greedy(model, prompt, 8));
}

TEST(Gpt2Generate, StopsBeforeAStopId) {
  const Model model = tiny();
  const Ids all = generate(model, Ids{3}, greedy(20)).ids;
  GenerateOptions options = greedy(20);
  options.stop_ids = {all.back()};
  const auto first = std::find(all.begin(), all.end(), all.back());
  EXPECT_EQ(generate(model, Ids{3}, options).ids, Ids(all.begin(), first));
}

TEST(Gpt2Generate, StopsWhereTheCallerSaysSo) {
  Ids seen;
  const auto found = generate(tiny(), Ids{3}, greedy(20), [&](std::int32_t id) {
    seen.push_back(id);
    return seen.size() < 4;
  });
  EXPECT_EQ(found.ids.size(), 4U);
  EXPECT_EQ(found.ids, seen);
}

TEST(Gpt2Generate, EqualSeedsGiveEqualIds) {
  const Model model = tiny();
  const auto sample = [&](std::uint64_t seed) {
    return generate(model, Ids{3}, {.tokens = 24, .sampling = {.seed = seed}}).ids;
  };
  EXPECT_EQ(sample(1), sample(1));
  EXPECT_NE(sample(1), sample(2));
}

TEST(Gpt2Generate, TheLikeliestOfOneIsGreedy) {
  const Model model = tiny();
  EXPECT_EQ(generate(model, Ids{3}, {.tokens = 9, .sampling = {.top_k = 1}}).ids,
            generate(model, Ids{3}, greedy(9)).ids);
}

TEST(Gpt2Generate, NoTokensTakeNoPass) {
  const Generation found = generate(tiny(), Ids{3}, greedy(0));
  EXPECT_TRUE(found.ids.empty());
  EXPECT_EQ(found.prefill_ids, 0U);
}

TEST(Gpt2Generate, ChecksThePrompt) {
  EXPECT_EQ(error_of([] {
              generate(tiny(), Ids{3, 12}, greedy(1));
            }),
            "gpt2::Config::check_ids: id out of range: 12, number 2 of 2; ids must be from 0 to "
            "10");
}

// ---- stop texts

TEST(Gpt2StopFilter, HoldsBackWhatMayBecomeTheStopText) {
  StopFilter filter("\n\n");
  EXPECT_EQ(filter.push("a\n"), "a");
  EXPECT_EQ(filter.push("b\n"), "\nb");
  EXPECT_EQ(filter.push("\nc"), "");
  EXPECT_TRUE(filter.stopped());
  EXPECT_EQ(filter.push("d"), "");
  EXPECT_EQ(filter.finish(), "");
}

TEST(Gpt2StopFilter, FindsTheStopTextHoweverItIsCut) {
  const std::string text = "aabaabaaabab";
  const std::string stop = "aabab";
  const std::string expected = text.substr(0, text.find(stop));
  for (std::size_t a = 0; a <= text.size(); ++a) {
    for (std::size_t b = a; b <= text.size(); ++b) {
      StopFilter filter(stop);
      std::string out = filter.push(text.substr(0, a));
      out += filter.push(text.substr(a, b - a));
      out += filter.push(text.substr(b));
      EXPECT_EQ(out + filter.finish(), expected);
      EXPECT_TRUE(filter.stopped());
    }
  }
}

TEST(Gpt2StopFilter, GivesBackWhatWasNoStopText) {
  StopFilter filter("END");
  EXPECT_EQ(filter.push("the EN"), "the ");
  EXPECT_EQ(filter.finish(), "EN");
  EXPECT_FALSE(filter.stopped());
}

TEST(Gpt2StopFilter, WithoutAStopTextPassesEverything) {
  StopFilter filter("");
  EXPECT_EQ(filter.push("abc"), "abc");
  EXPECT_FALSE(filter.stopped());
}

// ---- reports

Generation measured() {
  Generation generation;
  generation.ids = {7, 8, 9};
  generation.prefill_ids = 10;
  generation.prefill.seconds = 2;
  generation.decode.resize(4);
  generation.decode[0] = {.seconds = 100, .cost = {.draws = 1000}};
  generation.decode[1] = {.seconds = 100, .cost = {.draws = 1000}};
  generation.decode[2] = {.seconds = 0.25, .cost = {.draws = 81, .bytes_read = 16}};
  generation.decode[3] = {.seconds = 0.25, .cost = {.draws = 82, .bytes_read = 16}};
  return generation;
}

TEST(Gpt2Report, MeasuresTheLastHalfOfTheDecodedTokens) {
  const gpt2::Stats stats = make_stats(1.5, measured());
  EXPECT_EQ(stats.prefill_tokens_per_s, 5.0);
  EXPECT_EQ(stats.decode_tokens_per_s, 4.0);
  ASSERT_TRUE(stats.per_token.has_value());
  EXPECT_EQ(stats.per_token->draws, 81.5);
  EXPECT_EQ(stats.per_token->bytes_read, 16.0);
}

TEST(Gpt2Report, WritesJson) {
  const std::string text =
      gpt2::to_json("a\"b", Ids{1, 2}, Ids{7, 8, 9}, make_stats(1.5, measured()));
  EXPECT_EQ(text,
            "{\"text\":\"a\\\"b\",\"prompt_ids\":[1,2],\"ids\":[7,8,9],\"stats\":{\"load_s\":1.5,"
            "\"prefill_tokens_per_s\":5.0,\"decode_tokens_per_s\":4.0,\"per_token\":{"
            "\"draws\":81.5,\"textures_created\":0.0,\"framebuffers_created\":0.0,"
            "\"programs_compiled\":0.0,\"plans_made\":0.0,\"bytes_uploaded\":0.0,"
            "\"uniform_bytes\":0.0,\"bytes_read\":16.0}}}");
}

TEST(Gpt2Report, WhatWasNotMeasuredIsNull) {
  EXPECT_EQ(gpt2::to_json(std::nullopt, Ids{1}, Ids{}, gpt2::make_stats(0.5, {})),
            "{\"text\":null,\"prompt_ids\":[1],\"ids\":[],\"stats\":{\"load_s\":0.5,"
            "\"prefill_tokens_per_s\":null,\"decode_tokens_per_s\":null,\"per_token\":null}}");
}

TEST(Gpt2Report, WritesLinesForPeople) {
  EXPECT_EQ(to_text(make_stats(1.5, measured())),
            "load     1.50 s\n"
            "prefill  10 tokens, 5.0 tokens/s\n"
            "decode   4 tokens, 4.0 tokens/s\n"
            "a token  81.5 draws; 0 textures, 0 framebuffers, 0 programs and 0 plans made; 0 bytes "
            "uploaded, 0 of uniforms, 16 read back\n");
}

TEST(Gpt2Progress, DrawsABar) {
  EXPECT_EQ(gpt2::progress_line("loading", 0), "loading [--------------------]   0 %");
  EXPECT_EQ(gpt2::progress_line("loading", 50), "loading [##########----------]  50 %");
  EXPECT_EQ(gpt2::progress_line("loading", 100), "loading [####################] 100 %");
}

}  // namespace
