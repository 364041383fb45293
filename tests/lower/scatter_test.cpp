// SPDX-License-Identifier: MIT
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <trigon/trigon.hpp>

#include "support/errors.hpp"
#include "support/plans.hpp"

// The costs of scatters and their readers, without a device.

namespace trigon {
namespace {

using support::error_of;

Tensor gradient(Tensor (*f)(const Tensor&, const Tensor&), const Tensor& x, const Tensor& i,
                const Tensor& dy) {
  return vjp([&](Tensor v) { return f(v, i); }, x).pullback(dy);
}

Tensor embed(const Tensor& weight, const Tensor& ids) { return nn::embedding(ids, weight); }

Tensor cross_entropy(const Tensor& scores, const Tensor& targets) {
  const Tensor index = expand_dims(targets, 1);
  return -mean(take_along_axis(nn::log_softmax(scores), index, 1));
}

std::int64_t points(const plan::Plan& plan) {
  std::int64_t count = 0;
  for (const plan::Step& step : plan.steps) count += step.points ? step.points->count : 0;
  return count;
}

TEST(ScatterPlan, TheGradientOfAnEmbeddingIsAFillAndPoints) {
  const Tensor dw =
      gradient(embed, host_leaf({50257, 768}), host_leaf({1024}, int32), host_leaf({1024, 768}));
  for (const core::Target& target : {core::llvmpipe(), core::h200()}) {
    const plan::Plan plan = plan_of(dw, target);
    EXPECT_EQ(draws(plan), 2);
    EXPECT_EQ(points(plan), 1024 * 768 / 4);
    EXPECT_EQ(multiply_adds(plan), 0);
    EXPECT_EQ(fetches(plan), 2 * points(plan));
  }
}

TEST(ScatterPlan, TheGradientOfCrossEntropyIsLinearInTheScores) {
  constexpr std::int64_t T = 1024, V = 50257;
  const Tensor dx = gradient(cross_entropy, host_leaf({T, V}), host_leaf({T}, int32), ones({}));
  const plan::Plan plan = plan_of(dx, core::h200());
  EXPECT_EQ(draws(plan), 4);  // the T rows first: their wrapping costs more at each of T * V places
  EXPECT_EQ(points(plan), 0);
  EXPECT_LE(fetches(plan), 3 * T * V);  // rows of odd length take up to four fetches a texel
}

TEST(ScatterPlan, AddsInPlaceWhereNobodyElseReads) {
  Tensor y = host_leaf({8, 16});
  y = scatter_add(y, host_leaf({3}, int32), host_leaf({3, 16}), 0);
  const plan::Plan plan = plan_of(y);
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_TRUE(plan.steps[0].outputs[0].in_place);
  EXPECT_EQ(points(plan), 3 * 4);
  EXPECT_TRUE(plan.notes.empty());
}

TEST(ScatterPlan, CopiesWhatIsStillReferredTo) {
  const Tensor x = host_leaf({8, 16});
  const plan::Plan plan = plan_of(scatter_add(x, host_leaf({3}, int32), host_leaf({3, 16}), 0));
  EXPECT_EQ(draws(plan), 2);
  ASSERT_EQ(plan.notes.size(), 1u);
  EXPECT_EQ(plan.notes[0], "copies (8, 16) for a scatter: it is still referred to");
}

TEST(ScatterPlan, CopiesWhatItReads) {
  Tensor x = host_leaf({3, 4});
  const Tensor i = host_leaf({3}, int32);
  x = scatter_add(x, i, x, 0);
  const plan::Plan plan = plan_of(x);
  ASSERT_EQ(plan.steps.size(), 2u);
  EXPECT_NE(plan.steps[1].outputs[0].slot, plan.steps[1].inputs[0]);
}

TEST(ScatterPlan, ScattersInARowShareATexture) {
  const Tensor i = host_leaf({3}, int32);
  const Tensor v = host_leaf({3, 4});
  Tensor x = zeros({8, 4});
  for (int k = 0; k < 5; ++k) x = scatter_add(x, i, v, 0);
  const plan::Plan plan = plan_of(x);
  EXPECT_EQ(draws(plan), 6);
  EXPECT_EQ(plan.slots, 3);
}

TEST(ScatterPlan, ReadsReshapedUpdatesAsTheyAreStored) {
  const Tensor i = host_leaf({2, 3}, int32);
  const Tensor v = host_leaf({6, 8});
  EXPECT_EQ(draws(plan_of(scatter_add(zeros({9, 8}), i, v.reshape(2, 3, 8), 0))), 2);
  EXPECT_EQ(draws(plan_of(scatter_add(zeros({9, 8}), i.reshape(6), v, 0))), 2);
}

TEST(ScatterPlan, AddsElementByElementAlongTheLanes) {
  const auto count = [](const Tensor& y) { return points(plan_of(y)); };
  const Tensor i = host_leaf({5}, int32);
  EXPECT_EQ(count(scatter_add(zeros({7, 8}), i, host_leaf({5, 8}), 0)), 10);
  EXPECT_EQ(count(scatter_add(zeros({7, 6}), i, host_leaf({5, 6}), 0)), 30);
  EXPECT_EQ(count(scatter_add(zeros({8, 7}), i, host_leaf({8, 5}), 1)), 40);
  EXPECT_EQ(count(scatter_add(zeros({7, 8}), host_leaf({5, 8}, int32), host_leaf({5, 8}), 0)), 40);
}

TEST(ScatterPlan, SumsWithoutBlending) {
  const auto scatter = [](DType dtype) {
    return scatter_add(host_leaf({40, 8}, dtype), host_leaf({5}, int32), host_leaf({5, 8}, dtype),
                       0);
  };
  const plan::Plan whole = plan_of(scatter(int32), core::h200());
  EXPECT_EQ(draws(whole), 1);
  EXPECT_EQ(points(whole), 0);
  for (const core::Target& target : {core::webgl1_minimum(), core::es30_minimum()}) {
    EXPECT_EQ(draws(plan_of(scatter(float32), target)), 1);
    EXPECT_EQ(points(plan_of(scatter(float32), target)), 0);
  }
}

TEST(ScatterPlan, RefusesSumsOfTooMuchWork) {
  const Tensor y = scatter_add(host_leaf({1024, 1024}, int32), host_leaf({20'000}, int32),
                               host_leaf({20'000, 1024}, int32), 0);
  EXPECT_EQ(error_of<DeviceError>([&] { plan_of(y); }),
            "trigon::scatter_add: too much work: x is (1024, 1024) int32, each element reads 20000 "
            "indices; the device can't add int32 by blending, so both may multiply to at most "
            "17179869184");
}

TEST(ScatterPlan, RefusesPlacesPastTheShadersIntegers) {
  const Tensor x = host_leaf({60'000, 40'000}), index = host_leaf({1}, int32);
  EXPECT_EQ(error_of<DeviceError>([&] {
              plan_of(scatter_add(x, index, host_leaf({1, 40'000}), 0));
            }),
            "trigon::scatter_add: too many elements for the shader's integers: (60000, 40000) "
            "takes 2621440000 places; at most 2147483647; compute parts of the tensor on their "
            "own");
}

TEST(ScatterPlan, RefusesMorePointsThanADrawHas) {
  const std::int64_t count = std::int64_t{1} << 31;
  const Tensor indices = broadcast_to(host_leaf({1}, int32), {count});
  const Tensor values = broadcast_to(host_leaf({1}), {count});
  EXPECT_EQ(
      error_of<DeviceError>([&] { plan_of(scatter_add(host_leaf({8}), indices, values, 0)); }),
      "trigon::scatter_add: too many updates: 2147483648 points; one draw has at most "
      "2^31 - 1");
}

TEST(ViewPlan, WindowsAndDiagonalsAreReadInPlace) {
  const Tensor x = host_leaf({64, 64});
  EXPECT_EQ(draws(plan_of(exp(diagonal(x, 3)))), 1);
  EXPECT_EQ(draws(plan_of(mean(sliding_window_view(x, 5, 1), -1))), 1);
  EXPECT_EQ(draws(plan_of(max(sliding_window_view(x, {3, 3}), {2, 3}))), 1);
  EXPECT_EQ(draws(plan_of(take_along_axis(x, host_leaf({64, 3}, int32), 1) * 2.0)), 1);
}

TEST(ViewPlan, TheGradientOfWindowsIsOneDraw) {
  const Tensor x = host_leaf({64, 64});
  const auto windows = [](Tensor v) { return sliding_window_view(v, {3, 3}); };
  const auto trace = [](Tensor v) { return diagonal(v, 1); };
  const Tensor dy = host_leaf({62, 62, 3, 3});
  EXPECT_EQ(draws(plan_of(vjp(windows, x).pullback(dy))), 1);
  EXPECT_EQ(draws(plan_of(vjp(trace, x).pullback(host_leaf({63})))), 1);
}

}  // namespace
}  // namespace trigon
