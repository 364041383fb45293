// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "pipeline/describe.hpp"
#include "pipeline/plan_record.hpp"
#include "support/explained.hpp"
#include "support/plans.hpp"
#include "support/repeat_plan.hpp"

// The text of explain().

namespace trigon {
namespace {

using Tensors = std::vector<Tensor>;

TEST(Explain, Softmax) {
  EXPECT_EQ(draws_of({nn::softmax(host_leaf({64, 256}))}),
            R"(plan: 2 draws, 2 programs, about 146.9 us
  draw 0: max_sumexp
    reads  t0
    t1     (2, 64, 1) float32, max_sumexp: the result of a reduction or product; read by 1 draw
    costs  63.8 us: 16 x 4 fragments, 1 target; each 792 instructions, 64 fetches, 64 iterations
    glsl   about 58 ms to compile
  draw 1: subtract, exp, divide
    reads  t0 t1
    t2     (64, 256) float32, divide: asked for
    costs  83.1 us: 64 x 64 fragments, 1 target; each 16 instructions, 2 fetches
    glsl   about 38 ms to compile
    split  it has other elements than the draw whose results it reads
total
  draws                      2
  programs                   2
  fragments               4160
  fetches                12288
  multiply-adds              0
  instructions              52
  peak bytes             66560
  microseconds           146.9
  compile ms                95
)");
}

TEST(Explain, ASharedStencil) {
  const Tensor x = host_leaf({64, 64});
  Tensor y = x;
  for (int k = 0; k < 3; ++k) {
    const Tensor scale = exp(sin(y));  // first: compilers differ in the order of operands
    const Tensor p = pad(tanh(y) * scale, std::vector<PadWidth>{{1, 1}, {0, 0}});
    y = p[Slice{0, 64}] + p[Slice{1, 65}] + p[Slice{2, 66}];
  }
  EXPECT_EQ(draws_of({y}), R"(plan: 4 draws, 3 programs, about 243.4 us
  draw 0: sin, exp, tanh, multiply
    reads  t0
    t1     (64, 64) float32, multiply: recomputing it would take too long to compile; read by 1 draw
    costs  57.4 us: 16 x 64 fragments, 1 target; each 9 instructions, 1 fetch
    glsl   about 53 ms to compile
  draw 1: pad, add 2, sin, exp, tanh, multiply
    reads  t1
    t2     (64, 64) float32, multiply: recomputing it would take too long to compile; read by 1 draw
    costs  62.1 us: 16 x 64 fragments, 1 target; each 23 instructions, 3 fetches
    glsl   about 64 ms to compile
    split  it reads results of another draw at other indices than its own
  draw 2: pad, add 2, sin, exp, tanh, multiply
    reads  t2
    t3     (64, 64) float32, multiply: recomputing it would take too long to compile; read by 1 draw
    costs  62.1 us: 16 x 64 fragments, 1 target; each 23 instructions, 3 fetches
    glsl   that of draw 1
    split  it reads results of another draw at other indices than its own
  draw 3: pad, add 2
    reads  t3
    t4     (64, 64) float32, add: asked for
    costs  61.7 us: 16 x 64 fragments, 1 target; each 19 instructions, 3 fetches
    glsl   about 37 ms to compile
    split  it reads results of another draw at other indices than its own
total
  draws                      4
  programs                   3
  fragments               4096
  fetches                10240
  multiply-adds              0
  instructions              74
  peak bytes             32768
  microseconds           243.4
  compile ms               153
)");
}

TEST(Explain, ThreeRootsOfAnOptimizer) {
  Tensor p = host_leaf({64, 64}), m = host_leaf({64, 64}), v = host_leaf({64, 64});
  const Tensor g = host_leaf({64, 64});
  m = m * 0.9 + g * 0.1;
  v = v * 0.999 + g * g * 0.001;
  const Tensor root = sqrt(v) + 1e-8;
  p = p - 0.001 * m / root;
  EXPECT_EQ(draws_of({p, m, v}), R"(plan: 1 draw, 1 program, about 70.3 us
  draw 0: multiply 6, add 3, sqrt, divide, subtract
    reads  t1 t3 t2 t0
    t4     (64, 64) float32, add: asked for
    t5     (64, 64) float32, add: asked for
           in this draw as it has the same elements
    t6     (64, 64) float32, subtract: asked for
           in this draw as it goes on from values above at its own index
    costs  70.3 us: 16 x 64 fragments, 3 targets; each 31 instructions, 4 fetches
    glsl   about 79 ms to compile
total
  draws                      1
  programs                   1
  fragments               1024
  fetches                 4096
  multiply-adds              0
  instructions              31
  peak bytes             49152
  microseconds            70.3
  compile ms                79
)");
  EXPECT_EQ(draws_of({p, m, v}, core::llvmpipe_webgl1()),
            R"(plan: 3 draws, 3 programs, about 180.7 us
  draw 0: multiply 2, add
    reads  t1 t3
    t4     (64, 64) float32, add: asked for; read by 1 draw
    costs  59.5 us: 16 x 64 fragments, 1 target; each 13 instructions, 2 fetches
    glsl   about 38 ms to compile
  draw 1: multiply 3, add
    reads  t2 t3
    t5     (64, 64) float32, add: asked for; read by 1 draw
    costs  59.6 us: 16 x 64 fragments, 1 target; each 14 instructions, 2 fetches
    glsl   about 39 ms to compile
    split  the device's draws have too few targets to share one
  draw 2: sqrt, add, multiply, divide, subtract
    reads  t0 t4 t5
    t6     (64, 64) float32, subtract: asked for
    costs  61.6 us: 16 x 64 fragments, 1 target; each 18 instructions, 3 fetches
    glsl   about 48 ms to compile
    split  the device's draws have too few targets to share one
total
  draws                      3
  programs                   3
  fragments               3072
  fetches                 7168
  multiply-adds              0
  instructions              45
  peak bytes             49152
  microseconds           180.7
  compile ms               125
)");
}

TEST(Explain, ALongChain) {
  Tensor o = host_leaf({64, 64}), t = host_leaf({64, 64});
  std::vector<Tensor> kept;  // so that the steps do not become a loop
  for (int step = 0; step < 60; ++step) {
    o = o - 0.01 * sin(t);
    t = t + 0.01 * o;
    kept.push_back(0.01 * o);
  }
  const std::string text = draws_of({t});
  EXPECT_EQ(text.substr(0, text.find("  draw 2:")), R"(plan: 15 draws, 2 programs, about 956.8 us
  draw 0: sin 4, multiply 8, subtract 4, add 4
    reads  t0 t1
    t2     (64, 64) float32, subtract: cut here: its reader's kernel would be too long; read by )"
                                                    R"(1 draw
    t3     (64, 64) float32, add: cut here: its reader's kernel would be too long; read by 1 draw
           in this draw as it goes on from values above at its own index
    costs  64.0 us: 16 x 64 fragments, 2 targets; each 29 instructions, 2 fetches
    glsl   about 110 ms to compile
  draw 1: sin 4, multiply 8, subtract 4, add 4
    reads  t2 t3
    t4     (64, 64) float32, subtract: cut here: its reader's kernel would be too long; read by )"
                                                    R"(1 draw
    t5     (64, 64) float32, add: cut here: its reader's kernel would be too long; read by 1 draw
           in this draw as it goes on from values above at its own index
    costs  64.0 us: 16 x 64 fragments, 2 targets; each 29 instructions, 2 fetches
    glsl   that of draw 0
    split  together with an earlier draw its kernel would be too long
)");
  std::size_t equal = 0;
  for (std::size_t at = 0; (at = text.find("that of draw 0", at)) != std::string::npos; ++at)
    ++equal;
  EXPECT_EQ(equal, 13);
}

TEST(Explain, ARolledChain) {
  Tensor o = host_leaf({64, 64}), t = host_leaf({64, 64});
  for (int step = 0; step < 60; ++step) {
    o = o - 0.01 * sin(t);
    t = t + 0.01 * o;
  }
  EXPECT_EQ(draws_of({o, t}), R"(plan: 1 draw, 1 program, about 105.2 us
  draw 0: loop 2
    reads  t0 t1
    t2     (64, 64) float32, loop: asked for
    t3     (64, 64) float32, loop: asked for
           in this draw as it has the same elements
    costs  105.2 us: 16 x 64 fragments, 2 targets; each 432 instructions, 2 fetches, 60 iterations
    glsl   about 54 ms to compile
    note   60 equal iterations, rolled into a loop
    note   the loop stands in the kernel: the elements of (64, 64) do not depend on each other
total
  draws                      1
  programs                   1
  fragments               1024
  fetches                 2048
  multiply-adds              0
  instructions              19
  peak bytes             32768
  microseconds           105.2
  compile ms                54
)");
}

TEST(Explain, AProductWithACopyAndAnEpilogue) {
  const Tensor a = host_leaf({3, 5}), b = host_leaf({5, 7});
  EXPECT_EQ(draws_of({tanh(matmul(a, b) + 1.0), sum(a, 0)}),
            R"(plan: 4 draws, 3 programs, about 208.3 us
  draw 0: copy (3, 5) float32
    reads  t0
    t2     (3, 5) float32
    costs  52.1 us: 2 x 3 fragments, 1 target; each 8 instructions, 4 fetches
    glsl   about 33 ms to compile
    note   copies a (3, 5) operand: its inner axis does not lie in whole texels
    note   copies a (5, 7) operand: neither of its axes lies in whole texels
  draw 1: copy (5, 7) float32
    reads  t1
    t3     (5, 7) float32
    costs  52.1 us: 2 x 5 fragments, 1 target; each 8 instructions, 4 fetches
    glsl   that of draw 0
  draw 2: matmul, add, tanh
    reads  t3 t2
    t4     (3, 7) float32 in 4 layers, tanh: asked for
    costs  52.1 us: 2 x 1 fragments, 4 targets; each 100 instructions, 16 fetches, 2 iterations)"
            R"(, 128 multiply-adds
    glsl   about 96 ms to compile
  draw 3: sum
    reads  t0
    t5     (5,) float32, sum: asked for
    costs  52.1 us: 2 x 1 fragments, 1 target; each 42 instructions, 12 fetches, 3 iterations
    glsl   about 37 ms to compile
    split  no earlier draw that could wait for it has the same elements
total
  draws                      4
  programs                   3
  fragments                 20
  fetches                  120
  multiply-adds            256
  instructions             100
  peak bytes               384
  microseconds           208.3
  compile ms               166
)");
}

TEST(Explain, AScatter) {
  const Tensor x = host_leaf({100, 8}), v = host_leaf({20, 8}), i = host_leaf({20}, int32);
  EXPECT_EQ(draws_of({scatter_add(x, i, v, 0) * 2.0}), R"(plan: 3 draws, 3 programs, about 166.6 us
  draw 0: copy (100, 8) float32
    reads  t0
    t3     (100, 8) float32
    costs  57.0 us: 1024 x 1 fragments, 1 target; each 5 instructions, 1 fetch
    glsl   about 26 ms to compile
    note   copies (100, 8) for a scatter: it is still referred to
  points 1: scatter
    reads  t1 t2
    t3     (100, 8) float32 in place, scatter: it changes a stored tensor; read by 1 draw
    costs  52.4 us: 40 points, 1 target; each 0 instructions, 2 fetches
  draw 2: multiply
    reads  t3
    t4     (100, 8) float32, multiply: asked for
    costs  57.2 us: 1024 x 1 fragments, 1 target; each 7 instructions, 1 fetch
    glsl   about 28 ms to compile
    split  it reads the result of a write, a scatter or a loop, which has a draw of its own
total
  draws                      3
  programs                   3
  fragments               2088
  fetches                 2128
  multiply-adds              0
  instructions              12
  peak bytes             32768
  microseconds           166.6
  compile ms                76
)");
}

TEST(Explain, AView) {
  EXPECT_EQ(draws_of({host_leaf({8, 8}).reshape(4, 16)}), R"(plan: 0 draws, 0 programs, about 0.0 us
  no draw: t0 seen as (4, 16): asked for
total
  draws                      0
  programs                   0
  fragments                  0
  fetches                    0
  multiply-adds              0
  instructions               0
  peak bytes                 0
  microseconds             0.0
  compile ms                 0
)");
}

TEST(Explain, ADrawIntoLayers) {
  const Tensor row = host_leaf({8192});
  EXPECT_EQ(draws_of({host_leaf({3000, 8192}) + row}, core::es30_minimum()),
            R"(plan: 2 draws, 1 program, about 4049.0 us
  draw 0 x 2: add
    reads  t1 t0
    t2     (3000, 8192) float32 in 2 layers, add: asked for
    costs  4049.0 us: 2048 x 2048 fragments in 2 draws, 1 target; each 11 instructions, 2 fetches
    glsl   about 12 ms to compile
total
  draws                      2
  programs                   1
  fragments            8388608
  fetches             16777216
  multiply-adds              0
  instructions              11
  peak bytes         134217728
  microseconds          4049.0
  compile ms                12
)");
}

TEST(Explain, ALoopOfSteps) {
  const plan::Plan plan = support::repeat_plan(core::llvmpipe(), 400);
  EXPECT_EQ(
      pipeline::describe_plan(plan, {}, core::llvmpipe_costs, std::vector<double>{7, -1}, false),
      R"(plan: 14 draws, 2 programs, about 735.1 us
  repeat 0: now 7 iterations of 2 steps
    trades t0 and t1 after each iteration
    draw 0.0: multiply
      reads  t0
      t2     (400,) float32
      costs  52.5 us: 100 x 1 fragments, 1 target; each 7 instructions, 1 fetch
      glsl   about 28 ms to compile
    draw 0.1: add
      reads  t2
      t1     (400,) float32
      costs  52.5 us: 100 x 1 fragments, 1 target; each 7 instructions, 1 fetch
      glsl   about 28 ms to compile
total
  draws                     14
  programs                   2
  fragments               1400
  fetches                 1400
  multiply-adds              0
  instructions              14
  peak bytes              3200
  microseconds           735.1
  compile ms                56
)");
}

TEST(Explain, NamesTheLoopThatAResultIsOf) {
  const Tensor x = fori_loop(
      0, 20, [](const Tensor& k, const Tensor& y) { return sin(y) + k; }, host_leaf({64}));
  EXPECT_NE(draws_of({sum(x * 2.0)}).find("loop: the result of a loop; read by 1 draw"),
            std::string::npos);
}

TEST(Explain, NamesEachReasonOnce) {
  const std::string text = draws_of({sum(host_leaf({4, 8}), 1) * 2.0});
  EXPECT_EQ(text.find("multiply: asked for"), text.rfind("multiply: asked for"));
  EXPECT_NE(text.find("multiply: asked for"), std::string::npos);
}

TEST(Explain, AGroupThatIsCutForTheDevice) {
  core::Target target = core::webgl1_minimum();
  target.uniform_vectors = 4;
  Tensor x = host_leaf({6, 10});
  for (int k = 0; k < 12; ++k) x = x * (1.5 + k) + (0.25 + k);
  const std::string text = draws_of({x}, target);
  EXPECT_NE(text.find("cut here: its reader's kernel passed the device's limits"),
            std::string::npos);
  EXPECT_NE(text.find("split  a kernel for all of it passed the device's limits"),
            std::string::npos);
}

TEST(CostOf, ALoopOfStepsCountsItsIterations) {
  const plan::Plan plan = support::repeat_plan(core::h200(), 400);
  const std::int64_t texels = plan.leaves[0].layout.width;
  for (const int iterations : {0, 1, 7}) {
    const Cost cost = pipeline::cost_of(
        plan, std::vector<double>{static_cast<double>(iterations), -1}, core::gpu_costs);
    EXPECT_EQ(cost.draws, 2 * iterations);
    EXPECT_EQ(cost.fragments, 2 * iterations * texels);
    EXPECT_EQ(cost.fetches, 2 * iterations * texels);
    EXPECT_EQ(cost.programs, 2);
    EXPECT_EQ(cost.peak_bytes, plan.peak_bytes);
    const auto& body = plan.steps[0].body;
    EXPECT_EQ(cost.instructions,
              std::ssize(body[0].kernel->code) + std::ssize(body[1].kernel->code));
  }
}

TEST(CostOf, ALoopOfUnknownLengthCountsItsLongest) {
  EXPECT_EQ(pipeline::cost_of(support::repeat_plan(core::h200(), 400), {}, core::gpu_costs).draws,
            200);
}

TEST(CostOf, ALoopWithinCountsItsLongestWhereTheOuterCounterSaysIt) {
  plan::Plan plan = support::repeat_plan(core::h200(), 400);
  plan::Step outer;
  outer.repeats = {.base = 5};
  outer.counter = 0;  // the length of the loop within
  outer.body = std::move(plan.steps);
  plan.steps.clear();
  plan.steps.push_back(std::move(outer));
  EXPECT_EQ(pipeline::cost_of(plan, std::vector<double>{3, -1}, core::gpu_costs).draws,
            5 * 100 * 2);
}

TEST(CostOf, PointsAreFragmentsOfAProgram) {
  const Tensor x = host_leaf({100, 8}), v = host_leaf({20, 8}), i = host_leaf({20}, int32);
  const Cost cost =
      pipeline::cost_of(plan_of(scatter_add(x, i, v, 0), core::llvmpipe()), {}, core::gpu_costs);
  EXPECT_EQ(cost.draws, 2);
  EXPECT_EQ(cost.programs, 2);
  EXPECT_EQ(cost.fragments, 1024 + 40);
}

/// A step that writes the value of a node over the texture in a slot.
plan::Step write_step(std::int32_t node, std::int32_t slot) {
  plan::Step step = support::number_step(core::h200(), *find_op("add"), 3, slot,
                                         core::flat_layout(core::h200(), float32, {8}), {});
  step.outputs[0].in_place = true;
  step.node = node;
  return step;
}

/// (node, slot) of values written in place.
std::vector<std::pair<std::int32_t, std::int32_t>> written(const plan::Plan& plan,
                                                           std::size_t steps, int iterations) {
  std::vector<std::pair<std::int32_t, std::int32_t>> result;
  const std::vector<double> scalars{static_cast<double>(iterations), -1};
  for (const auto& binding : plan::values_in_place(plan, steps, scalars)) {
    result.emplace_back(binding.node, binding.slot);
  }
  return result;
}
using Written = std::vector<std::pair<std::int32_t, std::int32_t>>;

TEST(ValuesInPlace, AreThoseOfTheLastWrites) {
  plan::Plan plan;
  for (const std::int32_t node : {4, 5, 6})
    plan.steps.push_back(write_step(node, node == 6 ? 1 : 0));
  EXPECT_EQ(written(plan, 0, 0), Written{});
  EXPECT_EQ(written(plan, 1, 0), (Written{{4, 0}}));
  EXPECT_EQ(written(plan, 2, 0), (Written{{5, 0}}));
  EXPECT_EQ(written(plan, 3, 0), (Written{{5, 0}, {6, 1}}));
}

TEST(ValuesInPlace, OfALoopLieWhereItsTradesLeaveThem) {
  plan::Plan plan = support::repeat_plan(core::h200(), 8);
  plan.steps[0].body = {write_step(7, 0), write_step(-1, 1)};
  EXPECT_EQ(written(plan, 0, 3), Written{});
  EXPECT_EQ(written(plan, 1, 0), Written{});
  EXPECT_EQ(written(plan, 1, 1), (Written{{7, 1}}));
  EXPECT_EQ(written(plan, 1, 3), (Written{{7, 1}}));
  plan.steps[0].trades.clear();
  EXPECT_EQ(written(plan, 1, 3), (Written{{7, 0}}));
}

}  // namespace
}  // namespace trigon
