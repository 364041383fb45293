// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/plans.hpp"
#include "support/tiny_target.hpp"

// Scans whose elements do not depend on each other: steps that share a draw.

namespace trigon {
namespace {

using core::Target;
using plan::Plan;
using plan::Step;
using Two = std::pair<Tensor, Tensor>;
using Scanned = ScanResult<Tensor, Tensor>;

/// The draws that a step makes, those of a loop as often as it runs.
std::int64_t all_draws(const Step& step) {
  if (!step.is_repeat()) return step.draws;
  std::int64_t iteration = 0;
  for (const Step& inner : step.body) iteration += all_draws(inner);
  const std::int64_t iterations = step.repeats.base;
  return (iterations + step.chunk - 1) / step.chunk * iteration;
}
std::int64_t all_draws(const Plan& plan) {
  std::int64_t sum = 0;
  for (const Step& step : plan.steps) sum += all_draws(step);
  return sum;
}

/// The last carry and the outputs of a scan with one of each.
Scanned scanned(std::int64_t iterations, const Shape& elements) {
  Shape shape = elements;
  shape.insert(0, iterations);
  const auto f = [](const Tensor& s, const Tensor& x) {
    const Tensor next = s * 0.9 + x;
    return Two(next, next * 2.0);
  };
  return scan(f, host_leaf(elements), host_leaf(shape));
}
Plan plan_of_scan(std::int64_t iterations, const Shape& elements, const Target& target) {
  const Scanned both = scanned(iterations, elements);
  return plan_of(std::array{both.state, both.outputs}, target);
}

TEST(ScanPlan, ADrawDoesAsManyStepsAsItHasTargets) {
  for (const Shape& elements : {Shape{4096}, Shape{4097}, Shape{60, 70}}) {
    EXPECT_EQ(all_draws(plan_of_scan(256, elements, core::h200())), 37) << to_string(elements);
    EXPECT_EQ(all_draws(plan_of_scan(7, elements, core::h200())), 1) << to_string(elements);
    EXPECT_EQ(all_draws(plan_of_scan(8, elements, core::h200())), 2) << to_string(elements);
    EXPECT_EQ(all_draws(plan_of_scan(1, elements, core::h200())), 1) << to_string(elements);
  }
  // Four targets: a carry and three steps.
  EXPECT_EQ(all_draws(plan_of_scan(200, {4096}, core::es30_minimum())), 67);
}

TEST(ScanPlan, ResultsThatAreNotAskedForTakeNoTarget) {
  const Scanned both = scanned(8, {4096});
  EXPECT_EQ(all_draws(plan_of(both.outputs, core::h200())), 1);
  EXPECT_EQ(all_draws(plan_of(both.state, core::h200())), 1);
  const auto f = [](const std::array<Tensor, 3>& s, const Tensor& x) {
    return std::pair(std::array{s[0] * 0.5 + x, s[1] + s[0], s[2] - s[1]}, Two(s[0] * 2.0, s[2]));
  };
  const std::array init{host_leaf({4096}), host_leaf({4096}), host_leaf({4096})};
  const auto [last, ys] = scan(f, init, host_leaf({70, 4096}));
  // The first output needs the first carry, the second one all of them.
  EXPECT_EQ(all_draws(plan_of(ys.first, core::h200())), 10);
  EXPECT_EQ(all_draws(plan_of(ys.second, core::h200())), 14);
  EXPECT_EQ(all_draws(plan_of(std::array{ys.first, ys.second}, core::h200())), 35);
}

TEST(ScanPlan, AsManyCarriesAsTargetsHaveADrawOfTheirOwn) {
  std::vector<Tensor> init;
  for (int k = 0; k < 8; ++k) init.push_back(host_leaf({4096}));
  const auto f = [](std::vector<Tensor> s, const Tensor& x) {
    s[0] = s[0] * 0.5 + s[7] + x;
    for (std::size_t k = 1; k < s.size(); ++k) s[k] = s[k] + s[k - 1];
    Tensor y = s[7] * 2.0;
    return std::pair(std::move(s), y);
  };
  const Tensor ys = scan(f, init, host_leaf({80, 4096})).outputs;
  // Eight steps by two draws.
  EXPECT_EQ(all_draws(plan_of(ys, core::h200())), 20);
}

TEST(ScanPlan, OutputsLieInLayersAfterThoseThatNoStepFills) {
  const Plan plan = plan_of_scan(256, {4096}, core::h200());
  ASSERT_EQ(plan.steps.size(), 2u);
  const Step& first = plan.steps[0];
  ASSERT_EQ(first.outputs.size(), 2u);
  const core::Layout& layout = first.outputs[0].layout;
  EXPECT_EQ(layout.shape, (Shape{256, 4096}));
  EXPECT_EQ(layout.layers, 259);
  EXPECT_EQ(layout.offset, 3 * layout.strides[0]);
  EXPECT_EQ(first.outputs[0].attachments, 7);
  EXPECT_EQ(first.trips, 4);
  const Step& repeat = plan.steps[1];
  ASSERT_TRUE(repeat.is_repeat());
  EXPECT_EQ(repeat.repeats.base, 36);
  ASSERT_EQ(repeat.body.size(), 1u);
  const Step& draw = repeat.body[0];
  EXPECT_EQ(draw.trips, 7);
  EXPECT_EQ(draw.outputs[0].slot, first.outputs[0].slot);
  EXPECT_TRUE(draw.outputs[0].in_place);
  std::vector<double> scalars(static_cast<std::size_t>(plan.scalars), 0);
  scalars[static_cast<std::size_t>(repeat.counter)] = 35;
  EXPECT_EQ(value_of(draw.outputs[0].first_layer, scalars), 252);
  EXPECT_FALSE(draw.outputs[1].in_place);
  EXPECT_EQ(repeat.trades.size(), 1u);
}

TEST(ScanPlan, StepsGoOneByOneWhereLayersOrTargetsAreTooFew) {
  const auto notes_of = [](const Target& target) {
    const Plan plan = plan_of_scan(100, {4096}, target);
    return plan.notes.empty() ? std::string() : plan.notes.back();
  };
  const std::string why =
      "one iteration after the other: a draw has too few targets or layers for more than one row "
      "of its outputs";
  Target target = core::h200();
  target.draw_buffers = 1;
  EXPECT_EQ(notes_of(target), why);
  EXPECT_EQ(notes_of(core::llvmpipe_webgl1()), why);
  target.draw_buffers = 2;
  EXPECT_EQ(notes_of(target), "a step per draw: each of their outputs has a target");
  EXPECT_EQ(notes_of(core::h200()), "7 steps per draw: each of their outputs has a target");
}

TEST(ScanPlan, FewElementsBeginEachStepWithTheFirst) {
  for (const Shape& elements : {Shape{}, Shape{5}}) {
    const Scanned both = scanned(64, elements);
    const Plan plan = plan_of(both.outputs, core::h200());
    ASSERT_EQ(plan.steps.size(), 1u);
    EXPECT_EQ(plan.steps[0].trips, 64);
    EXPECT_EQ(plan.notes.back(),
              "each of the 64 steps begins with the first one: that costs less than further draws");
    // The last carry has a draw of its own.
    EXPECT_EQ(all_draws(plan_of(std::array{both.state, both.outputs}, core::h200())), 2);
  }
  Target target = core::h200();
  target.trip_limit = 63;
  EXPECT_EQ(all_draws(plan_of(scanned(64, {}).outputs, target)), 10);
}

TEST(ScanPlan, FewLayersHoldTheOutputsOfDrawsBelowEachOther) {
  Target target = core::h200();
  target.max_layers = 99;
  const Plan plan = plan_of_scan(100, {4096}, target);
  // The carry lies elsewhere, so it has a separate draw.
  EXPECT_EQ(all_draws(plan), 26);
  const core::Layout& layout = plan.steps[0].outputs[0].layout;
  EXPECT_EQ(layout.layers, 8);
  EXPECT_EQ(layout.height, 13 * layout.slab);
  EXPECT_EQ(layout.offset, 4 * layout.strides[0]);
  // 10,000 steps are linear in time: no draw copies the rows before.
  EXPECT_EQ(all_draws(plan_of_scan(10'000, {64}, core::h200())), 2'500);
}

TEST(ScanPlan, AProgramServesAllNumbersOfSteps) {
  const Plan a = plan_of_scan(100, {4096}, core::h200());
  const Plan b = plan_of_scan(1'500, {4096}, core::h200());
  EXPECT_EQ(*a.steps[0].kernel, *b.steps[0].kernel);
  EXPECT_EQ(*a.steps[1].body[0].kernel, *b.steps[1].body[0].kernel);
}

}  // namespace
}  // namespace trigon
