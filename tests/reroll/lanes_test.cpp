// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>

#include <trigon/trigon.hpp>

#include "support/rolls.hpp"

// Plain C++ loops whose carries differ in shape, or whose stages reduce along axes of
// a lane.

namespace trigon {
namespace {

std::size_t steps_of(const Program& program, const Target& target) {
  return pipeline::make_plan(graph_of(program(planned_leaf), target), target, core::gpu_costs)
      .steps.size();
}

/// The loops, equal values, and at most two steps for each result.
void expect_rolled(const Program& program, const std::string& loops) {
  const Target target = small_draws(60);
  EXPECT_EQ(loops_of(program, target), loops);
  expect_values(program);
  EXPECT_LE(steps_of(program, target), program(planned_leaf).size() * 2);
}

TEST(RollLanes, CarriesOfMoreAxes) {
  expect_rolled(
      [](const Leaf& leaf) {
        Tensor a = leaf({13}, float32), p = leaf({13, 3}, float32);
        for (int step = 0; step < 30; ++step) {
          a = maximum(a * 0.5, 0.25);
          p = maximum(p, expand_dims(a, 1)) * 0.5 + p;
        }
        return Tensors{a, p};
      },
      "30 x 5, 2 carried");
}

TEST(RollLanes, CarriesWithoutAxes) {
  expect_rolled(
      [](const Leaf& leaf) {
        Tensor s = leaf({}, float32), x = leaf({13}, float32);
        for (int step = 0; step < 30; ++step) {
          s = maximum(s * 0.5, 0.25);
          x = maximum(x - s, x * 0.5);
        }
        return Tensors{x, s};
      },
      "30 x 5, 2 carried");
}

TEST(RollLanes, ReductionsWithinALane) {
  expect_rolled(
      [](const Leaf& leaf) {
        Tensor x = leaf({13, 4}, float32);
        for (int step = 0; step < 12; ++step) {
          x = where(x < max(x, 1, true), x + 0.5, min(x, 1, true) * 0.125);
        }
        return Tensors{x};
      },
      "12 x 4, 1 carried");
}

TEST(RollLanes, SumsOfIntegersWithinALane) {
  expect_rolled(
      [](const Leaf& leaf) {
        Tensor x = leaf({13, 4}, int32);
        for (int step = 0; step < 12; ++step) x = where(x > 0, x - 3, sum(x, 1, true) % 7);
        return Tensors{x};
      },
      "12 x 4, 1 carried");
}

// Rounded sums depend on the order, which a loop changes.
TEST(RollLanes, LeavesRoundedSumsAndProducts) {
  const auto sums = [](const Leaf& leaf) {
    Tensor x = leaf({13, 4}, float32);
    for (int step = 0; step < 12; ++step) x = x * 0.5 + sum(x, 1, true);
    return Tensors{x};
  };
  const auto products = [](const Leaf& leaf) {
    Tensor s = leaf({5, 6}, float32);
    const Tensor w = leaf({6, 6}, float32);
    for (int step = 0; step < 10; ++step) s = maximum(matmul(s, w), 0.0) * 0.5;
    return Tensors{s};
  };
  EXPECT_EQ(loops_of(sums, small_draws(60)), "");
  EXPECT_EQ(loops_of(products, small_draws(60)), "");
}

TEST(RollLanes, LeavesWhatCouplesLanes) {
  const auto reduced = [](const Leaf& leaf) {
    Tensor x = leaf({13, 4}, float32);
    for (int step = 0; step < 12; ++step) x = x * 0.5 + max(x, 0, true);
    return Tensors{x};
  };
  const auto multiplied = [](const Leaf& leaf) {
    Tensor x = leaf({13, 4}, float32);
    const Tensor a = leaf({13, 13}, float32);
    for (int step = 0; step < 12; ++step) x = matmul(a, x) * 0.5;
    return Tensors{x};
  };
  const auto long_rows = [](const Leaf& leaf) {
    Tensor x = leaf({13, 20}, float32);
    for (int step = 0; step < 12; ++step) x = x * 0.5 + max(x, 1, true);
    return Tensors{x};
  };
  EXPECT_EQ(loops_of(reduced, small_draws(60)), "");
  EXPECT_EQ(loops_of(multiplied, small_draws(60)), "");
  EXPECT_EQ(loops_of(long_rows, small_draws(60)), "") << "20 values in a lane";
}

}  // namespace
}  // namespace trigon
