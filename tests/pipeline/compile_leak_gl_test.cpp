// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "graph/node.hpp"
#include "run/device_state.hpp"
#include "support/values.hpp"

// Tensors that a compiled function keeps beyond its results.

namespace trigon {
namespace {

using support::evaluated;
using support::filled;
using Floats = std::vector<float>;

TEST(CompileLeaks, ALeakedTensorHasTheValueOfTheTrace) {
  Tensor leaked;
  const auto f = compile([&](const Tensor& x) {
    leaked = x * 2.0;
    return x + 1.0;
  });
  static_cast<void>(f(filled({2}, 1)));
  static_cast<void>(f(filled({2}, 7)));
  EXPECT_EQ(leaked.to_vector<float>(), Floats(2, 2));
}

TEST(CompileLeaks, ALeakedTensorKeepsTheArgumentThatItReads) {
  const Tensor w = filled({4, 4}, 0.25);
  Tensor leaked;
  const auto f = compile([&](Tensor x) {
    leaked = matmul(x, w);
    const Tensor y = matmul(leaked, w) * 2.0;
    return std::move(x).at(0).set(y.at(0).get());
  });
  Floats expected(16, 3);
  std::fill(expected.begin(), expected.begin() + 4, 6.0F);
  EXPECT_EQ(f(evaluated({4, 4}, 3)).to_vector<float>(), expected);
  EXPECT_EQ(leaked.to_vector<float>(), Floats(16, 3));
}

TEST(CompileLeaks, ALeakedResultKeepsTheArgumentThatItReads) {
  const Tensor w = filled({4, 4}, 0.25);
  Tensor leaked;
  const auto f = compile([&](Tensor x) {
    const Tensor y = leaked = matmul(x, w);
    return std::pair(y, std::move(x).at(0).set(9.0));
  });
  Floats expected(16, 3);
  std::fill(expected.begin(), expected.begin() + 4, 9.0F);
  const auto [y, written] = f(evaluated({4, 4}, 3));
  EXPECT_EQ(y.to_vector<float>(), Floats(16, 3));
  EXPECT_EQ(written.to_vector<float>(), expected);
  EXPECT_EQ(leaked.to_vector<float>(), Floats(16, 3));
}

TEST(CompileLeaks, ALeakedTensorOfNumbersLeavesArgumentsToBeWritten) {
  Tensor leaked;
  const auto f = compile([&](Tensor x) {
    leaked = iota(4).astype(float32);
    return std::move(x).at(0).set(leaked);
  });
  Tensor x = evaluated({4, 4}, 1);
  const run::PooledTexture* const texture = &detail::Internals::node(x)->storage->texture();
  const Tensor written = f(std::move(x));
  EXPECT_EQ(&detail::Internals::node(written)->storage->texture(), texture);
}

}  // namespace
}  // namespace trigon
