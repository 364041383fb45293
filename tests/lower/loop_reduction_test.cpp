// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <trigon/trigon.hpp>

#include "kernel/compiled.hpp"
#include "support/rolls.hpp"

// Short reductions in the body of a loop: unrolled, or loops within its kernel if unrolling takes
// too long to compile.

namespace trigon {
namespace {

core::Costs free_compiles() {
  core::Costs costs = core::llvmpipe_costs;
  costs.compile_program = costs.compile_operation = costs.compile_square = 0;
  costs.compile_floats = costs.compile_loops = 0;
  return costs;
}

/// Loops in the kernels of a plan, one within the other or side by side.
std::int64_t loops_with(const Program& program, const core::Costs& costs) {
  const Target target = core::llvmpipe();
  const Tensors roots = program(planned_leaf);
  const plan::Plan plan = pipeline::make_plan(graph_of(roots, target), target, costs);
  std::int64_t most = 0;
  for (const plan::Step& step : plan.steps) {
    if (step.kernel != nullptr) most = std::max(most, compiled(*step.kernel).loops);
  }
  return most;
}

/// Chains of letters: each is drawn from the row of the one before.
Program chains(const Shape& elements) {
  return [elements](const Leaf& leaf) {
    const Tensor table = leaf({9, 11}, float32);
    Shape shape = elements;
    shape.insert(0, 7);
    shape.insert(shape.rank(), 11);
    const auto step = [&](const Tensor& letter, const Tensor& x) {
      const Tensor weights = take(table, letter, 0) + x;
      const Tensor next = minimum(argmax(weights, -1), 8);
      return std::pair(next, std::pair(next, max(weights, -1)));
    };
    const auto [last, all] = scan(step, zeros(elements, int32), leaf(shape, float32));
    return Tensors{last, all.first, all.second};
  };
}

TEST(LoopReductions, AreLoopsWhereTheyTakeLongToCompile) {
  for (const Shape& elements : {Shape{}, Shape{6}, Shape{3, 2}}) {
    const Program program = chains(elements);
    EXPECT_EQ(loops_with(program, free_compiles()), 1);
    EXPECT_EQ(loops_with(program, slow_compiles()), 3);
    for (const Target& target : {core::llvmpipe(), core::llvmpipe_webgl1()}) {
      expect_equal(values_on(program, target, slow_compiles()),
                   values_on(program, target, free_compiles()));
    }
  }
}

TEST(LoopReductions, OfRegistersAreUnrolled) {
  // Each of nine carried values is a register, which has no index.
  const Program program = [](const Leaf& leaf) {
    const auto step = [](const Tensor&, const Tensor& s) { return s * 0.5 + max(s, 1, true); };
    return Tensors{fori_loop(0, 5, step, leaf({6, 9}, float32))};
  };
  EXPECT_EQ(loops_with(program, slow_compiles()), 1);
  expect_equal(values_on(program, core::llvmpipe(), slow_compiles()),
               values_on(program, core::llvmpipe(), free_compiles()));
}

}  // namespace
}  // namespace trigon
