// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <trigon/extend.hpp>

#include "core/layout.hpp"
#include "kernel/builder.hpp"
#include "plan/plan.hpp"

// A plan with a loop, made by hand: no stage of planning makes one from a graph.

namespace trigon::support {

/// The draw of op(x, number) into a texture of the same layout.
inline plan::Step number_step(const core::Target& target, const Op& op, std::int32_t from,
                              std::int32_t to, const core::Layout& layout,
                              const kernel::FloatExpr& number) {
  kernel::KernelBuilder b(target);
  const core::Affine x4 = b.variable(b.base_index(kernel::FragColumn4{}, 0, layout.shape.numel()));
  const std::int32_t x = b.load(b.input(from, layout), layout, x4);
  b.output(b.apply(op, core::Type::f, {x, b.float_uniform(number)}), core::Type::f);
  plan::Step step;
  b.finish(step);
  step.label = op.name;
  step.outputs = {{.slot = to, .layout = layout}};
  step.w = layout.width;
  step.h = layout.height;
  step.fragments = layout.width * layout.height;
  return step;
}

/// x = x * 0.5 + t for t = 0, 1, ... iterations - 1, over n floats in one texture row. Slot 0 has
/// x, slot 1 the x of the iteration before, slot 2 the product. Scalar 0 is the number of
/// iterations, at most 100, and scalar 1 counts them.
inline plan::Plan repeat_plan(const core::Target& target, std::int64_t n) {
  const core::Layout layout = core::flat_layout(target, DType::float32, {n});
  plan::Step loop;
  loop.label = "repeat";
  loop.repeats = {.scalar = 0, .high = 100};
  loop.counter = 1;
  loop.body = {number_step(target, *find_op("multiply"), 0, 2, layout, {.value = 0.5}),
               number_step(target, *find_op("add"), 2, 1, layout, {.scalar = 1})};
  loop.trades = {{0, 1}};
  plan::Plan plan;
  plan.slots = 3;
  plan.leaves = {{.node = 0, .slot = 0, .layout = layout}};
  plan.stored = {{.node = 1, .slot = 0, .layout = layout}};
  plan.steps.push_back(std::move(loop));
  plan::fill_last_use(plan);
  return plan;
}

/// Its result for x.
inline std::vector<double> repeated(std::vector<double> x, int iterations) {
  for (double& v : x) {
    for (int t = 0; t < iterations; ++t) v = v * 0.5 + t;
  }
  return x;
}

}  // namespace trigon::support
