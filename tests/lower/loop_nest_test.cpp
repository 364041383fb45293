// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/graph_values.hpp"
#include "support/plans.hpp"

// Loops within the body of a loop: blocks of its kernel, where all of them have the same elements.

namespace trigon {
namespace {

using kernel::Block;
using kernel::Kernel;
using plan::Plan;

/// The root of x + sin(x) / 2 = w + i, found again in each of `outer` steps.
Tensor roots(std::int64_t outer, const LoopBound& inner, const Tensor& w, const Tensor& x) {
  const auto body = [&](const Tensor& i, const Tensor& last) {
    const auto newton = [&](const Tensor&, const Tensor& y) {
      const Tensor goal = w + i.astype(float32);
      return y - (y + sin(y) * 0.5 - goal) / (cos(y) * 0.5 + 1.0);
    };
    return fori_loop(0, inner, newton, last);
  };
  return fori_loop(0, outer, body, x);
}

std::string notes_of(const Plan& plan) {
  std::string all;
  for (const std::string& note : plan.notes) all += note + "\n";
  return all;
}

bool is_repeated(const Plan& plan) {
  return std::any_of(plan.steps.begin(), plan.steps.end(),
                     [](const plan::Step& step) { return step.is_repeat(); });
}

TEST(LoopNest, IsOneDraw) {
  const Tensor y = roots(100, 50, host_leaf({64}), host_leaf({64}));
  for (const core::Target& target :
       {core::llvmpipe(), core::llvmpipe_webgl1(), core::h200(), core::es30_minimum()}) {
    const Plan plan = plan_of(y, target);
    ASSERT_EQ(draws(plan), 1);
    ASSERT_FALSE(is_repeated(plan));
    const Kernel& kernel = *plan.steps[0].kernel;
    ASSERT_EQ(kernel.blocks.size(), 3U);
    EXPECT_EQ(kernel.blocks[1].parent, 0);
    EXPECT_EQ(kernel.blocks[2].parent, 1);
    EXPECT_EQ(plan.steps[0].trips, 100 + 100 * 51) << "each inner loop ends with a test";
    EXPECT_EQ(plan.steps[0].fetches, 2) << "before the loops";
    EXPECT_NE(notes_of(plan).find("the loop stands in the kernel: the elements of (64,) do not"),
              std::string::npos)
        << notes_of(plan);
  }
}

// A scan over a loop keeps every 25th state, as gradients need them: 10 of 250 steps.
TEST(LoopNest, KeepsEveryKthState) {
  const Tensor x = host_leaf({64});
  const auto step = [](const Tensor&, const Tensor& y) { return y + sin(y) * 0.01; };
  const auto [last, kept] =
      scan([&](const Tensor& y, const Tensor&) { return std::pair(fori_loop(0, 25, step, y), y); },
           x, iota(10));
  EXPECT_EQ(kept.shape(), (Shape{10, 64}));
  const std::vector<Tensor> both{last, kept};
  for (const core::Target& target : {core::llvmpipe(), core::h200()}) {
    EXPECT_LE(draws(plan_of(both, target)), 2) << "seven states per draw";
  }
}

TEST(LoopNest, IsCutWhereItHasTooManyTrips) {
  const core::Target target = core::llvmpipe();
  const Plan plan = plan_of(roots(3000, 50, host_leaf({64}), host_leaf({64})), target);
  ASSERT_EQ(plan.steps.size(), 2U);
  EXPECT_LE(plan.steps[0].trips, target.trip_limit);
  EXPECT_TRUE(plan.steps[1].is_repeat());
  EXPECT_EQ(plan.steps[1].chunk * 52, plan.steps[0].trips);
  EXPECT_GT(plan.steps[1].chunk, 1200);
}

TEST(LoopNest, IsRepeatedWhereOneIterationPassesTheLimit) {
  core::Target target = core::h200();
  target.trip_limit = 40;
  const Plan plan = plan_of(roots(100, 50, host_leaf({64}), host_leaf({64})), target);
  EXPECT_TRUE(is_repeated(plan));
  EXPECT_NE(notes_of(plan).find("one iteration after the other: a kernel of it passes the limits"),
            std::string::npos)
      << notes_of(plan);
}

// 2^64 trips exceed an integer's range.
TEST(LoopNest, OfManyDepthsIsRepeated) {
  const auto nested = [](auto self, int depth, const Tensor& x) -> Tensor {
    if (depth == 0) return sin(x);
    return fori_loop(
        0, 65536, [&](const Tensor&, const Tensor& y) { return self(self, depth - 1, y); }, x);
  };
  const Plan plan = plan_of(nested(nested, 5, host_leaf({64})), core::h200());
  EXPECT_TRUE(is_repeated(plan));
}

TEST(LoopNest, OfAnUnknownNumberOfIterationsIsRepeated) {
  const Tensor w = host_leaf({64}), x = host_leaf({64});
  for (const LoopBound& inner : {LoopBound(Scalar(50)), LoopBound(host_leaf({}, int32))}) {
    const Plan plan = plan_of(roots(100, inner, w, x));
    EXPECT_TRUE(is_repeated(plan));
    EXPECT_NE(notes_of(plan).find("one iteration after the other: its body has a loop of"),
              std::string::npos)
        << notes_of(plan);
  }
}

TEST(LoopNest, OfOtherElementsIsRepeated) {
  const auto body = [](const Tensor&, const Tensor& x) {
    const auto inner = [&](const Tensor&, const Tensor& y) { return y * 0.5 + flip(x, 0); };
    return fori_loop(0, 3, inner, x);
  };
  const Plan plan = plan_of(fori_loop(0, 5, body, host_leaf({64})));
  EXPECT_TRUE(is_repeated(plan));
  EXPECT_NE(
      notes_of(plan).find("one iteration after the other: its body has a loop of other elements, "
                          "with outputs, or of an unknown number of iterations"),
      std::string::npos)
      << notes_of(plan);
}

TEST(LoopNest, EndsWithAConditionOfEachElement) {
  const auto body = [](const Tensor&, const Tensor& x) {
    return while_loop([](const Tensor& y) { return y < 1.0; },
                      [](const Tensor& y) { return y * 2.0 + 0.1; }, abs(x) * 0.1, 40);
  };
  const Plan plan = plan_of(fori_loop(0, 20, body, host_leaf({64})));
  ASSERT_EQ(draws(plan), 1);
  const Kernel& kernel = *plan.steps[0].kernel;
  ASSERT_EQ(kernel.blocks.size(), 3U);
  EXPECT_GE(kernel.blocks[2].goes_on, 0);
}

}  // namespace
}  // namespace trigon
