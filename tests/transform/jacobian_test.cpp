// SPDX-License-Identifier: MIT
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <trigon/trigon.hpp>

#include "support/graph_values.hpp"

namespace trigon {
namespace {

using Doubles = std::vector<double>;
using Two = std::pair<Tensor, Tensor>;

TEST(Jacobian, IsTheSameByBothModes) {
  const auto f = [](const Tensor& x) { return stack({x[0] * x[1], x[1] * x[1], sin(x[0])}); };
  const Tensor x({0.0, 3.0});
  const Doubles wanted{3, 0, 0, 6, 1, 0};
  EXPECT_EQ(jacfwd(f)(x).shape(), (Shape{3, 2}));
  EXPECT_EQ(values(jacfwd(f)(x)), wanted);
  EXPECT_EQ(values(jacrev(f)(x)), wanted);
}

TEST(Jacobian, OfATreeIsATree) {
  const auto f = [](const Two& p) { return matmul(p.first, p.second); };
  const Two at(noise({2, 3}, 1), noise({3}, 2));
  const Two forward = jacfwd(f)(at), reverse = jacrev(f)(at);
  EXPECT_EQ(forward.first.shape(), (Shape{2, 2, 3}));
  EXPECT_EQ(forward.second.shape(), (Shape{2, 3}));
  EXPECT_EQ(values(forward.second), values(at.first));
  EXPECT_EQ(values(forward.first), values(reverse.first));
  EXPECT_EQ(values(forward.second), values(reverse.second));
}

TEST(Jacobian, HessianHasAllSecondDerivatives) {
  const auto f = [](const Tensor& x) { return x[0] * x[0] * x[1]; };
  EXPECT_EQ(values(hessian(f)(Tensor({2.0, 5.0}))), (Doubles{10, 4, 4, 0}));
}

TEST(Jacobian, OfALoop) {
  const auto f = [](const Tensor& x) {
    return fori_loop(
        0, 3, [](Tensor, Tensor y) { return y * y; }, x);
  };
  EXPECT_EQ(values(jacrev(f)(Tensor({1.0, 2.0}))), (Doubles{8, 0, 0, 1024}));
  EXPECT_EQ(values(jacfwd(f)(Tensor({1.0, 2.0}))), (Doubles{8, 0, 0, 1024}));
}

}  // namespace
}  // namespace trigon
