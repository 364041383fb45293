// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <trigon/trigon.hpp>

#include "support/rolls.hpp"

// Numbers and slices that change from step to step of a plain C++ loop that becomes one of the
// graph.

namespace trigon {
namespace {

// ---- Constants

TEST(RollSteps, CountsConstantsThatAreAProgression) {
  const auto halves = [](const Tensor& x, const Tensor& y, int step) {
    return (x + y) * 0.5 + 0.5 * (step - 7);
  };
  const auto whole = [](const Tensor& x, const Tensor& y, int step) {
    return where(x % 3 == step, y, x) + (100 - 2 * step);
  };
  EXPECT_EQ(loops_of(repeated(30, halves)), "30 x 5, 1 carried");
  EXPECT_EQ(loops_of(repeated(30, whole, int32), small_draws(60)), "30 x 6, 1 carried");
  expect_values(repeated(30, halves));
  expect_values(repeated(30, whole, int32));
}

TEST(RollSteps, ListsOtherConstants) {
  const auto squares = [](const Tensor& x, const Tensor& y, int step) {
    return x * y + static_cast<double>(step * step + 2);
  };
  // 0.1 * k, rounded once, is not k times the rounded 0.1.
  const auto tenths = [](const Tensor& x, const Tensor& y, int step) {
    return x * y + 0.1 * (step + 1);
  };
  const auto large = [](const Tensor& x, const Tensor& y, int step) {
    return maximum(x, y) + (1 << 24) * (step + 1);
  };
  const auto changing = [](const Tensor& x, const Tensor& y, int step) {
    return x * (step < 20 ? 0.5 : 0.25) + y;
  };
  for (const auto& program :
       {repeated(30, squares), repeated(30, tenths), repeated(30, changing)}) {
    EXPECT_EQ(loops_of(program), "30 x 2, 1 carried");
    expect_values(program);
  }
  EXPECT_EQ(loops_of(repeated(30, large, int32)), "30 x 2, 1 carried");
}

TEST(RollSteps, AnIncompleteIterationReadsItsOwnNumbers) {
  // Two sources share a table, which the incomplete iteration at the end does not read.
  const auto program = [](double last) {
    return [last](const Leaf& leaf) {
      Tensor a = leaf({13}, float32), b = leaf({13}, float32);
      for (int step = 0; step < 200; ++step) {
        const double number = 0.3 + 0.1 * std::sin(step);
        const Tensor next = b + (a * number + number);
        b = b + a * next * 0.01;
        a = next;
      }
      return Tensors{b + (a * 0.7 + last)};
    };
  };
  EXPECT_NE(loops_of(program(0.9)), "");
  expect_values(program(0.9));
  expect_values(program(0.7));
}

TEST(RollSteps, ListsEqualConstantsOnce) {
  const auto body = [](const Tensor& x, const Tensor& y, int step) {
    const double rate = 1.0 / (step + 3);
    return x + rate * (y - x) + 0.5 * rate * abs(x - rate);
  };
  const Tensors roots = repeated(40, body)(planned_leaf);
  const Graph graph = pipeline::canonical_graph(graph_of(roots, small_draws(60)), small_draws(60));
  EXPECT_EQ(loops_in(graph), "40 x 7, 1 carried");
  int tables = 0;
  for (const Graph::Entry& entry : graph.entries) tables += entry.kind == Kind::table ? 1 : 0;
  EXPECT_EQ(tables, 2) << "the rate and half of it";
  expect_values(repeated(40, body));
}

TEST(RollSteps, ListsIntegersThatNoFloatHolds) {
  const auto body = [](const Tensor& x, const Tensor& y, int step) {
    return maximum(x, y) - x % 7 + ((1 << 26) + 1 + step * step);
  };
  EXPECT_EQ(loops_of(repeated(30, body, int32), small_draws(40)), "30 x 4, 1 carried");
  // GLSL ES 1.00 has no such integers.
  for (const Target& rolled : {core::h200(), small_draws(40)}) {
    Target target = rolled;
    target.instructions = std::numeric_limits<std::int64_t>::max();
    target.uniform_vectors = 4096;
    const Program program = repeated(30, body, int32);
    expect_equal(values_on(program, rolled), values_on(program, target));
  }
}

TEST(RollSteps, ListsHalvesAndBooleans) {
  const auto halves = [](const Tensor& x, const Tensor& y, int step) {
    const Tensor rate = full({}, 0.1 * step * step, float16);
    const Tensor added = (y.astype(float16) * rate).astype(float32);
    return x * 0.5 + added;
  };
  const auto masks = [](const Tensor& x, const Tensor& y, int step) {
    return where(full({13}, step * step % 5 == 1, boolean) != (x > y), x * 0.5, y + x);
  };
  EXPECT_EQ(loops_of(repeated(30, halves)), "30 x 3, 1 carried");
  EXPECT_EQ(loops_of(repeated(30, masks), small_draws(40)), "30 x 5, 1 carried");
  expect_values(repeated(30, halves));
  expect_values(repeated(30, masks));
}

TEST(RollSteps, ListsNoMoreThanUniformsHold) {
  const auto body = [](const Tensor& x, const Tensor& y, int step) {
    return x * std::sqrt(step + 2.0) + y * std::log(step + 3.0);
  };
  Target few = small_draws();
  few.uniform_vectors = 40;
  EXPECT_EQ(loops_of(repeated(64, body), few), "36 x 3, 1 carried; 28 x 3, 1 carried");
  few.uniform_vectors = 8;
  EXPECT_EQ(loops_of(repeated(64, body), few), "");
  few.trip_limit = 32;
  few.uniform_vectors = 224;
  EXPECT_EQ(loops_of(repeated(64, body), few), "32 x 3, 1 carried; 32 x 3, 1 carried");
  expect_values(repeated(64, body));
}

TEST(RollSteps, ListsScalars) {
  const Program program = [](const Leaf& leaf) {
    Tensor x = leaf({13}, float32);
    const Tensor y = leaf({13}, float32);
    for (int step = 0; step < 40; ++step) {
      const Scalar rate = 0.25 * (step % 5);
      x = x * rate + y * (step == 7 ? Scalar(0.5) : rate);
    }
    return Tensors{x};
  };
  EXPECT_EQ(loops_of(program), "40 x 3, 1 carried");
  expect_values(program);
}

TEST(RollSteps, ListsScalarsThatAreIntegers) {
  const Program program = [](const Leaf& leaf) {
    Tensor x = leaf({13}, int32);
    const Tensor y = leaf({13}, int32);
    for (int step = 0; step < 40; ++step) {
      x = maximum(x, y * Scalar(step * step % 11)) - Scalar(step % 4);
    }
    return Tensors{x};
  };
  EXPECT_EQ(loops_of(program), "40 x 3, 1 carried");
  expect_values(program);
}

// ---- Slices by the step

/// s = body(s, x, step) so many times, x being of shape `rows`.
template <class Body>
Program sliced(int steps, const Shape& rows, Body body, const Shape& state = {5, 3}) {
  return [=](const Leaf& leaf) {
    Tensor s = leaf(state, float32);
    const Tensor x = leaf(rows, float32);
    for (int step = 0; step < steps; ++step) s = body(s, x, step);
    return Tensors{s};
  };
}

template <class Body>
void expect_sliced(const Shape& rows, Body body, const std::string& loops, int steps = 30,
                   const Shape& state = {5, 3}) {
  EXPECT_EQ(loops_of(sliced(steps, rows, body, state)), loops);
  expect_values(sliced(steps, rows, body, state));
}

TEST(RollSteps, MovesSlicesWithTheStep) {
  const auto row = [](const Tensor& s, const Tensor& x, int t) { return s * 0.5 + x[t]; };
  for (const Shape& rows : {Shape{30}, Shape{30, 3}, Shape{30, 5, 3}, Shape{30, 1, 3}}) {
    expect_sliced(rows, row, "30 x 2, 1 carried");
  }
  const auto last = [](const Tensor& s, const Tensor& x, int t) { return s * 0.5 + x[29 - t]; };
  const auto odd = [](const Tensor& s, const Tensor& x, int t) { return s * 0.5 + x[2 * t + 1]; };
  const auto two = [](const Tensor& s, const Tensor& x, int t) {
    return s * 0.5 + x[t + 1] * x[t];
  };
  const auto column = [](const Tensor& s, const Tensor& x, int t) {
    return s * 0.5 + take(x, t, 1);
  };
  const auto taken = [](const Tensor& s, const Tensor& x, int t) {
    return s * 0.5 + take(x, t, 0);
  };
  const auto window = [](const Tensor& s, const Tensor& x, int t) {
    return s * 0.5 + x[Slice{t, t + 3}];
  };
  const auto turned = [](const Tensor& s, const Tensor& x, int t) {
    return s * 0.5 + transpose(reshape(x[t], {3, 5}));
  };
  const auto merged = [](const Tensor& s, const Tensor& x, int t) {
    return s * 0.5 + reshape(x[t], {15});
  };
  expect_sliced({30, 3}, last, "30 x 2, 1 carried");
  expect_sliced({61, 5, 3}, odd, "30 x 2, 1 carried");
  expect_sliced({31}, two, "30 x 3, 1 carried");
  expect_sliced({3, 30}, column, "30 x 2, 1 carried");
  expect_sliced({30, 3}, taken, "30 x 2, 1 carried");
  expect_sliced({32}, window, "30 x 2, 1 carried");
  expect_sliced({30, 15}, turned, "30 x 2, 1 carried");
  expect_sliced({30, 5, 3}, merged, "30 x 2, 1 carried", 30, {15});
}

TEST(RollSteps, MovesSlicesOfComputedValues) {
  const Program program = [](const Leaf& leaf) {
    Tensor s = leaf({5, 3}, float32);
    const Tensor x = exp(leaf({30, 3}, float32)) * 0.25;
    for (int t = 0; t < 30; ++t) s = s * 0.5 + x[t];
    return Tensors{s};
  };
  EXPECT_EQ(loops_of(program), "30 x 2, 1 carried");
  expect_values(program);
}

TEST(RollSteps, LeavesRowsThatScalarsChoose) {
  const auto row = [](const Tensor& s, const Tensor& x, int step) {
    return s * 0.5 + x[Scalar(step * step % 17)] * 2.0;
  };
  const auto window = [](const Tensor& s, const Tensor& x, int step) {
    return s * 0.5 + x.at(ellipsis, Window{step * 7 % 5 - 1, 3}).get();
  };
  const auto negative = [](const Tensor& s, const Tensor& x, int step) {
    return s * 0.5 + flip(x.at(Slice{{}, 2}, Window{step % 3 * 9, 5}).get(), 1);
  };
  expect_sliced({30, 3}, row, "");
  expect_sliced({5, 7}, window, "");
  expect_sliced({4, 20}, negative, "", 30, {2, 5});
  const auto moving = [](const Tensor& s, const Tensor& x, int step) {
    return s * 0.5 + x[Scalar(step * 3 % 5)][step];
  };
  const auto two = [](const Tensor& s, const Tensor& x, int step) {
    return s * 0.5 + x[Scalar(step * 3 % 5)][Scalar(step * 7 % 11)];
  };
  const auto again = [](const Tensor& s, const Tensor& x, int step) {
    const Scalar which(step * 3 % 5);
    return s * x[which][0] + x[which][1];
  };
  expect_sliced({5, 30, 3}, moving, "");
  expect_sliced({5, 30, 3}, two, "");
  expect_sliced({5, 30, 3}, again, "");
}

TEST(RollSteps, PeelsIterationsThatSliceInAnotherWay) {
  const auto before = [](const Tensor& s, const Tensor& x, int t) {
    return s * 0.5 + x[t] + x[t < 1 ? 0 : t - 1];
  };
  expect_sliced({30, 3}, before, "29 x 3, 1 carried");
  const auto held = [](const Tensor& s, const Tensor& x, int t) {
    return s * 0.5 + x[t < 20 ? t : 20];
  };
  expect_sliced({30, 3}, held, "21 x 2, 1 carried; 9 x 2, 1 carried");
  const auto jumps = [](const Tensor& s, const Tensor& x, int t) {
    return s * 0.5 + x[t < 20 ? t : 2 * t - 15];
  };
  expect_sliced({84, 3}, jumps, "20 x 2, 1 carried; 30 x 2, 1 carried", 50);
  const auto squares = [](const Tensor& s, const Tensor& x, int t) { return s * 0.5 + x[t * t]; };
  EXPECT_EQ(loops_of(sliced(30, {900, 3}, squares)), "");
}

TEST(RollSteps, ReadsNothingPastTheLastSlice) {
  // Nothing reads the product of the last iteration, and there is no row for one more.
  const Program program = [](const Leaf& leaf) {
    Tensor s = leaf({13}, float32), sum = zeros({13});
    const Tensor x = leaf({30, 13}, float32);
    for (int t = 0; t < 31; ++t) {
      sum = sum + s;
      if (t < 30) s = s * x[t];
    }
    return Tensors{sum};
  };
  EXPECT_NE(loops_of(program), "");
  expect_values(program);
}

TEST(RollSteps, EndsALoopAtAViewThatIsHeld) {
  const Program program = [](const Leaf& leaf) {
    Tensor s = leaf({12, 2}, float32), before;
    const Tensor x = leaf({30, 2}, float32);
    for (int t = 0; t < 30; ++t) {
      before = reshape(s, {24});
      s = s * 0.5 + x[t];
    }
    return Tensors{s, flip(before, 0)};
  };
  EXPECT_EQ(loops_of(program), "29 x 2, 1 carried");
  expect_values(program);
}

TEST(RollSteps, CombinesSlicesTablesAndCounters) {
  const auto body = [](const Tensor& s, const Tensor& x, int t) {
    return s * (1.0 / (t + 2)) + x[t] * (0.25 * t + 0.125) + x[2 * t];
  };
  expect_sliced({60, 3}, body, "30 x 6, 1 carried");
}

TEST(RollSteps, StepsOneByOneWhereNoKernelHoldsTheLoop) {
  const Program program = [](const Leaf& leaf) {
    Tensor s = leaf({13}, float32);
    Tensors rows;
    for (int k = 0; k < 12; ++k) rows.push_back(leaf({30 + k, 13}, float32));
    for (int t = 0; t < 14; ++t) {
      s = s * std::sqrt(t + 2.0);
      for (const Tensor& x : rows) s = s + x[t];
    }
    return Tensors{s};
  };
  for (const Target& device : {core::llvmpipe(), core::llvmpipe_webgl1()}) {
    Target few = device;
    few.instructions = 20;
    few.uniform_vectors = 12;
    EXPECT_EQ(loops_of(program, few), "14 x 13, 1 carried");
    const plan::Plan plan = plan_of(program(planned_leaf), few);
    EXPECT_TRUE(std::any_of(plan.steps.begin(), plan.steps.end(),
                            [](const plan::Step& step) { return step.is_repeat(); }));
    expect_equal(values_on(program, few), values_on(program, device));
  }
}

TEST(RollSteps, DrawsSlicesAndTablesOnce) {
  const auto body = [](const Tensor& s, const Tensor& x, int t) {
    return s * std::sqrt(t + 2.0) + x[t] * (t < 7 ? 0.5 : 0.25);
  };
  for (const auto& [name, target] : targets()) {
    if (target.uniform_vectors < 1000) continue;
    const plan::Plan plan = plan_of(sliced(500, {500, 3}, body)(planned_leaf), target);
    EXPECT_EQ(draws(plan), 1) << name;
    EXPECT_EQ(programs(plan), 1u) << name;
  }
}

TEST(RollSteps, OtherNumbersUseTheSameProgram) {
  const auto kernel_of = [](double seed) {
    Tensor s = host_leaf({64});
    for (int t = 0; t < 40; ++t) s = s * std::sqrt(t + seed) + 1.0;
    const plan::Plan plan = plan_of(s, small_draws());
    EXPECT_EQ(draws(plan), 1);
    return plan.steps.at(0).kernel;
  };
  EXPECT_TRUE(*kernel_of(2) == *kernel_of(5));
}

}  // namespace
}  // namespace trigon
