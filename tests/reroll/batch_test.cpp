// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <trigon/trigon.hpp>

#include "support/rolls.hpp"

// Plain C++ loops that stay as they are, since their carries differ in shape or an element needs
// others.

namespace trigon {
namespace {

void expect_not_rolled(const Program& program) {
  EXPECT_EQ(loops_of(program, small_draws(60)), "");
  expect_values(program);
}

TEST(RollBatch, LeavesCarriesOfMoreAxes) {
  expect_not_rolled([](const Leaf& leaf) {
    Tensor a = leaf({13}, float32), p = leaf({13, 3}, float32);
    for (int step = 0; step < 30; ++step) {
      a = maximum(a * 0.5, 0.25);
      p = maximum(p, expand_dims(a, 1)) * 0.5 + p;
    }
    return Tensors{a, p};
  });
}

TEST(RollBatch, LeavesCarriesWithoutAxes) {
  expect_not_rolled([](const Leaf& leaf) {
    Tensor s = leaf({}, float32), x = leaf({13}, float32);
    for (int step = 0; step < 30; ++step) {
      s = maximum(s * 0.5, 0.25);
      x = maximum(x - s, x * 0.5);
    }
    return Tensors{x, s};
  });
}

TEST(RollBatch, LeavesReductionsWithinAnElement) {
  expect_not_rolled([](const Leaf& leaf) {
    Tensor x = leaf({13, 4}, float32);
    for (int step = 0; step < 12; ++step) {
      x = where(x < max(x, 1, true), x + 0.5, min(x, 1, true) * 0.125);
    }
    return Tensors{x};
  });
}

TEST(RollBatch, LeavesSumsOfIntegersWithinAnElement) {
  expect_not_rolled([](const Leaf& leaf) {
    Tensor x = leaf({13, 4}, int32);
    for (int step = 0; step < 12; ++step) x = where(x > 0, x - 3, sum(x, 1, true) % 7);
    return Tensors{x};
  });
}

TEST(RollBatch, LeavesRoundedSumsAndProducts) {
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

TEST(RollBatch, LeavesWhatCouplesElements) {
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
  EXPECT_EQ(loops_of(long_rows, small_draws(60)), "");
}

}  // namespace
}  // namespace trigon
