// SPDX-License-Identifier: MIT
#include "support/draw_table.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

// Numbers of draws of well-known programs on llvmpipe and on a GPU, with the default limits.

namespace trigon {
namespace {

using draw_table::Row;
using plan::Plan;

class DrawTable : public testing::TestWithParam<Row> {};

TEST_P(DrawTable, TakesNoMoreDraws) {
  const Row& row = GetParam();
  EXPECT_LE(draws(plan_of(row.roots(), core::llvmpipe())), row.most);
  EXPECT_LE(draws(plan_of(row.roots(), core::h200())), row.most_on_gpu);
}

INSTANTIATE_TEST_SUITE_P(Programs, DrawTable, testing::ValuesIn(draw_table::rows()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(DrawTablePlans, AdamReadsEachValueOnce) {
  const Plan plan = plan_of(draw_table::adam_of_one_parameter(), core::llvmpipe());
  EXPECT_EQ(fetches(plan), 4 * 512 * 512 / 4);
}

TEST(DrawTablePlans, GradientsOfATreeCostNoMoreThanThoseByHand) {
  for (const core::Target& target : {core::llvmpipe(), core::h200()}) {
    EXPECT_LE(draws(plan_of(draw_table::gradients_of_a_tree(), target)),
              draws(plan_of(draw_table::gradients_by_hand(), target)))
        << target.max_side;
  }
}

TEST(DrawTablePlans, MandelbrotIsALoopWithinADraw) {
  const Plan plan = plan_of(draw_table::mandelbrot_by_a_loop(), core::llvmpipe());
  EXPECT_LT(instructions(plan), 100u);
}

TEST(DrawTablePlans, FourStencilsReadFewTexels) {
  const Plan plan = plan_of(draw_table::four_stencils(), core::llvmpipe());
  EXPECT_LE(fetches(plan), 24 * 1024 * 1024 / 4);
}

TEST(DrawTablePlans, WritesInPlaceArePlannedInLinearTime) {
  Tensor x = host_leaf({64, 64});
  for (int step = 0; step < 8000; ++step) x = x.at(step % 64).set(host_leaf({64}));
  const Plan plan = plan_of(x, core::llvmpipe());
  EXPECT_EQ(draws(plan), 8000);
  for (const plan::Step& step : plan.steps) EXPECT_TRUE(step.outputs[0].in_place);
}

}  // namespace
}  // namespace trigon
