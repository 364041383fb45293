// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>

#include <trigon/trigon.hpp>

#include "support/plans.hpp"

// The draws of writes, and their costs.

namespace trigon {
namespace {

using plan::Plan;
using plan::Step;

TEST(PlanWrite, IsInPlaceWhereNothingElseRefersToTheTexture) {
  Tensor x = host_leaf({64, 64});
  x = x.at(3).set(host_leaf({64}));
  const Plan plan = plan_of(x);
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_TRUE(plan.steps[0].outputs[0].in_place);
  EXPECT_EQ(plan.steps[0].fragments, 16);
  EXPECT_EQ(plan.steps[0].fetches, 1);
  EXPECT_TRUE(plan.notes.empty());
}

TEST(PlanWrite, CopiesWhereAHandleIsLeft) {
  const Tensor x = host_leaf({64, 64});
  const Tensor y = x.at(3).set(host_leaf({64}));
  const Plan plan = plan_of(y);
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_FALSE(plan.steps[0].outputs[0].in_place);
  ASSERT_EQ(plan.notes.size(), 1u);
  EXPECT_EQ(plan.notes[0],
            "copies (64, 64) for a write: it is still referred to, or the part is no rectangle of "
            "whole texels");
}

TEST(PlanWrite, CopiesWhereAnotherNodeHasTheTexture) {
  Tensor x = host_leaf({64, 64});
  const Tensor other = alias_of(x);
  x = x.at(3).set(1.0);
  EXPECT_FALSE(plan_of(x).steps[0].outputs[0].in_place);
}

TEST(PlanWrite, OfARunTimeRowIsInPlaceAndOnePlan) {
  const auto written = [](int row) {
    Tensor cache = host_leaf({128, 64});
    cache = cache.at(Window{Scalar(row), 1}).set(host_leaf({1, 64}));
    return cache;
  };
  const Plan plan = plan_of(written(5));
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_TRUE(plan.steps[0].outputs[0].in_place);
  EXPECT_EQ(plan.steps[0].fragments, 16);
  EXPECT_EQ(plan.steps[0].y.scalar, 0);
  EXPECT_EQ(plan.steps[0].y.high, 127);
  EXPECT_EQ(key_of(written(5)), key_of(written(77)));
}

TEST(PlanWrite, MaterialisesAPartThatReadsTheTensorItIsWrittenTo) {
  Tensor x = host_leaf({64, 64});
  x = x.at(0).set(x[1] + x[2]);
  const Plan plan = plan_of(x);
  ASSERT_EQ(plan.steps.size(), 2u);
  EXPECT_TRUE(plan.steps[1].outputs[0].in_place);
  for (std::int32_t input : plan.steps[1].inputs) EXPECT_NE(input, plan.steps[1].outputs[0].slot);
}

TEST(PlanWrite, NeverReadsItsTarget) {
  for (const auto& [name, target] : targets()) {
    Tensor x = host_leaf({64, 64});
    for (int k = 0; k < 5; ++k) x = x.at(k).set(sum(x, 0) * 0.5);
    for (const Step& step : plan_of(x, target).steps) {
      for (std::int32_t input : step.inputs) EXPECT_NE(input, step.outputs[0].slot) << name;
    }
  }
}

TEST(PlanWrite, WithinTexelsIsOneFullDraw) {
  Tensor x = host_leaf({64, 64});
  x = x.at(ellipsis, Slice{1, 3}).set(1.0);
  const Plan plan = plan_of(x);
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_FALSE(plan.steps[0].outputs[0].in_place);
  EXPECT_EQ(plan.steps[0].fragments, 64 * 64 / 4);
}

}  // namespace
}  // namespace trigon
