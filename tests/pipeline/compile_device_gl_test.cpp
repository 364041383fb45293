// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/values.hpp"

// Compiled functions on two devices.

namespace trigon {
namespace {

using support::filled;
using Floats = std::vector<float>;

// A value made only of numbers belongs to no device, so it moves to that of the call.
TEST(CompileDevices, ArgumentsOfNumbersThatWereEvaluatedOnAnotherDevice) {
  const Device other;
  const auto f = compile(
      [](const Tensor& x, const Tensor& a, const Tensor& b) { return x + a.astype(float32) * b; });
  const Tensor here = filled({4}, 1);
  const Tensor there = tensor<float>(Floats{1, 1, 1, 1}, {4}, other);
  const Tensor counted_up = iota(4), waves = exp(full({4}, 0.0));
  for (int k = 0; k < 2; ++k) {
    eval({there + 0.0, counted_up, waves});
    const Tensor y = f(here, counted_up, waves);
    EXPECT_TRUE(y.device() == here.device());
    EXPECT_EQ(y.to_vector<float>(), (Floats{1, 2, 3, 4}));
    const Tensor z = f(there, counted_up, waves);
    EXPECT_TRUE(z.device() == other);
    EXPECT_EQ(z.to_vector<float>(), (Floats{1, 2, 3, 4}));
  }
  EXPECT_THROW(static_cast<void>(f(here, there, waves)), Error);
}

TEST(CompileDevices, ACapturedTensorOfNumbersThatWasEvaluatedOnAnotherDevice) {
  const Device other;
  const Tensor counted_up = iota(4).astype(float32);
  eval({tensor<float>(Floats{1}, {1}, other) + 0.0, counted_up});
  const auto f = compile([&](const Tensor& x) { return x + counted_up; });
  EXPECT_EQ(f(filled({4}, 1)).to_vector<float>(), (Floats{1, 2, 3, 4}));
}

TEST(CompileDevices, ArgumentsOfNumbersGoWhereTheCapturedTensorIs) {
  const Device other;
  const Tensor there = tensor<float>(Floats{1, 2, 3, 4}, {4}, other);
  int calls = 0;
  const auto f = compile([&](const Tensor& x, const Tensor& y) {
    ++calls;
    return std::pair(x + there, x * y);
  });
  for (int k = 0; k < 3; ++k) {
    const Tensor x = full({4}, static_cast<double>(k));
    const auto [sum, product] = f(x, x);
    EXPECT_TRUE(sum.device() == other);
    const auto value = static_cast<float>(k);
    EXPECT_EQ(sum.to_vector<float>(), (Floats{value + 1, value + 2, value + 3, value + 4}));
    EXPECT_EQ(product.to_vector<float>(), Floats(4, value * value));
  }
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(f(full({4}, 1.0), there).second.to_vector<float>(), (Floats{1, 2, 3, 4}));
  EXPECT_THROW(static_cast<void>(f(full({4}, 1.0), filled({4}, 1))), Error);
}

TEST(CompileDevices, NumbersAreMovedToADeviceInsideATrace) {
  const Device other;
  const auto f = compile([&](const Tensor& x) { return x + zeros({4}).to(other); });
  EXPECT_EQ(f(tensor<float>(Floats{1, 2, 3, 4}, {4}, other)).to_vector<float>(),
            (Floats{1, 2, 3, 4}));
  EXPECT_EQ(f(full({4}, 3.0)).to_vector<float>(), Floats(4, 3));
  EXPECT_THROW(static_cast<void>(f(filled({4}, 1))), Error);
  const auto move = compile([&](const Tensor& x) { return x.to(other); });
  for (const float value : {1.0F, 2.0F}) {
    const Tensor y = move(full({4}, static_cast<double>(value)));
    EXPECT_TRUE(y.device() == other);
    EXPECT_EQ(y.to_vector<float>(), Floats(4, value));
  }
}

}  // namespace
}  // namespace trigon
