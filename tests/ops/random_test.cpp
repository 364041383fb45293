// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <trigon/trigon.hpp>

#include "support/graph_values.hpp"
#include "support/plans.hpp"
#include "support/threefry.hpp"

// Random numbers without a device: the stream, distributions and plans.

namespace trigon {
namespace {

using Values = std::vector<double>;

constexpr double inf = std::numeric_limits<double>::infinity();

// The words of a key.
std::uint64_t words(const random::Key& key) {
  std::uint64_t all = 0;
  for (const double half : values(random::key_data(key))) {
    all = all << 16U | static_cast<std::uint64_t>(half);
  }
  return all;
}

double mean_of(const Values& x) {
  double sum = 0;
  for (const double v : x) sum += v;
  return sum / static_cast<double>(x.size());
}

double deviation_of(const Values& x) {
  const double mean = mean_of(x);
  double sum = 0;
  for (const double v : x) sum += (v - mean) * (v - mean);
  return std::sqrt(sum / static_cast<double>(x.size()));
}

// Chi-square per degree of freedom of counts against the expected shares.
double chi_square(const Values& x, const Values& share) {
  Values counts(share.size());
  for (const double v : x) counts.at(static_cast<std::size_t>(v)) += 1;
  double sum = 0;
  for (std::size_t k = 0; k < share.size(); ++k) {
    const double want = share[k] * static_cast<double>(x.size());
    sum += (counts[k] - want) * (counts[k] - want) / want;
  }
  return sum / static_cast<double>(share.size() - 1);
}

// ---- Keys

TEST(RandomKey, FoldsInAsPublished) {
  for (const auto& [key, counter, result] : support::known_answers) {
    EXPECT_EQ(words(random::fold_in(key, counter)), result) << std::hex << key << ", " << counter;
  }
}

TEST(RandomKey, HoldsTheSeed) {
  EXPECT_EQ(words(7), 7U);
  EXPECT_EQ(words(Scalar(7)), 7U);
  EXPECT_EQ(words(Tensor(7)), 7U);
  EXPECT_EQ(words(random::key(7)), 7U);
  EXPECT_EQ(words(-3), 0xfffffffdU);
  EXPECT_EQ(words(Scalar(-3)), 0xfffffffdU);
  EXPECT_EQ(words(full({}, 4e9, uint32)), 4'000'000'000U);
  EXPECT_EQ(words(4'000'000'000U), 4'000'000'000U);
  EXPECT_EQ(words(0x123456789abcdef0), 0x123456789abcdef0U);
  EXPECT_EQ(words(std::numeric_limits<std::int64_t>::min()), 0x8000000000000000U);
}

TEST(RandomKey, SplitsIntoFoldedKeys) {
  const std::vector<random::Key> keys = random::split(7, 3);
  ASSERT_EQ(keys.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(words(keys[k]), words(random::fold_in(7, static_cast<int>(k))));
  }
  EXPECT_EQ(random::split(7).size(), 2U);
  EXPECT_TRUE(random::split(7, 0).empty());
  const auto [first, second] = random::split<2>(7);
  EXPECT_EQ(words(first), words(keys[0]));
  EXPECT_EQ(words(second), words(keys[1]));
}

TEST(RandomKey, GivesEachRowItsStream) {
  const Tensor seeds = arange(3, 6).reshape(3, 1);
  const Values all = values(random::bits(seeds, {3, 4}));
  const Values folded = values(random::bits(random::fold_in(5, seeds), {3, 4}));
  for (std::uint32_t k = 0; k < 12; ++k) {
    EXPECT_EQ(all[k], support::random_word(3 + k / 4, k));
    EXPECT_EQ(folded[k], support::random_word(words(random::fold_in(5, 3 + k / 4)), k));
  }
}

TEST(RandomKey, StreamsDiffer) {
  std::set<double> seen;
  std::vector<random::Key> keys = random::split(7, 8);
  keys.emplace_back(7);
  for (const random::Key& key : random::split(keys[0], 8)) keys.push_back(key);
  for (const random::Key& key : keys) {
    for (const double x : values(random::bits(key, {64}))) seen.insert(x);
  }
  EXPECT_EQ(seen.size(), 64 * keys.size());
  const Values a = values(random::normal(keys[0], {4096}));
  const Values b = values(random::normal(keys[1], {4096}));
  double product = 0;
  for (std::size_t k = 0; k < a.size(); ++k) product += a[k] * b[k] / 4096;
  EXPECT_NEAR(product, 0, 4.0 / 64);
}

// ---- Bits and whole numbers

TEST(RandomBits, AreOfTheBlockOfEachElement) {
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{0xfedcba9876543210}}) {
    const Values got = values(random::bits(seed, {2, 3, 4}));
    for (std::uint32_t k = 0; k < 24; ++k) EXPECT_EQ(got[k], support::random_word(seed, k));
  }
  EXPECT_EQ(random::bits(7, {3}).dtype(), uint32);
}

TEST(RandomBits, OfAllSizes) {
  EXPECT_EQ(random::bits(7, {}).shape(), Shape{});
  EXPECT_EQ(values(random::bits(7, {})), values(random::bits(7, {1})));
  EXPECT_TRUE(values(random::bits(7, {0})).empty());
  EXPECT_TRUE(values(random::normal(7, {3, 0, 2})).empty());
  EXPECT_EQ(values(random::bits(7, {1, 2, 3, 1, 2, 2})), values(random::bits(7, {24})));
}

TEST(RandomIntegers, AreTheUpperProduct) {
  using Bounds = std::pair<std::int64_t, std::int64_t>;
  constexpr std::int64_t limit = std::int64_t{1} << 31;
  for (const auto& [low, high] :
       {Bounds(0, 10), Bounds(-5, 9), Bounds(3, 4), Bounds(-limit, 17), Bounds(-limit + 1, limit),
        Bounds(-limit, limit), Bounds(0, 1 << 24)}) {
    const Values got = values(random::integers(11, {100}, low, high));
    for (std::uint32_t k = 0; k < 100; ++k) {
      EXPECT_EQ(got[k], static_cast<double>(support::random_integer(11, k, low, high))) << low;
    }
  }
  EXPECT_EQ(values(random::integers(11, {64}, 10)), values(random::integers(11, {64}, 0, 10)));
}

TEST(RandomIntegers, AreUniform) {
  const Values x = values(random::integers(3, {20'000}, 10));
  EXPECT_LT(chi_square(x, Values(10, 0.1)), 2);
  EXPECT_GT(chi_square(x, Values(10, 0.1)), 0.1);
}

TEST(RandomBernoulli, HasItsProbability) {
  EXPECT_NEAR(mean_of(values(random::bernoulli(5, 0.3, {10'000}))), 0.3, 0.015);
  const Values each = values(random::bernoulli(5, arange(2)));
  EXPECT_EQ(each, (Values{0, 1}));
  EXPECT_EQ(random::bernoulli(5).shape(), Shape{});
  EXPECT_EQ(random::bernoulli(5).dtype(), boolean);
  EXPECT_EQ(values(random::bernoulli(5, 0, Shape{100})), Values(100, 0));
  EXPECT_EQ(values(random::bernoulli(5, 1, Shape{100})), Values(100, 1));
}

TEST(RandomCategorical, FollowsTheLogits) {
  const Values share{0.5, 0.125, 0.375};
  const Tensor which = arange(3);
  const Tensor logits = log(where(which == 0, 0.5, where(which == 1, 0.125, 0.375)));
  EXPECT_LT(chi_square(values(random::categorical(5, logits, -1, Shape{20'000})), share), 4);
  const Tensor never = where(arange(3) == 1, -inf, 0.0);
  for (const double x : values(random::categorical(5, never, 0, Shape{1000}))) EXPECT_NE(x, 1);
}

TEST(RandomCategorical, HasTheShapeOfLogitsWithoutTheAxis) {
  EXPECT_EQ(random::categorical(5, zeros({2, 3, 4})).shape(), (Shape{2, 3}));
  EXPECT_EQ(random::categorical(5, zeros({2, 3, 4}), 0).shape(), (Shape{3, 4}));
  EXPECT_EQ(random::categorical(5, zeros({2, 3, 4}), 1, Shape{9, 2, 4}).shape(), (Shape{9, 2, 4}));
  EXPECT_EQ(random::categorical(5, zeros({4})).shape(), Shape{});
  const Values x = values(random::categorical(5, zeros({2, 7, 4}), 1, Shape{50, 2, 4}));
  EXPECT_EQ(*std::max_element(x.begin(), x.end()), 6);
}

// ---- Numbers

TEST(RandomUniform, IsTheUpperBits) {
  const Values x = values(random::uniform(7, {100}));
  for (std::uint32_t k = 0; k < 100; ++k) EXPECT_EQ(x[k], support::random_fraction(7, k));
  EXPECT_NEAR(values(random::uniform(0, {}))[0], 0.947667, 1e-6);  // as JAX 0.5
}

TEST(RandomUniform, RoundsEachOperation) {
  const Values x = values(random::uniform(7, {1000}, -1.1, 2.3));
  for (std::uint32_t k = 0; k < 1000; ++k) {
    const auto u = static_cast<float>(support::random_fraction(7, k));
    const float product = u * static_cast<float>(2.3 + 1.1);
    EXPECT_EQ(x[k], static_cast<float>(product + -1.1F));
    EXPECT_TRUE(x[k] >= -1.1F && x[k] < 2.3F);
  }
  // All sums round to one of the two ends.
  const Values narrow = values(random::uniform(7, {1000}, 16777216, 16777218));
  EXPECT_EQ(std::set<double>(narrow.begin(), narrow.end()), std::set<double>{16777216});
}

TEST(RandomUniform, HasItsMoments) {
  const Values x = values(random::uniform(3, {20'000}, -1, 3));
  EXPECT_NEAR(mean_of(x), 1, 0.03);
  EXPECT_NEAR(deviation_of(x), 4 / std::sqrt(12), 0.02);
}

TEST(RandomNormal, HasItsMoments) {
  const Values x = values(random::normal(4, {20'000}, 2, 3));
  EXPECT_NEAR(mean_of(x), 2, 0.06);
  EXPECT_NEAR(deviation_of(x), 3, 0.05);
  Values bins;
  for (const double v : values(random::normal(9, {20'000}))) {
    bins.push_back(std::floor(10 * 0.5 * std::erfc(-v / std::sqrt(2.0))));
  }
  EXPECT_LT(chi_square(bins, Values(10, 0.1)), 2);
}

TEST(RandomTruncatedNormal, StaysWithinItsBounds) {
  const Values x = values(random::truncated_normal(4, -1, 2, {20'000}));
  EXPECT_GE(*std::min_element(x.begin(), x.end()), -1);
  EXPECT_LE(*std::max_element(x.begin(), x.end()), 2);
  EXPECT_NEAR(mean_of(x), 0.2296, 0.02);
  EXPECT_NEAR(deviation_of(x), 0.7218, 0.015);
  for (const double v : values(random::truncated_normal(4, -inf, -3, {1000}))) {
    EXPECT_TRUE(v <= -3 && v > -6) << v;
  }
  const Values all = values(random::truncated_normal(4, -inf, inf, {20'000}));
  EXPECT_NEAR(deviation_of(all), 1, 0.02);
}

TEST(RandomExponential, HasItsMoments) {
  const Values x = values(random::exponential(4, {20'000}, 3));
  EXPECT_GE(*std::min_element(x.begin(), x.end()), 0);
  EXPECT_NEAR(mean_of(x), 3, 0.08);
  EXPECT_NEAR(deviation_of(x), 3, 0.12);
}

TEST(RandomGumbel, HasItsMoments) {
  const Values x = values(random::gumbel(4, {20'000}, 1, 2));
  EXPECT_NEAR(mean_of(x), 1 + 2 * 0.57722, 0.07);
  EXPECT_NEAR(deviation_of(x), 2 * 1.28255, 0.07);
}

TEST(RandomErfinv, InvertsErf) {
  const auto inverse = [](double x) { return values(erfinv(full({}, x)))[0]; };
  EXPECT_EQ(inverse(-1), -inf);
  EXPECT_EQ(inverse(1), inf);
  EXPECT_EQ(inverse(0), 0);
  EXPECT_TRUE(std::isnan(inverse(2)));
  for (const double x : {-0.875, 0.5, 1 - 0x1p-24}) EXPECT_NEAR(std::erf(inverse(x)), x, 1e-15);
  EXPECT_NEAR(inverse(0x1p-70) / 0x1p-70, 0.886226925452758, 1e-12);
}

// ---- Plans

TEST(RandomPlan, NumbersHaveNoDrawOfTheirOwn) {
  const Tensor x = host_leaf({64, 64});
  const std::vector<Tensor> roots{
      x + random::normal(7, {64, 64}),
      x * random::uniform(random::fold_in(7, Scalar(3)), {64, 64}, -1, 1),
      sum(x * random::exponential(7, {64, 64}), 1),
      where(random::bernoulli(7, 0.5, Shape{64, 64}), x, 0.0),
      x + random::integers(7, {64, 64}, 10),
      x + random::truncated_normal(7, -2, 2, {64, 64}),
      random::categorical(7, x)};
  for (const Tensor& root : roots) EXPECT_EQ(plan_of(root).steps.size(), 1U);
}

TEST(RandomPlan, OneBlockGivesBothWords) {
  const auto instructions = [](const Tensor& x) { return plan_of(x).steps[0].instructions; };
  EXPECT_LT(instructions(random::normal(7, {64})), 40);
  EXPECT_LT(instructions(random::integers(7, {64}, 10)), 40);
}

TEST(RandomPlan, GradientsTakeNumbersForConstants) {
  const auto loss = [](const Tensor& x) {
    return sum(x * random::normal(7, {3}) + square(x) * random::uniform(8, {3}, -1, 1));
  };
  const Values slope = values(grad(loss, zeros({3}) + 1.0));
  const Values a = values(random::normal(7, {3})), b = values(random::uniform(8, {3}, -1, 1));
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(slope[k], a[k] + 2 * b[k], 1e-6);
}

// ---- Errors

TEST(RandomError, Keys) {
  EXPECT_EQ(error_of([] { return random::bits(0.5, {2}); }),
            "trigon::random::bits: key is not an integer: 0.5; must be of an integer type");
  EXPECT_EQ(error_of([] { return random::key(0.5); }),
            "trigon::random::key: seed is not an integer: 0.5; must be of an integer type");
  EXPECT_EQ(error_of([] { return random::uniform(leaf({}), {2}); }),
            "trigon::random::uniform: key is not an integer: it is float32; must be of an integer "
            "type");
  EXPECT_EQ(error_of([] { return random::fold_in(1, leaf({})); }),
            "trigon::random::fold_in: number is not an integer: it is float32; must be of an "
            "integer type");
  EXPECT_EQ(error_of([] {
              return random::normal(leaf({3, 1}, int32), {4});
            }),
            "trigon::random::normal: key does not fit: it is (3, 1), the numbers are (4,); must "
            "broadcast to their shape");
  EXPECT_EQ(error_of([] { return random::normal(leaf({3}, int32), {2}); }),
            "trigon::random::normal: key does not fit: it is (3,), the numbers are (2,); must "
            "broadcast to their shape");
  EXPECT_EQ(error_of([] { return random::fold_in(leaf({3}, int32), leaf({2}, int32)); }),
            "trigon::random::fold_in: shapes do not broadcast: key is (3,), number is (2,); axes "
            "must be equal or 1, counted from the last");
  EXPECT_EQ(error_of([] { return random::key(1e300); }),
            "trigon::random::key: seed is not an integer: 1e+300; must be of an integer type");
  EXPECT_EQ(error_of([] { return random::split(1, -1); }),
            "trigon::random::split: negative number of keys: -1; must be 0 or more");
  EXPECT_EQ(
      error_of([] {
        return random::uniform(1, {1 << 16, 1 << 15});
      }),
      "trigon::random::uniform: too many elements: shape is (65536, 32768); must hold at most "
      "2147483647");
}

TEST(RandomError, Bounds) {
  EXPECT_EQ(error_of([] { return random::uniform(1, {2}, 1, 1); }),
            "trigon::random::uniform: bounds do not fit: low is 1, high is 1; low must be below "
            "high");
  using Pair = std::pair<double, double>;
  for (const auto& [low, high] : {Pair(-3e38, 3e38), {0, 1e300}, {1, 1 + 1e-12}, {1e-46, 2e-46}}) {
    EXPECT_EQ(error_of([&, a = low, b = high] { return random::uniform(1, {2}, a, b); }),
              fmt::format("trigon::random::uniform: bounds do not fit: low is {}, high is {}; they "
                          "must differ as float32, by a finite distance",
                          low, high));
  }
  EXPECT_EQ(error_of([] { return random::truncated_normal(1, 2, -2, {2}); }),
            "trigon::random::truncated_normal: bounds do not fit: lower is 2, upper is -2; lower "
            "must be below upper");
  EXPECT_EQ(error_of([] { return random::integers(1, {2}, 0); }),
            "trigon::random::integers: bounds do not fit: low is 0, high is 0; low must be below "
            "high, both in [-2147483648, 2147483648]");
  EXPECT_EQ(error_of([] { return random::normal(1, {2}, 0, -1); }),
            "trigon::random::normal: stddev is negative: -1; must be 0 or more");
  EXPECT_EQ(error_of([] { return random::gumbel(1, {2}, 0, -1); }),
            "trigon::random::gumbel: scale is negative: -1; must be 0 or more");
  EXPECT_EQ(error_of([] { return random::exponential(1, {2}, -1); }),
            "trigon::random::exponential: scale is negative: -1; must be 0 or more");
}

TEST(RandomError, Choices) {
  EXPECT_EQ(error_of([] { return random::bernoulli(1, 1.5); }),
            "trigon::random::bernoulli: p is not a probability: 1.5; must be in [0, 1]");
  EXPECT_EQ(
      error_of([] { return random::bernoulli(1, leaf({3}), Shape{2}); }),
      "trigon::random::bernoulli: p does not fit: it is (3,), shape is (2,); must broadcast to the "
      "shape");
  EXPECT_EQ(error_of([] { return random::bernoulli(1, leaf({3}), Shape{}); }),
            "trigon::random::bernoulli: p does not fit: it is (3,), shape is (); must broadcast to "
            "the shape");
  EXPECT_EQ(error_of([] {
              return random::categorical(1, leaf({3, 2}), -1, Shape{7});
            }),
            "trigon::random::categorical: shape does not fit: it is (7,), logits is (3, 2); logits "
            "without axis -1 must broadcast to it");
  EXPECT_EQ(error_of([] { return random::categorical(1, leaf({3}), 1); }),
            "trigon::random::categorical: axis out of range: axis is 1, logits is (3,); must be in "
            "[-1, 1)");
  EXPECT_EQ(error_of([] {
              return random::categorical(1, leaf({2, 0}));
            }),
            "trigon::random::categorical: nothing to choose from: logits is (2, 0); axis -1 must "
            "not be empty");
  EXPECT_EQ(error_of([] {
              return random::categorical(1, leaf({2, 3}), -1, Shape{});
            }),
            "trigon::random::categorical: shape does not fit: it is (), logits is (2, 3); logits "
            "without axis -1 must broadcast to it");
}

}  // namespace
}  // namespace trigon
