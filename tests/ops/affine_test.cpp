// SPDX-License-Identifier: MIT
#include <functional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <trigon/trigon.hpp>

#include "support/graph_values.hpp"

// sliding_window_view, diagonal and diag as graphs.

namespace trigon {
namespace {

using Doubles = std::vector<double>;

Tensor counting(const Shape& shape) { return iota(shape.numel()).reshape(shape); }

TEST(SlidingWindows, OfOneAxis) {
  const Tensor y = sliding_window_view(counting({4}), 3, 0);
  EXPECT_EQ(y.shape(), (Shape{2, 3}));
  EXPECT_EQ(values(y), (Doubles{0, 1, 2, 1, 2, 3}));
}

TEST(SlidingWindows, OfAllAxes) {
  const Tensor y = sliding_window_view(counting({2, 3}), {2, 2});
  EXPECT_EQ(y.shape(), (Shape{1, 2, 2, 2}));
  EXPECT_EQ(values(y), (Doubles{0, 1, 3, 4, 1, 2, 4, 5}));
}

TEST(SlidingWindows, OfChosenAxesInTheirOrder) {
  const Tensor y = sliding_window_view(counting({2, 3}), {2, 1}, {-1, 0});
  EXPECT_EQ(y.shape(), (Shape{2, 2, 2, 1}));
  EXPECT_EQ(values(y), (Doubles{0, 1, 1, 2, 3, 4, 4, 5}));
}

TEST(SlidingWindows, OfAnAxisTwiceAreWindowsOfWindows) {
  const Tensor y = sliding_window_view(counting({4}), {2, 2}, {0, 0});
  EXPECT_EQ(y.shape(), (Shape{2, 2, 2}));
  EXPECT_EQ(values(y), (Doubles{0, 1, 1, 2, 1, 2, 2, 3}));
}

TEST(SlidingWindows, OfSizeZeroAreEmpty) {
  EXPECT_EQ(sliding_window_view(counting({3}), 0, 0).shape(), (Shape{4, 0}));
}

TEST(SlidingWindows, RejectWhatDoesNotFit) {
  EXPECT_EQ(error_of([] {
              return sliding_window_view(leaf({2, 3}), {2});
            }),
            "trigon::sliding_window_view: number of windows differs: window is (2), x is (2, 3); "
            "without axes every axis needs one");
  EXPECT_EQ(error_of([] {
              return sliding_window_view(leaf({2, 3}), {2, 2}, {0});
            }),
            "trigon::sliding_window_view: number of windows differs: window is (2, 2), axes are "
            "(0); each axis needs one");
  EXPECT_EQ(error_of([] {
              return sliding_window_view(leaf({2, 3}), 4, 1);
            }),
            "trigon::sliding_window_view: window does not fit: window is (4), axis 1 of x (2, 3) "
            "has 3 places left for 4; must be in [0, 3]");
  EXPECT_EQ(error_of([] {
              return sliding_window_view(leaf({2, 3}), -1, 1);
            }),
            "trigon::sliding_window_view: window does not fit: window is (-1), axis 1 of x (2, 3) "
            "has 3 places left for -1; must be in [0, 3]");
}

TEST(Diagonal, OfAMatrix) {
  const Tensor x = counting({3, 4});
  EXPECT_EQ(values(diagonal(x)), (Doubles{0, 5, 10}));
  EXPECT_EQ(values(diagonal(x, 2)), (Doubles{2, 7}));
  EXPECT_EQ(values(diagonal(x, -1)), (Doubles{4, 9}));
  EXPECT_EQ(diagonal(x, 4).shape(), Shape{0});
  EXPECT_EQ(diagonal(x, -9).shape(), Shape{0});
}

TEST(Diagonal, OfTwoAxesOfSeveral) {
  const Tensor x = counting({2, 3, 2});
  const Tensor y = diagonal(x, 1, {2, -2});
  EXPECT_EQ(y.shape(), (Shape{2, 2}));
  EXPECT_EQ(values(y), (Doubles{2, 5, 8, 11}));
}

TEST(Diagonal, RejectsWhatHasNone) {
  EXPECT_EQ(error_of([] { return diagonal(leaf({3})); }),
            "trigon::diagonal: too few axes: x is (3,); must have two or more");
  EXPECT_EQ(error_of([] {
              return diagonal(leaf({3, 3}), 0, {1, -1});
            }),
            "trigon::diagonal: axis given twice: axes are (1, -1); must differ");
}

TEST(Diag, OfAVectorIsAMatrix) {
  EXPECT_EQ(values(diag(iota(2) + 1)), (Doubles{1, 0, 0, 2}));
  EXPECT_EQ(values(diag(iota(2) + 1, 1)), (Doubles{0, 1, 0, 0, 0, 2, 0, 0, 0}));
  EXPECT_EQ(values(diag(iota(2) + 1, -1)), (Doubles{0, 0, 0, 1, 0, 0, 0, 2, 0}));
  EXPECT_EQ(values(diag(counting({2, 3}), 1)), (Doubles{1, 5}));
  EXPECT_EQ(diag(leaf({2}, boolean)).dtype(), boolean);
  EXPECT_EQ(error_of([] { return diag(leaf({})); }),
            "trigon::diag: x is not a vector or matrix: x is (); must have one or two axes");
}

// ---- Gradients

using Function = std::function<Tensor(const Tensor&)>;

// The gradient is linear here, so sum(dx * e) must be sum(g * f(e)) for every e.
void expect_adjoint(const Function& f, const Shape& shape) {
  const Tensor x = noise(shape, 1);
  const Tensor e = noise(shape, 2);
  const Vjp at = vjp(f, x);
  const Tensor g = noise(at.value.shape(), 3);
  const double left = values(sum(at.pullback(g) * e))[0];
  const double right = values(sum(g * f(e)))[0];
  EXPECT_NEAR(left, right, 1e-4) << to_string(shape);
}

// f, the gradient of f as a function, and the gradient of that.
void expect_adjoints(const Function& f, const Shape& shape) {
  expect_adjoint(f, shape);
  const auto pulled = [](const Function& h, const Shape& from) {
    const Tensor x = noise(from, 4);
    const Vjp at = vjp(h, x);
    return std::pair(Function(at.pullback), at.value.shape());
  };
  const auto [first, from_first] = pulled(f, shape);
  expect_adjoint(first, from_first);
  const auto [second, from_second] = pulled(first, from_first);
  EXPECT_EQ(from_second, shape);
  expect_adjoint(second, from_second);
}

TEST(AffineGrad, OfWindows) {
  expect_adjoints([](const Tensor& x) { return sliding_window_view(x, 3, 0); }, {7});
  expect_adjoints([](const Tensor& x) { return sliding_window_view(x, {2, 3}); }, {4, 5});
  expect_adjoints(
      [](const Tensor& x) {
        return sliding_window_view(x, {3, 2}, {2, 1});
      },
      {2, 4, 5});
  expect_adjoints([](const Tensor& x) { return sliding_window_view(x, {2, 3}, {0, 0}); }, {8, 2});
  expect_adjoints([](const Tensor& x) { return sliding_window_view(x, 3, 0)[Slice{.step = 2}]; },
                  {8});
}

TEST(AffineGrad, OfDiagonals) {
  for (const int offset : {0, 2, -1, 3, -2}) {
    expect_adjoints([&](const Tensor& x) { return diagonal(x, offset); }, {3, 4});
    expect_adjoints([&](const Tensor& x) { return diagonal(x, offset, {.axis1 = 2, .axis2 = 0}); },
                    {4, 2, 3});
  }
  expect_adjoints([](const Tensor& x) { return diag(x, -2); }, {3});
}

TEST(AffineGrad, OfADiagonalOfWindows) {
  expect_adjoints([](const Tensor& x) { return diagonal(sliding_window_view(x, {2, 2})); }, {4, 3});
}

}  // namespace
}  // namespace trigon
