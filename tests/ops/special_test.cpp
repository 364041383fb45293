// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/graph_values.hpp"
#include "support/plans.hpp"

// Comparisons with a tolerance, special functions, averages and losses, by the reference on the
// CPU.

namespace trigon {
namespace {

using Doubles = std::vector<double>;
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

Tensor numbers(const Doubles& all) {
  std::vector<Tensor> pieces;
  for (const double number : all) pieces.push_back(full({}, number));
  return stack(pieces);
}
void expect_near(const Tensor& x, const Doubles& want) {
  const Doubles got = values(x);
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t k = 0; k < got.size(); ++k) {
    if (std::isnan(want[k]) || std::isinf(want[k])) {
      EXPECT_TRUE(std::isnan(want[k]) ? std::isnan(got[k]) : got[k] == want[k]) << k;
    } else {
      EXPECT_NEAR(got[k], want[k], 1e-6 * (1 + std::abs(want[k]))) << k;
    }
  }
}

TEST(IsClose, HasToleranceAndSpecialValues) {
  const Tensor a = numbers({1, 1, 100, 0, inf, inf, nan_value, 1, -inf});
  const Tensor b = numbers({1.000001, 1.1, 100.0005, 1e-9, inf, -inf, nan_value, inf, -inf});
  EXPECT_EQ(values(isclose(a, b)), (Doubles{1, 0, 1, 1, 1, 0, 0, 0, 1}));
  EXPECT_EQ(values(isclose(a, b, {.equal_nan = true})), (Doubles{1, 0, 1, 1, 1, 0, 1, 0, 1}));
  EXPECT_EQ(values(isclose(a, b, {.rtol = 0.0, .atol = 0.2})),
            (Doubles{1, 1, 1, 1, 1, 0, 0, 0, 1}));
  EXPECT_EQ(values(isclose(arange(3), arange(3))), (Doubles{1, 1, 1}));
  EXPECT_EQ(isclose(a, b).dtype(), boolean);
}

TEST(IsClose, OfWholeTensors) {
  EXPECT_EQ(values(allclose(ones({2, 3}), ones({3}))), (Doubles{1}));
  EXPECT_EQ(values(allclose(ones({2}), zeros({2}))), (Doubles{0}));
  EXPECT_EQ(values(array_equal(arange(3), arange(3))), (Doubles{1}));
  EXPECT_EQ(values(array_equal(arange(3), arange(4))), (Doubles{0}));
  EXPECT_EQ(values(array_equal(arange(3), ones({3}))), (Doubles{0}));
  EXPECT_EQ(values(array_equal(numbers({nan_value}), numbers({nan_value}))), (Doubles{0}));
  EXPECT_EQ(values(array_equal(numbers({nan_value}), numbers({nan_value}), true)), (Doubles{1}));
  EXPECT_EQ(allclose(ones({2}), ones({2})).shape(), Shape());
  EXPECT_EQ(plan_of(allclose(host_leaf({64}), host_leaf({64}))).steps.size(), 1U);
}

TEST(Special, NumbersForNaN) {
  const double most = std::numeric_limits<float>::max();
  const Tensor x = numbers({nan_value, inf, -inf, 2});
  EXPECT_EQ(values(nan_to_num(x)), (Doubles{0, most, -most, 2}));
  EXPECT_EQ(values(nan_to_num(x, {.nan = 7, .posinf = 8, .neginf = 9})), (Doubles{7, 8, 9, 2}));
  EXPECT_EQ(values(nan_to_num(x.astype(float16))), (Doubles{0, 65504, -65504, 2}));
  EXPECT_EQ(nan_to_num(x.astype(float16)).dtype(), float16);
  EXPECT_EQ(nan_to_num(arange(3)).dtype(), int32);
}

TEST(Special, Functions) {
  expect_near(heaviside(numbers({-1, 0, 2, nan_value}), full({}, 0.5)), {0, 0.5, 1, nan_value});
  expect_near(sinc(numbers({0, 0.5, 1, -1.5})), {1, 0.6366197723675814, 0, -0.2122065907891938});
  expect_near(xlogy(numbers({0, 0, 2, 0}), numbers({0, nan_value, 3, inf})),
              {0, nan_value, 2 * std::log(3.0), 0});
  expect_near(logit(numbers({0, 0.25, 0.5, 1})), {-inf, -std::log(3.0), 0, inf});
  const auto [q, r] = divmod(arange(-4, 5), 3);
  EXPECT_EQ(values(q), (Doubles{-2, -1, -1, -1, 0, 0, 0, 1, 1}));
  EXPECT_EQ(values(r), (Doubles{2, 0, 1, 2, 0, 1, 2, 0, 1}));
}

TEST(Special, GradientsWhereAChoiceIsMade) {
  const auto slope = [](const auto& f, double x) {
    return values(grad([&](const Tensor& v) { return sum(f(v)); }, numbers({x})))[0];
  };
  EXPECT_EQ(slope(sinc, 0), 0);
  EXPECT_NEAR(slope(sinc, 1), -1, 1e-6);
  EXPECT_NEAR(slope([](const Tensor& v) { return xlogy(v, full({1}, 2.0)); }, 0), std::log(2.0),
              1e-6);
  EXPECT_EQ(slope([](const Tensor& v) { return xlogy(v, zeros({1})); }, 0), 0);
  EXPECT_EQ(slope([](const Tensor& v) { return xlogy(zeros({1}), v); }, 0), 0);
}

TEST(Special, Averages) {
  const Tensor x = arange(6).reshape(2, 3);
  expect_near(average(x), {2.5});
  expect_near(average(x, 0), {1.5, 2.5, 3.5});
  expect_near(average(x, 1, numbers({1, 2, 1})), {1, 4});
  expect_near(average(x, {}, x), {55.0 / 15});
  expect_near(average(x, -2, arange(2)), {3, 4, 5});
  EXPECT_EQ(error_of([&] { return average(x, 0, arange(3)); }),
            "trigon::average: weights do not fit: x is (2, 3), weights are (3,); must have x's "
            "shape, or one axis for the one axis given");
}

}  // namespace
}  // namespace trigon
