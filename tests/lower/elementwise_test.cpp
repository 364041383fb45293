// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/plans.hpp"

// The draws of elementwise ops and of views, and their costs.

namespace trigon {
namespace {

using plan::Plan;
using plan::Step;

// ---- Elementwise

TEST(PlanElementwise, FusesExpOfASumIntoOneDrawOfTwoFetches) {
  for (const auto& [name, target] : targets()) {
    const Plan plan = plan_of(exp(host_leaf({64, 64}) + host_leaf({64, 64})), target);
    ASSERT_EQ(plan.steps.size(), 1u) << name;
    EXPECT_EQ(plan.steps[0].fetches, 2) << name;
    EXPECT_EQ(plan.steps[0].fragments, 64 * 64 / 4) << name;
    EXPECT_EQ(plan.steps[0].draws, 1) << name;
  }
}

TEST(PlanElementwise, HasOneKernelForAllSizes) {
  const auto kernel = [](const Shape& shape) {
    return *plan_of(exp(host_leaf(shape) + host_leaf(shape))).steps[0].kernel;
  };
  const kernel::Kernel one = kernel({64, 64});
  EXPECT_EQ(one, kernel({100, 200}));
  EXPECT_EQ(one, kernel({333, 1000}));
  EXPECT_EQ(one, kernel({20, 30, 80}));
  EXPECT_EQ(one.hash, kernel({100, 200}).hash);
}

TEST(PlanElementwise, HasOneKernelForAllConstants) {
  const Tensor x = host_leaf({64, 64});
  const Plan two = plan_of(x * 2.0);
  const Plan three = plan_of(x * 3.0);
  EXPECT_EQ(*two.steps[0].kernel, *three.steps[0].kernel);
  EXPECT_EQ(two.steps[0].floats[0].value, 2.0);
  EXPECT_EQ(three.steps[0].floats[0].value, 3.0);
}

TEST(PlanElementwise, FetchesARepeatedInputOnce) {
  const Tensor x = host_leaf({64, 64});
  const Plan plan = plan_of(x * x + exp(x));
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].fetches, 1);
}

TEST(PlanElementwise, FetchesTwoNodesOfOneTextureOnce) {
  const Tensor x = host_leaf({64, 64});
  const Plan plan = plan_of(x * alias_of(x));
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].fetches, 1);
  EXPECT_EQ(plan.leaves.size(), 1u);
}

TEST(PlanElementwise, ReadsABiasAlongRowsAsTexels) {
  const Plan plan = plan_of(host_leaf({64, 64}) + host_leaf({64}));
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].fetches, 2);
}

TEST(PlanElementwise, ReadsAColumnOnceForFourLanes) {
  const Plan plan = plan_of(host_leaf({64, 64}) + host_leaf({64, 1}));
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].fetches, 2);
}

TEST(PlanElementwise, NeedsNoInputForWhatIsMadeOfNumbers) {
  const Plan random = plan_of(random::uniform(Scalar(7), {64, 64}));
  ASSERT_EQ(random.steps.size(), 1u);
  EXPECT_EQ(random.steps[0].fetches, 0);
  EXPECT_TRUE(random.steps[0].inputs.empty());
  const Plan counted = plan_of(iota(100).astype(float32) * 0.5 + 1.0);
  ASSERT_EQ(counted.steps.size(), 1u);
  EXPECT_EQ(counted.steps[0].fetches, 0);
}

TEST(PlanElementwise, StoresOnlyWhatIsAskedFor) {
  const Tensor a = exp(host_leaf({64, 64}));
  const Plan plan = plan_of(a + 1.0);  // `a` still has a handle, but lies within the kernel
  EXPECT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.stored.size(), 1u);
}

TEST(PlanElementwise, GoesOnInADrawThatComesBeforeItsOtherReaders) {
  const Tensor a = exp(host_leaf({8, 8}));
  const Tensor turned = flip(a);
  const Tensor b = a + 1.0;
  const Tensor c = tanh(b);
  const Tensor y = c + turned;  // not in the draw of a, which that of `turned` reads
  for (const auto& [name, target] : targets()) {
    const Plan plan = plan_of(std::vector<Tensor>{a, turned, b, c, y}, target);
    EXPECT_EQ(draws(plan), target.draw_buffers == 1 ? 5 : 2) << name;
  }
}

TEST(PlanElementwise, DrawsNothingForAStoredRoot) {
  EXPECT_TRUE(plan_of(host_leaf({64, 64})).steps.empty());
}

TEST(PlanElementwise, DrawsNothingForAnEmptyRoot) {
  EXPECT_TRUE(plan_of(host_leaf({0, 64}) + 1.0).steps.empty());
}

TEST(PlanElementwise, SharesWorkBetweenRoots) {
  const Tensor shared = sum(host_leaf({64, 64}), 1, true);
  const std::vector<Tensor> roots = {shared + 1.0, shared * 2.0};
  const Plan plan = plan_of(roots, core::h200());
  EXPECT_EQ(plan.stored.size(),
            3u);  // `shared` has a handle, and its texture costs nothing more
  std::int64_t reductions = 0;
  for (const Step& step : plan.steps) reductions += step.trips > 0 ? 1 : 0;
  EXPECT_EQ(reductions, 1);
}

// ---- Views

TEST(PlanView, IsPartOfTheKernelThatReadsIt) {
  const Tensor x = host_leaf({12, 20});
  const Tensor y = x.T()[Slice{1, 8}] + broadcast_to(host_leaf({1}), {7, 12});
  EXPECT_EQ(plan_of(y).steps.size(), 1u);
}

TEST(PlanView, OfAReshapeFetchesTexelByTexel) {
  const Plan plan = plan_of(reshape(host_leaf({64, 64}), {16, 256}) + 1.0);
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].fetches, 1);
}

TEST(PlanView, OfATransposeFetchesFourTexels) {
  const Plan plan = plan_of(host_leaf({64, 64}).T() + 1.0);
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].fetches, 4);
}

TEST(PlanView, OfWholeTexelsIsOneFetch) {
  const Plan plan = plan_of(host_leaf({64, 64}).at(ellipsis, Slice{8, 40}).get() * 2.0);
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].fetches, 1);
}

TEST(PlanView, OfARunTimeRowIsOneFetchAndOnePlan) {
  const auto row = [](int k) { return host_leaf({64, 64}).at(Scalar(k)).get() + 1.0; };
  const Plan plan = plan_of(row(3));
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].fetches, 1);
  EXPECT_EQ(key_of(row(3)), key_of(row(5)));
}

TEST(PlanView, OfAConcatenationIsOneDraw) {
  const Plan plan = plan_of(concatenate({host_leaf({16, 64}), host_leaf({32, 64}) + 1.0}));
  EXPECT_EQ(plan.steps.size(), 1u);
}

}  // namespace
}  // namespace trigon
