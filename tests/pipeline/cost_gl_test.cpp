// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include <trigon/math.hpp>
#include <trigon/trigon.hpp>

#include "support/values.hpp"

// The costs of plans, pinned.

namespace trigon {
namespace {

using support::filled;

// The numbers are those of a device without lowered limits.
class CostTest : public ::testing::Test {};

TEST_F(CostTest, SoftmaxIsTwoDrawsAndThreeFetchesATexel) {
  const Cost c = cost(nn::softmax(filled({1024, 1024}, 1)));
  EXPECT_LE(c.draws, 2);
  EXPECT_LE(c.fetches, 3 * 1024 * 1024 / 4);
}

TEST_F(CostTest, LayerNormIsTwoDraws) {
  const Tensor x = filled({256, 768}, 1);
  EXPECT_EQ(cost(nn::layer_norm(x, filled({768}, 1), filled({768}, 0))).draws, 2);
}

TEST_F(CostTest, AChainOf64OpsAndViewsIsOneDraw) {
  Tensor x = filled({40, 60}, 1);
  for (int i = 0; i < 16; ++i) {
    x = flip(x * 1.25);
    x = tanh(x).T();
  }
  EXPECT_EQ(cost(x).draws, 1);
}

TEST_F(CostTest, AHundredThousandNodesAreFewDrawsOfFewPrograms) {
  Tensor x = filled({64}, 0);
  for (int i = 0; i < 100'000; ++i) x = x + 1.0;
  const Cost c = cost(x);
  EXPECT_LE(c.draws, 1600);
  EXPECT_LE(c.programs, 3);
}

TEST_F(CostTest, ALongSumUsesTheWholeDevice) {
  const Cost c = cost(sum(filled({4 << 20}, 1)));
  EXPECT_GE(c.fragments, 4096);
  EXPECT_LE(c.fetches, (1 << 20) + (1 << 17));
}

TEST_F(CostTest, AMatmulAndItsEpilogueAreOneDraw) {
  const Tensor y = matmul(filled({64, 64}, 1), filled({64, 64}, 1));
  const Cost plain = cost(y);
  EXPECT_EQ(plain.draws, 1);
  EXPECT_EQ(plain.multiply_adds, 64 * 64 * 64);
  EXPECT_EQ(cost(nn::gelu(y + filled({64}, 1)) * 0.5).draws, 1);
}

TEST_F(CostTest, ViewsCostNothingByThemselves) {
  const Tensor x = filled({12, 20}, 1);
  EXPECT_EQ(cost(x.T()[Slice{1, 8}] + broadcast_to(filled({1}, 1), {7, 12})).draws, 1);
}

TEST_F(CostTest, PlansAndDrawsNothing) {
  const Tensor x = filled({64, 64}, 1);
  const Counters before = counters();
  static_cast<void>(cost(nn::softmax(x)));
  const Counters spent = counters() - before;
  EXPECT_EQ(spent.draws, 0);
  EXPECT_EQ(spent.programs_compiled, 0);
  EXPECT_EQ(spent.textures_created, 0);
}

TEST_F(CostTest, IsWhatIsDrawn) {
  const Tensor x = filled({64, 96}, 1);
  const Tensor chain = exp(x) + 1.0;
  const std::vector<Tensor> roots = {
      nn::softmax(x),       nn::layer_norm(x),      sum(x), x.T() + 1.0, matmul(x, x.T()),
      chain.at(3).set(1.0), concatenate({x, chain})};
  for (const Tensor& y : roots) {
    const std::int64_t planned = cost(y).draws;
    const Counters before = counters();
    y.eval();
    EXPECT_EQ((counters() - before).draws, planned) << to_string(y.shape());
  }
}

TEST_F(CostTest, AnEvaluatedTensorCostsNothing) {
  const Tensor x = filled({8, 8}, 1) + 1.0;
  x.eval();
  EXPECT_EQ(cost(x).draws, 0);
}

TEST_F(CostTest, EvaluatingAgainHitsThePlanCache) {
  const Tensor x = filled({17, 19}, 1);
  nn::softmax(x).eval();
  const Counters before = counters();
  nn::softmax(x).eval();
  const Counters spent = counters() - before;
  EXPECT_EQ(spent.plans_made, 0);
  EXPECT_EQ(spent.plan_cache_hits, 1);
  EXPECT_EQ(spent.programs_compiled, 0);
}

}  // namespace
}  // namespace trigon
