// SPDX-License-Identifier: MIT
#include "support/kernel_interpreter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "core/targets.hpp"
#include "kernel/builder.hpp"
#include "support/plans.hpp"
#include "support/repeat_plan.hpp"

// The interpreter of kernels detects faults: kernels made by hand, some of them wrong.

namespace trigon {
namespace {

using core::Affine;
using core::Layout;
using core::Type;
using kernel::KernelBuilder;
using plan::Plan;
using plan::Step;
using support::HostTexture;
using support::HostTextures;
using support::Number;

const core::Target target = core::h200();

Layout row_of(std::int64_t n) { return core::flat_layout(target, DType::float32, {n}); }

/// A plan of one draw that reads slot 0 and fills slot 1.
Plan plan_of(KernelBuilder& b, const Layout& from, const Layout& to) {
  Step step;
  b.finish(step);
  step.outputs = {{.slot = 1, .layout = to}};
  step.w = to.width;
  step.h = to.height;
  Plan plan;
  plan.slots = 2;
  plan.leaves = {{.node = 0, .slot = 0, .layout = from}};
  plan.stored = {{.node = 1, .slot = 1, .layout = to}};
  plan.steps.push_back(std::move(step));
  return plan;
}

/// Its result for x; "poison" for poison.
std::vector<std::string> results(const Plan& plan, const std::vector<double>& x) {
  const auto leaf = std::make_shared<HostTexture>(target, plan.leaves[0].layout);
  leaf->write(plan.leaves[0].layout, x);
  HostTextures slots{leaf};
  support::KernelInterpreter(target).run(plan, slots, {});
  std::vector<std::string> texts;
  for (const Number& one : slots[1]->read(plan.stored[0].layout)) {
    texts.push_back(one.is_poison ? "poison" : std::to_string(static_cast<int>(one.value)));
  }
  return texts;
}

using Texts = std::vector<std::string>;

/// Copies n elements of a texture of `from` from `shift` on.
Plan copy_of(const Layout& from, std::int64_t n, std::int64_t shift) {
  KernelBuilder b(target);
  const Affine x4 = b.variable(b.base_index(kernel::FragColumn4{}, 0, n));
  b.output(b.load(b.input(0, from), from, x4 + shift), Type::f);
  return plan_of(b, from, row_of(n));
}

TEST(KernelInterpreter, CopiesElements) {
  EXPECT_EQ(results(copy_of(row_of(6), 6, 0), {1, 2, 3, 4, 5, 6}),
            (Texts{"1", "2", "3", "4", "5", "6"}));
  EXPECT_EQ(results(copy_of(row_of(6), 4, 1), {1, 2, 3, 4, 5, 6}), (Texts{"2", "3", "4", "5"}));
}

TEST(KernelInterpreter, PoisonsTheTailOfATexel) {
  EXPECT_EQ(results(copy_of(row_of(6), 8, 0), {1, 2, 3, 4, 5, 6}),
            (Texts{"1", "2", "3", "4", "5", "6", "poison", "poison"}));
}

TEST(KernelInterpreter, PoisonsFetchesFromOutside) {
  EXPECT_EQ(results(copy_of(row_of(4), 4, 4), {1, 2, 3, 4}),
            (Texts{"poison", "poison", "poison", "poison"}));
  EXPECT_EQ(results(copy_of(row_of(4), 8, -4), {1, 2, 3, 4}),
            (Texts{"poison", "poison", "poison", "poison", "1", "2", "3", "4"}));
}

TEST(KernelInterpreter, LetsMasksTakePoisonAway) {
  const Layout from = row_of(6), to = row_of(8);
  KernelBuilder b(target);
  const Affine x4 = b.variable(b.base_index(kernel::FragColumn4{}, 0, 8));
  const std::int32_t x = b.load(b.input(0, from), from, x4);
  b.output(b.select(b.below(x4, {.base = 6}), x, b.constant(9)), Type::f);
  EXPECT_EQ(results(plan_of(b, from, to), {1, 2, 3, 4, 5, 6}),
            (Texts{"1", "2", "3", "4", "5", "6", "9", "9"}));
}

TEST(KernelInterpreter, KeepsPoisonInSums) {
  const Layout from = row_of(2), to = row_of(1);
  KernelBuilder b(target);
  const std::int32_t x =
      b.load(b.input(0, from), from, b.variable(b.base_index(kernel::FragColumn4{}, 0, 4)));
  b.output(
      b.add(kernel::Product{kernel::Product::Form::dots, b.constant(0), x, {x, x, x, x}}, Type::f),
      Type::f);
  EXPECT_EQ(results(plan_of(b, from, to), {1, 2}), (Texts{"poison"}));
}

/// The sum of elements 0 and 4, at the positions 0 and `step`.
Plan sum_of_two(std::int64_t step) {
  const Layout from = row_of(8), to = row_of(1);
  KernelBuilder b(target);
  const int op = find_op("sum")->id;
  const auto reduce = [&](const kernel::Operation& of) {
    return b.add(kernel::Extract{b.add(of, Type::f), 0}, Type::f);
  };
  const std::int32_t block = b.open_block(0);
  const Affine k = b.counter(block, 2);
  const std::int32_t sum = b.carry(block, reduce(kernel::Lift{op}));
  const std::int32_t x = b.load(b.input(0, from), from, k * 4);
  const std::int32_t at = b.add(kernel::IndexValue{b.materialise(k * step)}, Type::f);
  const std::int32_t lifted = reduce(kernel::Lift{op, x, at});
  b.set_carried(block, 0, reduce(kernel::Combine{{sum, lifted}, op}));
  b.set_trips(block, b.scalar({.base = 2, .scale = 0}), 2);
  b.output(reduce(kernel::Finish{{b.result(block, 0)}, op}), Type::f);
  return plan_of(b, from, to);
}

TEST(KernelInterpreter, ReducesInALoop) {
  EXPECT_EQ(results(sum_of_two(1), {1, 2, 3, 4, 50, 6, 7, 8}), (Texts{"51"}));
}

TEST(KernelInterpreter, PoisonsReductionsThatSkipAPosition) {
  EXPECT_EQ(results(sum_of_two(2), {1, 2, 3, 4, 50, 6, 7, 8}), (Texts{"poison"}));
}

TEST(KernelInterpreter, PoisonsReductionsThatCountAPositionTwice) {
  EXPECT_EQ(results(sum_of_two(0), {1, 2, 3, 4, 50, 6, 7, 8}), (Texts{"poison"}));
}

/// The numbers 5, 7 and 9 at the indices 0, 1 and 2: read by a loop's counter, or searched for.
TEST(KernelInterpreter, ReadsTablesAtAnIndex) {
  const std::vector<kernel::FloatExpr> numbers{{5}, {7}, {9}};
  for (const core::Target& device : {core::h200(), core::webgl1_minimum()}) {
    const Layout layout = row_of(3);
    KernelBuilder b(device);
    const Affine x4 = b.variable(b.base_index(kernel::FragColumn4{}, 0, 4));
    const std::int32_t found = b.table(numbers, x4);
    const std::int32_t block = b.open_block(0);
    b.carry(block, b.constant(0));
    b.set_carried(block, 0, b.table(numbers, b.counter(block, 3)));
    b.set_trips(block, b.scalar({.base = 3, .scale = 0}), 3);
    b.output(b.apply(*find_op("add"), Type::f, {found, b.result(block, 0)}), Type::f);
    EXPECT_EQ(results(plan_of(b, layout, layout), {0, 0, 0}), (Texts{"14", "16", "18"}));
  }
}

TEST(KernelInterpreter, RunsLoopsWithinLoops) {
  // Three times: c = (c + x) twice.
  const Layout layout = row_of(2);
  KernelBuilder b(target);
  const Affine x4 = b.variable(b.base_index(kernel::FragColumn4{}, 0, 2));
  const std::int32_t x = b.load(b.input(0, layout), layout, x4);
  const std::int32_t outer = b.open_block(0);
  const std::int32_t total = b.carry(outer, b.constant(0));
  const std::int32_t inner = b.open_block(outer);
  const std::int32_t sum = b.carry(inner, total);
  b.set_carried(inner, 0, b.apply(*find_op("add"), Type::f, {sum, x}));
  b.set_trips(inner, b.scalar({.base = 2, .scale = 0}), 2);
  b.set_carried(outer, 0, b.result(inner, 0));
  b.set_trips(outer, b.scalar({.base = 3, .scale = 0}), 3);
  b.output(b.result(outer, 0), Type::f);
  EXPECT_EQ(results(plan_of(b, layout, layout), {1, 10}), (Texts{"6", "60"}));
}

TEST(KernelInterpreter, ExchangesSumsWithinAQuad) {
  // Two texels side by side: the left one gets both a, the right one both b.
  const Layout layout = row_of(8);
  KernelBuilder b(target);
  const Affine x4 = b.variable(b.base_index(kernel::FragColumn4{}, 0, 8));
  const std::int32_t a = b.load(b.input(0, layout), layout, x4);
  b.output(b.add(kernel::Exchange{a, b.constant(100), kernel::Pair::horizontal}, Type::f), Type::f);
  EXPECT_EQ(results(plan_of(b, layout, layout), {1, 2, 3, 4, 5, 6, 7, 8}),
            (Texts{"6", "8", "10", "12", "200", "200", "200", "200"}));
}

TEST(KernelInterpreter, RefusesWhatNoDeviceForgives) {
  const Plan right = copy_of(row_of(4), 4, 0);
  const std::vector<double> x{1, 2, 3, 4};
  Plan wrong = right;
  wrong.steps[0].outputs[0].slot = 0;
  wrong.steps[0].outputs[0].in_place = true;
  EXPECT_THROW(results(wrong, x), std::logic_error) << "reads what it writes";
  wrong = right;
  wrong.steps[0].inputs[0] = 1;
  EXPECT_THROW(results(wrong, x), std::logic_error) << "reads its own target";
  wrong = right;
  wrong.steps[0].w = 2;
  EXPECT_THROW(results(wrong, x), std::logic_error) << "draws past its target";
  wrong = right;
  wrong.leaves[0].layout.dtype = DType::int32;
  EXPECT_THROW(results(wrong, x), std::logic_error) << "samples integers as floats";
  wrong = sum_of_two(1);
  wrong.steps[0].trips = 1;
  EXPECT_THROW(results(wrong, {1, 2, 3, 4, 5, 6, 7, 8}), std::logic_error) << "runs too long";
}

/// Adds `count` updates to a vector of n elements in place.
Plan points_plan(std::int64_t n, std::int64_t count) {
  Tensor x = host_leaf({n});
  x = scatter_add(x, host_leaf({count}, int32), host_leaf({count}), 0);
  return trigon::plan_of(x, target);
}

/// Its result for elements -0 and updates 1, 2, 3 ...
std::vector<Number> scattered(const Plan& plan, const std::vector<double>& indices,
                              const core::Target& on = target) {
  HostTextures slots(static_cast<std::size_t>(plan.slots));
  const std::int32_t to = plan.steps.back().outputs[0].slot;
  for (const Plan::Binding& leaf : plan.leaves) {
    std::vector<double> values(static_cast<std::size_t>(leaf.layout.shape.numel()), -0.0);
    if (leaf.slot != to) std::iota(values.begin(), values.end(), 1.0);
    const bool names = leaf.layout.dtype == DType::int32;
    const auto texture = std::make_shared<HostTexture>(on, leaf.layout);
    texture->write(leaf.layout, names ? indices : values);
    slots[static_cast<std::size_t>(leaf.slot)] = texture;
  }
  support::KernelInterpreter(on).run(plan, slots, {});
  return slots[static_cast<std::size_t>(plan.stored[0].slot)]->read(plan.stored[0].layout);
}

TEST(KernelInterpreter, AddsPoints) {
  const std::vector<Number> sums = scattered(points_plan(10, 5), {1, -9, 10, -11, 6});
  const std::vector<double> want{0, 3, 0, 0, 0, 0, 5, 0, -0.0, -0.0};
  for (std::size_t k = 0; k < want.size(); ++k) {
    EXPECT_FALSE(sums[k].is_poison);
    EXPECT_EQ(sums[k].value, want[k]) << k;
    EXPECT_EQ(std::signbit(sums[k].value), std::signbit(want[k])) << k;  // a neighbour adds 0
  }
}

TEST(KernelInterpreter, RefusesPointsThatNoDeviceWouldForgive) {
  const Plan right = points_plan(10, 2);
  const std::vector<double> indices{1, 2};
  EXPECT_NO_THROW(scattered(right, indices));
  core::Target other = target;
  other.float_blend = false;
  EXPECT_THROW(scattered(right, indices, other), std::logic_error) << "blends where it can't";
  Plan wrong = right;
  wrong.steps[0].inputs[0] = wrong.steps[0].outputs[0].slot;
  EXPECT_THROW(scattered(wrong, indices), std::logic_error) << "reads its own target";
  wrong = right;
  wrong.steps[0].outputs[0].in_place = false;
  EXPECT_THROW(scattered(wrong, indices), std::logic_error) << "adds to nothing";
  wrong = right;
  wrong.steps[0].ints[kernel::PointsUniforms::starts * 4].base = 400;
  EXPECT_THROW(scattered(wrong, indices), std::logic_error) << "reads past the updates";
  wrong = right;
  wrong.steps[0].w = 2;
  EXPECT_THROW(scattered(wrong, indices), std::logic_error) << "draws into another rectangle";
}

}  // namespace
}  // namespace trigon
