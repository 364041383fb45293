// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include <trigon/trigon.hpp>

#include "support/errors.hpp"
#include "support/plans.hpp"
#include "support/statistics.hpp"
#include "support/tiny_target.hpp"

// The draws of reductions, and their costs.

namespace trigon {
namespace {

using core::Target;
using plan::Plan;

TEST(PlanReduce, SoftmaxIsTwoDrawsAndThreeFetchesATexel) {
  for (const auto& [name, target] : targets()) {
    const Plan plan = plan_of(nn::softmax(host_leaf({1024, 1024})), target);
    EXPECT_LE(plan.steps.size(), 2u) << name;
    EXPECT_LE(fetches(plan), 3 * 1024 * 1024 / 4) << name;
  }
}

TEST(PlanReduce, LayerNormIsTwoDrawsTheSecondOfFourFetches) {
  const Tensor y = nn::layer_norm(host_leaf({256, 768}), host_leaf({768}), host_leaf({768}));
  for (const auto& [name, target] : targets()) {
    const Plan plan = plan_of(y, target);
    ASSERT_EQ(plan.steps.size(), 2u) << name;
    EXPECT_EQ(plan.steps[0].fetches, 768 / 4) << name;
    EXPECT_LE(plan.steps[1].fetches, 4) << name;
  }
}

// A draw for all results, and one for what reads them.
TEST(PlanReduce, GivesSeveralResultsInOneDraw) {
  const Shape eight{2, 1, 4, 3, 1, 2, 1, 8};
  for (const auto& [name, target] : targets()) {
    for (const Shape& shape : {Shape{16, 33}, Shape{5, 7}, eight}) {
      const std::vector<Tensor> y = moments(host_leaf(shape), -1, true);
      EXPECT_EQ(plan_of(y[0], target).steps.size(), 2u) << name;
      EXPECT_EQ(plan_of(y[0] * y[1] + y[2], target).steps.size(), 2u) << name;
    }
  }
}

TEST(PlanReduce, GradientsOfOneResultReadNoOther) {
  const Tensor x = host_leaf({64, 64});
  const auto loss = [](const Tensor& v) { return sum(square(var(v, 1))); };
  for (const auto& [name, target] : targets()) {
    const Plan plan = plan_of(grad(loss, x), target);
    EXPECT_EQ(plan.steps.size(), 2u) << name;
  }
}

TEST(PlanReduce, TakesProducersAndEpilogueIntoItsDraw) {
  const Tensor x = host_leaf({256, 256});
  const Plan plan = plan_of(sqrt(sum(x * x, 1)) * 0.5);
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].fetches, 256 / 4);
}

TEST(PlanReduce, SpreadsALongSumOverTheWholeDevice) {
  for (const auto& [name, target] : targets()) {
    const Plan plan = plan_of(sum(host_leaf({4 << 20})), target);
    ASSERT_GE(plan.steps.size(), 2u) << name;
    EXPECT_GE(plan.steps[0].fragments, 4096) << name;
    EXPECT_LE(fetches(plan), (1 << 20) + (1 << 17)) << name;
  }
}

TEST(PlanReduce, OfColumnsReadsEachTexelOnce) {
  const Plan plan = plan_of(sum(host_leaf({1024, 1024}), 0));
  EXPECT_LE(fetches(plan), 1024 * 1024 / 4 + 1024 * 1024 / 16);
}

TEST(PlanReduce, StaysBelowTheTripLimit) {
  for (const auto& [name, target] : targets()) {
    const std::vector<Tensor> roots = {
        sum(host_leaf({8'000'000})),         argmax(host_leaf({4'000'000})),
        max(host_leaf({200'000, 8}), 0),     moments(host_leaf({1'000'000}))[0],
        nn::softmax(host_leaf({1'000'000})), sum(exp(iota(1'000'000).astype(float32)))};
    for (const Tensor& root : roots) {
      EXPECT_LT(most_trips(plan_of(root, target)), 65'000) << name;
    }
  }
}

TEST(PlanReduce, KeepsToALowTripLimit) {
  Target target = core::llvmpipe();
  target.trip_limit = 64;
  const std::vector<Tensor> roots = {sum(host_leaf({100'000})), argmin(host_leaf({3000, 70}), 0),
                                     nn::softmax(host_leaf({5, 3000})),
                                     matmul(host_leaf({30, 1000}), host_leaf({1000, 20}))};
  for (const Tensor& root : roots) EXPECT_LE(most_trips(plan_of(root, target)), 64);
}

// The two accumulators of each column lie in layers of one texture.
TEST(PlanReduce, RefusesAccumulatorsPastATexture) {
  Target target = core::h200();
  target.max_side = 64;
  target.trip_limit = 64;
  const Tensor x = host_leaf({1'000, 1}) * host_leaf({1, 40'000});
  EXPECT_EQ(support::error_of<DeviceError>([&] { plan_of(argmax(x, 0), target); }),
            "trigon::eval: tensor too large for the device: shape (2, 16, 40000), 2560 texture "
            "rows; at most 64");
}

// The accumulators of all pieces of a long reduction stand in one texture, here of 63 x 63 texels.
TEST(PlanReduce, HasNoMorePiecesThanATextureHolds) {
  const Tensor x = host_leaf({3, 100'001});
  for (const Tensor& y : {argmax(x.T(), 0), var(x.T(), 0), argmax(x, 1), var(x, 1)}) {
    EXPECT_GE(plan_of(y, support::tiny_target()).steps.size(), 2U);
  }
}

}  // namespace
}  // namespace trigon
