// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/errors.hpp"

namespace trigon {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;

std::vector<Ints> places(const Tensor& x) {
  std::vector<Ints> axes;
  for (const Tensor& axis : nonzero(x)) {
    EXPECT_EQ(axis.dtype(), int32);
    axes.push_back(axis.to_vector<std::int32_t>());
  }
  return axes;
}

TEST(Nonzero, GoesByCOrder) {
  const Tensor x = tensor<float>({0, 3, 0, 4, 0, -5}, {2, 3});
  EXPECT_EQ(places(x), (std::vector<Ints>{{0, 1, 1}, {1, 0, 2}}));
  EXPECT_EQ(places(x.T()), (std::vector<Ints>{{0, 1, 2}, {1, 0, 1}}));
  EXPECT_EQ(places(x[Slice{{}, {}, -1}]), (std::vector<Ints>{{0, 0, 1}, {0, 2, 1}}));
  EXPECT_EQ(places(x.reshape(1, 3, 1, 2)),
            (std::vector<Ints>{{0, 0, 0}, {0, 1, 2}, {0, 0, 0}, {1, 1, 1}}));
}

TEST(Nonzero, TakesNanAndInfinityForNotZeroAndMinusZeroForZero) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(places(tensor<float>({nan, 0, -0.0f, inf, -inf})), (std::vector<Ints>{{0, 3, 4}}));
}

TEST(Nonzero, TakesEveryDtype) {
  const Tensor x = tensor<float>({0, 1, 0, 200, 7});
  for (const DType dtype : {float32, float16, int32, uint32, uint8, boolean}) {
    EXPECT_EQ(places(x.astype(dtype)), (std::vector<Ints>{{1, 3, 4}})) << name(dtype);
  }
}

TEST(Nonzero, MayFindNothing) {
  EXPECT_EQ(places(zeros({2, 3})), (std::vector<Ints>{{}, {}}));
  EXPECT_EQ(places(zeros({2, 0})), (std::vector<Ints>{{}, {}}));
  EXPECT_EQ(nonzero(zeros({2, 0}))[0].shape(), Shape{0});
}

TEST(Nonzero, FindsAllOfALongVector) {
  constexpr std::int64_t n = 70'001;
  const Tensor x = where(arange(n) % 3 == 0, 1.0, 0.0);
  Ints want;
  for (std::int32_t k = 0; k < n; k += 3) want.push_back(k);
  EXPECT_EQ(places(x), std::vector<Ints>{want});
}

TEST(Nonzero, IsIndexedWith) {
  const Tensor x = tensor<float>({0, 3, 0, 4, 0, -5}, {2, 3});
  const Tensor rows = nonzero(sum(x, 1) > 0)[0];
  EXPECT_EQ(take(x, rows).to_vector<float>(), (Floats{0, 3, 0}));
}

TEST(Nonzero, RefusesAScalar) {
  EXPECT_EQ(support::error_of([] { return nonzero(tensor<float>({1}, {})); }),
            "trigon::nonzero: x is a scalar: shape is (); there must be an axis\n  hint: ravel");
}

}  // namespace
}  // namespace trigon
