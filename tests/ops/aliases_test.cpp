// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <cstddef>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "graph/node.hpp"

// The array API's names make the graphs of NumPy's.

namespace trigon {
namespace {

bool same(const graph::NodePtr& a, const graph::NodePtr& b) {
  if (a == b) return true;
  if (a->kind != b->kind || a->op != b->op || a->dtype != b->dtype || !(a->shape == b->shape) ||
      a->attrs != b->attrs || a->value != b->value || a->inputs.size() != b->inputs.size()) {
    return false;
  }
  for (std::size_t k = 0; k < a->inputs.size(); ++k) {
    if (!same(a->inputs[k], b->inputs[k])) return false;
  }
  return true;
}
bool same(const Tensor& a, const Tensor& b) {
  return same(detail::Internals::node(a), detail::Internals::node(b));
}

TEST(Aliases, MakeTheSameGraph) {
  const Tensor x = iota(6).reshape(2, 3) * 0.1, y = x + 1.0;
  const Tensor i = iota(6).reshape(2, 3);
  EXPECT_TRUE(same(acos(x), arccos(x)));
  EXPECT_TRUE(same(acosh(x), arccosh(x)));
  EXPECT_TRUE(same(asin(x), arcsin(x)));
  EXPECT_TRUE(same(asinh(x), arcsinh(x)));
  EXPECT_TRUE(same(atan(x), arctan(x)));
  EXPECT_TRUE(same(atan2(x, y), arctan2(x, y)));
  EXPECT_TRUE(same(atanh(x), arctanh(x)));
  EXPECT_TRUE(same(pow(x, y), power(x, y)));
  EXPECT_TRUE(same(bitwise_invert(i), bitwise_not(i)));
  EXPECT_TRUE(same(bitwise_left_shift(i, 2), left_shift(i, 2)));
  EXPECT_TRUE(same(bitwise_right_shift(i, 2), right_shift(i, 2)));
  EXPECT_TRUE(same(astype(x, int32), x.astype(int32)));
  EXPECT_TRUE(same(concat({x, y}, 1), concatenate({x, y}, 1)));
  EXPECT_TRUE(same(concat(std::array{x, y}), concatenate({x, y})));
  EXPECT_TRUE(same(matrix_transpose(x), swapaxes(x, 0, 1)));
  EXPECT_TRUE(same(permute_dims(x, {1, 0}), transpose(x, {1, 0})));
  EXPECT_FALSE(same(acos(x), asin(x)));
  EXPECT_FALSE(same(atan2(x, y), atan2(y, x)));
}

}  // namespace
}  // namespace trigon
