// SPDX-License-Identifier: MIT
#include "../sampler.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support.hpp"

namespace {

using gpt2::Sampler;
using gpt2::SamplingOptions;
using gpt2::token_probabilities;
using gpt2::test::error_of;

constexpr float infinity = std::numeric_limits<float>::infinity();

std::vector<float> logs(const std::vector<double>& probabilities) {
  std::vector<float> logits;
  for (const double p : probabilities) logits.push_back(static_cast<float>(std::log(p)));
  return logits;
}

void expect_near(const std::vector<double>& got, const std::vector<double>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 1e-6) << i;
}

TEST(Sampler, GreedyTakesTheFirstOfTheLargest) {
  const std::vector<float> logits{1, 5, -2, 5, 3};
  EXPECT_EQ(Sampler({.temperature = 0}).next(logits), 1);
  expect_near(token_probabilities(logits, {.temperature = 0}), {0, 1, 0, 0, 0});
}

TEST(Sampler, WithoutOptionsIsSoftmax) {
  expect_near(token_probabilities(logs({0.5, 0.2, 0.3}), {}), {0.5, 0.2, 0.3});
}

TEST(Sampler, TemperatureDividesTheLogits) {
  const auto logits = logs({0.5, 0.2, 0.3});
  const double sum = 0.25 + 0.04 + 0.09;
  expect_near(token_probabilities(logits, {.temperature = 0.5}),
              {0.25 / sum, 0.04 / sum, 0.09 / sum});
}

TEST(Sampler, ATinyTemperatureIsGreedyWithoutOverflow) {
  const std::vector<float> logits{-3e38F, 3e38F, 2.9e38F};
  expect_near(token_probabilities(logits, {.temperature = 1e-300}), {0, 1, 0});
}

TEST(Sampler, TopKKeepsTheKLargest) {
  expect_near(token_probabilities(logs({0.1, 0.4, 0.2, 0.3}), {.top_k = 2}),
              {0, 4.0 / 7, 0, 3.0 / 7});
}

TEST(Sampler, TopKKeepsWhatTiesWithTheKth) {
  expect_near(token_probabilities(logs({0.2, 0.4, 0.2, 0.2}), {.top_k = 2}), {0.2, 0.4, 0.2, 0.2});
}

TEST(Sampler, TopKPastTheVocabularyKeepsAll) {
  expect_near(token_probabilities(logs({0.25, 0.75}), {.top_k = 50}), {0.25, 0.75});
}

TEST(Sampler, TopPKeepsTheFewestTokensThatReachIt) {
  const auto logits = logs({0.1, 0.45, 0.15, 0.3});
  expect_near(token_probabilities(logits, {.top_p = 0.7}), {0, 0.6, 0, 0.4});
  expect_near(token_probabilities(logits, {.top_p = 0.8}), {0, 0.5, 1.0 / 6, 1.0 / 3});
}

TEST(Sampler, TopPDropsASumThatIsExactlyTheRest) {
  // Four equal logits: 0.25 and 0.5 are not above 1 - 0.5. The later ones of equal logits stay.
  expect_near(token_probabilities(std::vector<float>(4, 1.0F), {.top_p = 0.5}), {0, 0, 0.5, 0.5});
}

TEST(Sampler, TopPComparesInFloat32) {
  // float32: 0.1 is not above 1 - 0.9, so one of ten goes; in float64 it would stay.
  const auto p = token_probabilities(std::vector<float>(10, 0.0F), {.top_p = 0.9});
  EXPECT_EQ(p.front(), 0.0);
  EXPECT_NEAR(p.back(), 1.0 / 9, 1e-12);
}

TEST(Sampler, TopPZeroKeepsOneToken) {
  expect_near(token_probabilities(logs({0.3, 0.5, 0.2}), {.top_p = 0}), {0, 1, 0});
}

TEST(Sampler, TopPWorksOnWhatTopKLeft) {
  // After top_k = 2: 0.6 and 0.4 (of 0.45 and 0.3); 0.4 is within the first 1 - 0.55.
  const auto logits = logs({0.1, 0.45, 0.15, 0.3});
  expect_near(token_probabilities(logits, {.top_k = 2, .top_p = 0.55}), {0, 1, 0, 0});
}

TEST(Sampler, NeverDrawsAForbiddenToken) {
  const std::vector<float> logits{-infinity, 0, -infinity, 0, -infinity};
  for (const double top_p : {1.0, 0.99}) {
    Sampler sampler({.top_k = 4, .top_p = top_p, .seed = 3});
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(sampler.next(logits) % 2, 1);
  }
}

TEST(Sampler, EqualSeedsGiveEqualTokens) {
  // Pinned: the draws must be the same with every compiler and standard library.
  const auto logits = logs({0.1, 0.2, 0.3, 0.4});
  Sampler sampler({.seed = 42});
  std::vector<std::int32_t> drawn;
  for (int i = 0; i < 12; ++i) drawn.push_back(sampler.next(logits));
  EXPECT_EQ(drawn, (std::vector<std::int32_t>{3, 3, 3, 1, 3, 0, 2, 2, 1, 2, 0, 2}));
}

TEST(Sampler, DrawsByProbability) {
  const std::vector<double> expected{0.1, 0.2, 0.3, 0.4};
  const auto logits = logs(expected);
  Sampler sampler({.seed = 1});
  std::vector<int> counts(4);
  const int draws = 100'000;
  for (int i = 0; i < draws; ++i) ++counts[static_cast<std::size_t>(sampler.next(logits))];
  double chi_squared = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double mean = expected[i] * draws;
    chi_squared += (counts[i] - mean) * (counts[i] - mean) / mean;
  }
  EXPECT_LT(chi_squared, 16.27);  // 3 degrees of freedom, 0.1 %
}

TEST(Sampler, RefusesLogitsThatAreNotNumbers) {
  const std::string nan = "gpt2::Sampler: logit 2 of 3 is nan; logits must be finite or -inf";
  const std::vector<float> bad{0, 1, std::nanf("")};
  EXPECT_EQ(error_of([&] { Sampler({}).next(bad); }), nan);
  EXPECT_EQ(error_of([&] { Sampler({.temperature = 0}).next(bad); }), nan);
  EXPECT_EQ(error_of([] {
              Sampler({}).next(std::vector<float>{0, infinity});
            }),
            "gpt2::Sampler: logit 1 of 2 is inf; logits must be finite or -inf");
  EXPECT_EQ(error_of([] { Sampler({}).next(std::vector<float>(2, -infinity)); }),
            "gpt2::Sampler: all 2 logits are -inf; at least one must be finite");
  EXPECT_EQ(error_of([] { Sampler({}).next({}); }),
            "gpt2::Sampler: there are 0 logits; one for each token is needed");
}

TEST(Sampler, RefusesOptionsOutOfRange) {
  EXPECT_EQ(error_of([] { Sampler({.temperature = -1}); }),
            "gpt2::Sampler: temperature is -1; it must be finite and 0 or more");
  EXPECT_EQ(error_of([] { Sampler({.temperature = infinity}); }),
            "gpt2::Sampler: temperature is inf; it must be finite and 0 or more");
  EXPECT_EQ(error_of([] { Sampler({.temperature = std::nan("")}); }),
            "gpt2::Sampler: temperature is nan; it must be finite and 0 or more");
  EXPECT_EQ(error_of([] { Sampler({.top_k = -1}); }),
            "gpt2::Sampler: top_k is -1; it must be 0 (off) or more");
  EXPECT_EQ(error_of([] { Sampler({.top_p = 1.5}); }),
            "gpt2::Sampler: top_p is 1.5; it must be from 0 to 1");
  EXPECT_EQ(error_of([] { Sampler({.top_p = std::nan("")}); }),
            "gpt2::Sampler: top_p is nan; it must be from 0 to 1");
}

}  // namespace
