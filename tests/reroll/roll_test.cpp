// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/rolls.hpp"

// Which plain C++ loops become loops of the graph, and that no bit of their values changes.

#include "rewrite/rewrite.hpp"

namespace trigon {
namespace {

Tensor scaled(const Tensor& x, const Tensor& y, int) { return x * 0.5 + y; }

Program pendulum(int steps) {
  return [=](const Leaf& leaf) {
    Tensor o = leaf({4, 3}, float32), t = leaf({4, 3}, float32);
    for (int step = 0; step < steps; ++step) {
      o = o - 0.25 * sin(t);
      t = t + 0.25 * o;
    }
    return Tensors{o, t};
  };
}

Program mandelbrot(int steps, bool all) {
  return [=](const Leaf& leaf) {
    const Tensor cr = leaf({12, 9}, float32), ci = leaf({12, 9}, float32);
    Tensor zr = zeros({12, 9}), zi = zeros({12, 9}), count = zeros({12, 9});
    for (int step = 0; step < steps; ++step) {
      const Tensor inside = zr * zr + zi * zi < 4.0;
      const Tensor next_r = zr * zr - zi * zi + cr;
      const Tensor next_i = 2.0 * zr * zi + ci;
      zr = where(inside, next_r, zr);
      zi = where(inside, next_i, zi);
      count = where(inside, count + 1.0, count);
    }
    return all ? Tensors{zr, zi, count} : Tensors{count};
  };
}

// ---- Stretches that become loops

TEST(Roll, ReplacesEqualIterations) {
  const Tensors roots = pendulum(200)(planned_leaf);
  const Graph graph = pipeline::canonical_graph(graph_of(roots, core::h200()), core::h200());
  const std::string body =
      "    0: parameter 1 (4, 3)\n"
      "    1: map sin 0 (4, 3)\n"
      "    2: constant 0.25 ()\n"
      "    3: view 2 (4, 3)\n"
      "    4: map multiply 3 1 (4, 3)\n"
      "    5: parameter 0 (4, 3)\n"
      "    6: map subtract 5 4 (4, 3)\n"
      "    7: map multiply 3 6 (4, 3)\n"
      "    8: map add 0 7 (4, 3)\n";
  EXPECT_EQ(text_of(graph),
            "0: leaf (4, 3)\n"
            "1: leaf (4, 3)\n"
            "2: loop 0 1 ()\n"
            "  200 iterations of\n" +
                body +
                "3: output 0 2 (4, 3)\n"
                "4: output 1 2 (4, 3)\n");
  EXPECT_EQ(graph.results, (std::vector<std::int32_t>{3, 4}));
  ASSERT_EQ(graph.readers.size(), 5u);
  EXPECT_EQ(graph.readers[0], std::vector<std::int32_t>{2});
  EXPECT_EQ(graph.readers[2], (std::vector<std::int32_t>{3, 4}));
  EXPECT_EQ(graph.readers[3], std::vector<std::int32_t>{});
  expect_values(pendulum(200));
}

TEST(Roll, NeedsEightIterations) {
  EXPECT_EQ(loops_of(repeated(8, scaled)), "8 x 2, 1 carried");
  EXPECT_EQ(loops_of(repeated(7, scaled)), "");
  expect_values(repeated(8, scaled));
}

TEST(Roll, LeavesWhatOneDrawHolds) {
  EXPECT_EQ(loops_of(repeated(100, scaled), core::h200()), "");
  EXPECT_EQ(loops_of(repeated(400, scaled), core::h200()), "400 x 2, 1 carried");
}

TEST(Roll, CarriesValuesOfTwoIterationsBack) {
  const Program fibonacci = [](const Leaf& leaf) {
    Tensor a = leaf({6}, int32), b = leaf({6}, int32);
    for (int step = 0; step < 20; ++step) {
      const Tensor sum = a + b;
      a = b;
      b = sum;
    }
    return Tensors{a, b};
  };
  EXPECT_EQ(loops_of(fibonacci), "20 x 1, 2 carried");
  expect_values(fibonacci);
}

TEST(Roll, PeelsIterationsThatFold) {
  EXPECT_EQ(loops_of(mandelbrot(60, true), small_draws(100)), "59 x 13, 3 carried");
  EXPECT_EQ(loops_of(mandelbrot(60, false), small_draws(100)), "59 x 13, 3 carried");
  expect_values(mandelbrot(60, true));
  expect_values(mandelbrot(60, false));
}

TEST(Roll, CapturesWhatNoIterationChanges) {
  const auto program = [](const Leaf& leaf) {
    Tensor x = leaf({13}, float32);
    const Tensor y = leaf({1}, float32);
    const Scalar rate = 0.5;
    for (int step = 0; step < 30; ++step) {
      const Tensor added = tanh(y);  // first: iterations begin where nodes do
      x = x * exp(y) * rate + added;
    }
    return Tensors{x};
  };
  EXPECT_EQ(loops_of(program), "30 x 3, 1 carried");
  expect_values(program);
}

TEST(Roll, TakesASingleElement) {
  const Program program = [](const Leaf& leaf) {
    Tensor x = leaf({}, float32);
    const Tensor y = leaf({}, float32);
    for (int step = 0; step < 30; ++step) x = x * 0.5 + y + 0.25 * step;
    return Tensors{x};
  };
  EXPECT_EQ(loops_of(program), "30 x 4, 1 carried");
  expect_values(program);
}

TEST(Roll, RollsEachOfSeveralLoops) {
  const Program program = [](const Leaf& leaf) {
    Tensor x = leaf({13}, float32);
    const Tensor y = leaf({13}, float32);
    for (int step = 0; step < 30; ++step) x = x * 0.5 + y;
    for (int step = 0; step < 20; ++step) x = abs(x - y);
    x = sum(x) + y;
    for (int step = 0; step < 40; ++step) x = x * 0.5 + y;
    return Tensors{x};
  };
  EXPECT_EQ(loops_of(program), "30 x 2, 1 carried; 20 x 2, 1 carried; 40 x 2, 1 carried");
  expect_values(program);
}

// ---- Stretches that must stay

TEST(Roll, EndsALoopAtAValueThatIsHeld) {
  Tensor x = host_leaf({13});
  const Tensor y = host_leaf({13});
  Tensor held;
  for (int step = 0; step < 50; ++step) {
    x = x * 0.5 + y;
    if (step == 19) held = x;
  }
  EXPECT_EQ(loops_in({x}), "20 x 2, 1 carried; 30 x 2, 1 carried");
  EXPECT_EQ(loops_in({x, held}), "20 x 2, 1 carried; 30 x 2, 1 carried");
  const plan::Plan plan = plan_of(x, small_draws());
  EXPECT_EQ(plan.stored.size(), 2u) << "the held value is stored as well";
}

TEST(Roll, LeavesAnIterationWithAValueThatIsHeld) {
  Tensor x = host_leaf({13});
  const Tensor y = host_leaf({13});
  Tensor held;
  for (int step = 0; step < 14; ++step) {
    const Tensor product = x * 0.5;
    if (step == 6) held = product;
    x = product + y;
  }
  EXPECT_EQ(loops_in({x}), "");
  held = Tensor();
  EXPECT_EQ(loops_in({x}), "14 x 2, 1 carried");
}

TEST(Roll, LeavesWhatATapeHolds) {
  const Tensor y = host_leaf({13});
  const auto f = [&](Tensor x) {
    for (int step = 0; step < 30; ++step) x = sin(x) * y;
    return x;
  };
  const Tensor x = host_leaf({13});
  const Vjp at = vjp(f, x);
  EXPECT_EQ(loops_in({at.value}), "");
  EXPECT_EQ(loops_in({f(x)}), "30 x 2, 1 carried");
}

TEST(Roll, LeavesIterationsThatReadNeighboursOrReduce) {
  const auto shifted = [](const Tensor& x, const Tensor& y, int) {
    return concatenate({x[Slice{1}], x[Slice{0, 1}]}) * 0.5 + y;
  };
  const auto turned = [](const Tensor& x, const Tensor& y, int) { return flip(x, 0) * 0.5 + y; };
  const auto normed = [](const Tensor& x, const Tensor& y, int) { return x - mean(x) + y; };
  EXPECT_EQ(loops_of(repeated(30, shifted)), "");
  EXPECT_EQ(loops_of(repeated(30, turned)), "");
  EXPECT_EQ(loops_of(repeated(30, normed)), "");
}

TEST(Roll, LeavesIterationsOfOtherLeaves) {
  const Program program = [](const Leaf& leaf) {
    Tensor x = leaf({13}, float32);
    for (int step = 0; step < 12; ++step) x = x * 0.5 + leaf({13}, float32);
    return Tensors{x};
  };
  EXPECT_EQ(loops_of(program), "");
}

TEST(Roll, CarriesNoValueThatStoringRounds) {
  const auto half = [](const Tensor& x, const Tensor& y, int) { return x * y + x; };
  const auto rounded = [](const Tensor& x, const Tensor& y, int) {
    const Tensor added = y.astype(float32);
    return (x.astype(float32) * 0.3 + added).astype(float16);
  };
  EXPECT_EQ(loops_of(repeated(30, half, float16)), "30 x 2, 1 carried");
  expect_values(repeated(30, half, float16));
  EXPECT_EQ(loops_of(repeated(30, rounded, float16)), "30 x 2, 1 carried");
  expect_values(repeated(30, rounded, float16));
  const auto wrapping = [](const Tensor& x, const Tensor& y, int) { return x * y + x; };
  Target webgl1 = core::webgl1_minimum();
  webgl1.instructions = 12;
  EXPECT_EQ(loops_of(repeated(30, wrapping, uint8)), "30 x 2, 1 carried");
  EXPECT_EQ(loops_of(repeated(30, wrapping, uint8), webgl1), "");
}

// ---- Costs

TEST(Roll, DrawsMandelbrotAtMostTwice) {
  for (const auto& [name, target] : targets()) {
    for (const bool all : {false, true}) {
      if (all && target.draw_buffers < 3) continue;
      const plan::Plan plan = plan_of(mandelbrot(500, all)(planned_leaf), target);
      EXPECT_LE(draws(plan), all ? 1 : 2) << name;
      EXPECT_LE(programs(plan), all ? 1u : 2u) << name;
    }
  }
}

TEST(Roll, PlansMoreStepsAlike) {
  const auto instructions_of = [](int steps) {
    return instructions(plan_of(pendulum(steps)(planned_leaf), core::llvmpipe()));
  };
  EXPECT_EQ(instructions_of(1500), instructions_of(150));
}

TEST(Roll, LooksAtEachEntryAFewTimes) {
  const auto visits_of = [](const Program& program) {
    Target target = small_draws();
    target.instructions = std::numeric_limits<std::int64_t>::max();
    const Tensors roots = program(planned_leaf);
    const graph::Collected collected = graph_of(roots, target);
    Graph graph = rewrite::rewrite(collected, target);
    const auto size = static_cast<double>(graph.entries.size());
    std::int64_t visits = 0;
    reroll::rolled(std::move(graph), collected, small_draws(), &visits);
    return static_cast<double>(visits) / size;
  };
  const auto squares = [](const Tensor& x, const Tensor& y, int step) {
    return x * y + static_cast<double>(step * step + 2);
  };
  const auto mixed = [](const Tensor& x, const Tensor& y, int step) {
    return step * step % 7 < 3 ? x * y : abs(x - y);
  };
  const auto sliced = [](int steps) {
    return [steps](const Leaf& leaf) {
      Tensor s = leaf({13, 3}, float32);
      const Tensor x = leaf({steps + 1, 3}, float32);
      for (int t = 0; t < steps; ++t) s = (s + x[t + 1] * x[t]) * (t % 3 == 0 ? 0.5 : 0.25);
      return Tensors{s};
    };
  };
  for (const int steps : {500, 1000, 4000}) {
    EXPECT_LT(visits_of(sliced(steps)), 25) << steps;
    EXPECT_LT(visits_of(pendulum(steps)), 25) << steps;
    EXPECT_LT(visits_of(repeated(steps, squares)), 40) << steps;
    EXPECT_LT(visits_of(repeated(steps, mixed)), 40) << steps;
  }
}

}  // namespace
}  // namespace trigon
