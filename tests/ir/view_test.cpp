// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <trigon/trigon.hpp>

#include "support/rewritten.hpp"

// Views of views and reshapes: the user's nodes before, the entries after, and the values.

namespace trigon {
namespace {

using support::after;
using support::before;

class View : public support::Rewritten {};

TEST_F(View, ViewsCompose) {
  const Tensor x = leaf({6, 8});
  const Tensor y = flip(x.T()[Slice{1, 7, 2}], 0);
  EXPECT_EQ(before(y), "permute slice slice");
  EXPECT_EQ(after(y),
            "0: leaf (6, 8)\n"
            "1: view 0 [i1, -2*i0 + 5] (3, 6)\n");
  expect_values(y);
}

TEST_F(View, ABroadcastViewForgetsItsAxis) {
  const Tensor x = leaf({3, 1});
  const Tensor y = broadcast_to(x, {2, 3, 4});
  EXPECT_EQ(after(y),
            "0: leaf (3, 1)\n"
            "1: view 0 [i1, 0] (2, 3, 4)\n");
  expect_values(y);
}

TEST_F(View, RunTimeStartsAreClampedEachOnItsOwn) {
  const Tensor x = leaf({9});
  const Tensor y = x.at(Window{Scalar(3), 5}).get().at(Window{Scalar(-2), 2}).get();
  EXPECT_EQ(after(y),
            "0: leaf (9,)\n"
            "1: view 0 [i0 + 1*clamp(s0, 0, 4) + 1*clamp(s1, 0, 3)] (2,)\n");
  expect_values(y);
}

TEST_F(View, AReshapeThatSplitsAxesIsAView) {
  const Tensor x = leaf({6, 8});
  EXPECT_EQ(after(reshape(x, {2, 3, 4, 2})),
            "0: leaf (6, 8)\n"
            "1: view 0 [3*i0 + i1, 2*i2 + i3] (2, 3, 4, 2)\n");
  expect_values(reshape(x, {2, 3, 4, 2}));
}

TEST_F(View, AReshapeThatDropsAndAddsOnesIsAView) {
  const Tensor x = leaf({1, 6, 1, 8});
  EXPECT_EQ(after(reshape(x, {6, 1, 8, 1})),
            "0: leaf (1, 6, 1, 8)\n"
            "1: view 0 [0, i0, 0, i2] (6, 1, 8, 1)\n");
  expect_values(reshape(x, {6, 1, 8, 1}));
}

TEST_F(View, AReshapeThatMergesAxesStaysOne) {
  const Tensor x = leaf({6, 8});
  const Tensor y = reshape(reshape(x.T(), {4, 12}), {48});
  EXPECT_EQ(before(y), "permute reshape reshape");
  EXPECT_EQ(after(y),
            "0: leaf (6, 8)\n"
            "1: view 0 [i1, i0] (8, 6)\n"
            "2: reshape 1 (48,)\n");
  expect_values(y);
}

TEST_F(View, ReshapesThereAndBackVanish) {
  const Tensor x = leaf({6, 8});
  EXPECT_EQ(after(abs(reshape(reshape(x, {48}), {6, 8}))), "0: leaf (6, 8)\n1: map abs 0 (6, 8)\n");
}

}  // namespace
}  // namespace trigon
