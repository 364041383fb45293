// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "core/targets.hpp"
#include "support/kernel_interpreter.hpp"
#include "support/repeat_plan.hpp"

// Loops of steps in a plan.

namespace trigon {
namespace {

using support::HostTexture;
using support::HostTextures;
using support::repeat_plan;

std::vector<double> run_repeat(const core::Target& target, const std::vector<double>& x,
                               int iterations) {
  const plan::Plan plan = repeat_plan(target, static_cast<std::int64_t>(x.size()));
  const core::Layout& layout = plan.leaves[0].layout;
  const auto leaf = std::make_shared<HostTexture>(target, layout);
  leaf->write(layout, x);
  HostTextures slots{leaf};
  support::KernelInterpreter(target).run(plan, slots, {static_cast<double>(iterations), -1});
  std::vector<double> result, kept;
  for (const support::Number& one : slots[0]->read(layout)) {
    EXPECT_FALSE(one.is_poison);
    result.push_back(one.value);
  }
  for (const support::Number& one : leaf->read(layout)) kept.push_back(one.value);
  EXPECT_EQ(kept, x) << "a leaf is overwritten";
  return result;
}

TEST(Repeat, RunsItsBodyWithTheCounter) {
  const std::vector<double> x{1, -2, 3, 0.5, 7};
  for (const int iterations : {0, 1, 2, 7}) {
    for (const core::Target& target : {core::webgl1_minimum(), core::llvmpipe(), core::h200()}) {
      EXPECT_EQ(run_repeat(target, x, iterations), support::repeated(x, iterations)) << iterations;
    }
  }
}

TEST(Repeat, TakesItsCountFromItsExpression) {
  EXPECT_EQ(run_repeat(core::h200(), {1}, 1000), support::repeated({1}, 100));
  EXPECT_EQ(run_repeat(core::h200(), {1}, -5), support::repeated({1}, 0));
}

TEST(Repeat, IsTheLastUseOfWhatItsBodyMakes) {
  const plan::Plan plan = repeat_plan(core::h200(), 5);
  EXPECT_EQ(plan.steps[0].last_use, (std::vector<std::int32_t>{1, 2}));
}

TEST(Repeat, KeepsWhatALaterStepReads) {
  plan::Plan plan = repeat_plan(core::h200(), 5);
  const core::Layout layout = plan.leaves[0].layout;
  plan.steps[0].last_use.clear();
  plan.steps.push_back(
      support::number_step(core::h200(), *find_op("add"), 1, 3, layout, {.value = 1}));
  plan.slots = 4;
  plan::fill_last_use(plan);
  EXPECT_EQ(plan.steps[0].last_use, (std::vector<std::int32_t>{2}));
  EXPECT_EQ(plan.steps[1].last_use, (std::vector<std::int32_t>{1, 3}));
}

TEST(Repeat, CountsTheTexturesOfItsBodyOnce) {
  const plan::Plan plan = repeat_plan(core::h200(), 4000);
  EXPECT_EQ(plan.peak_bytes, 2 * 16000);
}

TEST(Repeat, HasTheSameProgramsForAllSizesAndCounts) {
  const plan::Plan a = repeat_plan(core::h200(), 8);
  const plan::Plan b = repeat_plan(core::h200(), 4000);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(*a.steps[0].body[k].kernel, *b.steps[0].body[k].kernel);
    EXPECT_EQ(a.steps[0].body[k].kernel->hash, b.steps[0].body[k].kernel->hash);
  }
  EXPECT_NE(a.steps[0].body[0].kernel->hash, a.steps[0].body[1].kernel->hash);
}

}  // namespace
}  // namespace trigon
