// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/rewritten.hpp"

// How nodes become entries: the user's nodes before, the entries after, and the values.

namespace trigon {
namespace {

using support::after;
using support::before;

class Rewrite : public support::Rewritten {};

TEST_F(Rewrite, EqualNodesAreOne) {
  const Tensor x = leaf({3, 5});
  const std::vector<Tensor> roots{abs(x.T()) + 2.0, abs(x.T()) + 2.0};
  EXPECT_EQ(before(roots), "permute map constant broadcast map permute map constant broadcast map");
  EXPECT_EQ(after(roots),
            "0: leaf (3, 5)\n"
            "1: view 0 [i1, i0] (5, 3)\n"
            "2: map abs 1 (5, 3)\n"
            "3: constant 2 ()\n"
            "4: view 3 [] (5, 3)\n"
            "5: map add 2 4 (5, 3)\n");
  expect_values(roots);
}

TEST_F(Rewrite, EqualLoopsAreOneWhicheverResultsAreRead) {
  using Two = std::pair<Tensor, Tensor>;
  const Tensor x = leaf({3}), y = leaf({3});
  const auto loop = [&] {
    const auto body = [](const Tensor&, const Two& s) { return Two(s.second, s.first + s.second); };
    return fori_loop(0, 5, body, Two(x, y));
  };
  const std::vector<Tensor> roots{loop().first, loop().second};
  EXPECT_EQ(after(roots),
            "0: leaf (3,)\n"
            "1: leaf (3,)\n"
            "2: loop 0 1 ()\n"
            "3: output 2 (3,)\n"
            "4: output 2 (3,)\n");
  expect_values(roots);
}

TEST_F(Rewrite, NodesThatDifferAreNotMerged) {
  const Tensor x = leaf({3});
  const std::vector<Tensor> roots{x + 2.0, x + 3.0, x - 2.0, x[Slice{1}], x[Slice{0, 2}]};
  EXPECT_EQ(after(roots),
            "0: leaf (3,)\n"
            "1: constant 2 ()\n"
            "2: view 1 [] (3,)\n"
            "3: map add 0 2 (3,)\n"
            "4: constant 3 ()\n"
            "5: view 4 [] (3,)\n"
            "6: map add 0 5 (3,)\n"
            "7: map subtract 0 2 (3,)\n"
            "8: view 0 [i0 + 1] (2,)\n"
            "9: view 0 [i0] (2,)\n");
  expect_values(roots);
}

TEST_F(Rewrite, ZeroesOfBothSignsAreNotMerged) {
  const Tensor x = leaf({4});
  const std::vector<Tensor> roots{x * 0.0, x * -0.0};
  EXPECT_EQ(after(roots),
            "0: leaf (4,)\n"
            "1: constant 0 ()\n"
            "2: view 1 [] (4,)\n"
            "3: map multiply 0 2 (4,)\n"
            "4: constant -0 ()\n"
            "5: view 4 [] (4,)\n"
            "6: map multiply 0 5 (4,)\n");
  expect_values(roots);
}

TEST_F(Rewrite, DeadEntriesAreLeftOut) {
  const Tensor x = leaf({3, 5});
  const Tensor y = abs(x.T() * 1.0);
  EXPECT_EQ(before(y), "permute constant broadcast map map");
  EXPECT_EQ(after(y),
            "0: leaf (3, 5)\n"
            "1: view 0 [i1, i0] (5, 3)\n"
            "2: map abs 1 (5, 3)\n");
  expect_values(y);
}

TEST_F(Rewrite, ABarrierDisappears) {
  const Tensor x = leaf({4});
  const Tensor y = abs(stop_gradient(x));
  EXPECT_EQ(before(y), "call output map");
  EXPECT_EQ(after(y), "0: leaf (4,)\n1: map abs 0 (4,)\n");
  expect_values(y);
}

}  // namespace
}  // namespace trigon
