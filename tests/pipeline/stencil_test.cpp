// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "pipeline/describe.hpp"
#include "pipeline/plan_record.hpp"
#include "reference/interpret.hpp"
#include "support/host_device.hpp"
#include "support/loop_cases.hpp"
#include "support/plans.hpp"
#include "support/tiny_target.hpp"

// Loops whose steps read neighbours: the number of steps per draw, and identical bits.

namespace trigon {
namespace {

using core::Costs;
using core::Target;
using plan::Plan;
using plan::Step;
using Tensors = std::vector<Tensor>;
using Two = std::pair<Tensor, Tensor>;
/// The iterations of each Repeat, and the steps of one iteration.
using Repeats = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// A field and its four neighbours; beyond the border there are zeros.
Tensor spread(const Tensor& x) {
  const Tensor padded = pad(x, std::array{PadWidth{1, 1}, PadWidth{1, 1}});
  const std::int64_t rows = x.shape()[0], columns = x.shape()[1];
  const auto at = [&](int down, int right) {
    return padded.at(Slice{1 + down, 1 + down + rows}, Slice{1 + right, 1 + right + columns}).get();
  };
  return x + 0.2 * (at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1) - 4.0 * x);
}

Tensor heat(LoopBound steps, const Shape& shape) {
  const auto body = [](const Tensor&, const Tensor& x) { return spread(x); };
  return fori_loop(0, std::move(steps), body, host_leaf(shape));
}

Tensor line_step(const Tensor&, const Tensor& x) {
  const std::int64_t n = x.shape()[0];
  const Tensor padded = pad(x, std::array{PadWidth{1, 1}});
  return x * 0.5 + 0.25 * (padded[Slice{0, n}] + padded[Slice{2, n + 2}]);
}
Tensor line(std::int64_t steps, std::int64_t n) {
  return fori_loop(0, steps, line_step, host_leaf({n}));
}

Tensor two_fields(std::int64_t steps, const Shape& shape) {
  const auto body = [](const Tensor&, const Two& s) {
    const Tensor reaction = s.first * s.second * s.second;
    return Two(spread(s.first) - reaction, spread(s.second) + reaction);
  };
  return fori_loop(0, steps, body, Two(host_leaf(shape), host_leaf(shape))).first;
}

Plan planned(const Tensor& y, const Target& target, const Costs& costs) {
  const Tensors roots{y};
  return pipeline::make_plan(graph_of(roots, target), target, costs);
}
Repeats repeats_of(const Plan& plan) {
  Repeats repeats;
  for (const Step& step : plan.steps) {
    if (step.is_repeat()) repeats.emplace_back(step.repeats.base / step.chunk, step.chunk);
  }
  return repeats;
}
Repeats on_llvmpipe(const Tensor& y) {
  return repeats_of(planned(y, core::llvmpipe(), core::llvmpipe_costs));
}
Repeats on_a_gpu(const Tensor& y) { return repeats_of(planned(y, core::h200(), core::gpu_costs)); }

constexpr std::pair<std::int64_t, std::int64_t> singly(50, 1), twice(25, 2);

TEST(Stencil, SmallGridsTakeTwoStepsPerDraw) {
  for (const std::int64_t n : {9, 16, 64}) {
    EXPECT_EQ(on_llvmpipe(heat(50, {n, n})), Repeats{twice}) << n;
    EXPECT_EQ(on_a_gpu(heat(50, {n, n})), Repeats{twice}) << n;
  }
  EXPECT_EQ(on_llvmpipe(heat(50, {128, 128})), Repeats{singly});
  EXPECT_EQ(on_a_gpu(heat(50, {128, 128})), Repeats{twice});
  for (const std::int64_t n : {256, 1024}) {
    EXPECT_EQ(on_llvmpipe(heat(50, {n, n})), Repeats{singly}) << n;
    EXPECT_EQ(on_a_gpu(heat(50, {n, n})), Repeats{singly}) << n;
  }
}

TEST(Stencil, TwoFieldsShareTheDraw) {
  EXPECT_EQ(on_llvmpipe(two_fields(50, {32, 32})), Repeats{twice});
  EXPECT_EQ(on_llvmpipe(two_fields(50, {64, 64})), Repeats{singly});
  EXPECT_EQ(on_a_gpu(two_fields(50, {64, 64})), Repeats{twice});
  EXPECT_EQ(on_a_gpu(two_fields(50, {256, 256})), Repeats{singly});
}

TEST(Stencil, LinesTakeMoreSteps) {
  const std::pair<std::int64_t, std::int64_t> four(12, 4), rest(1, 2);
  EXPECT_EQ(on_llvmpipe(line(50, 1'000)), (Repeats{rest, four}));
  EXPECT_EQ(on_a_gpu(line(50, 1'000)), (Repeats{rest, four}));
  EXPECT_EQ(on_llvmpipe(line(50, 1'000'000)), Repeats{singly});
}

TEST(Stencil, ADrawOfTwoStepsFetchesHardlyMore) {
  const Plan plan = planned(heat(50, {64, 64}), core::llvmpipe(), core::llvmpipe_costs);
  ASSERT_EQ(plan.steps.size(), 2U);  // the first values, in a texture that iterations may write to
  const Step& repeat = plan.steps[1];
  ASSERT_EQ(repeat.body.size(), 1U);
  EXPECT_EQ(repeat.body[0].fetches, 11);  // two draws: 10
  EXPECT_LE(repeat.body[0].kernel->code.size(), 160U);
}

TEST(Stencil, StepsThatDoNotComeOutEvenAreDoneFirst) {
  const auto steps = [](std::int64_t iterations) { return on_a_gpu(heat(iterations, {16, 16})); };
  EXPECT_EQ(steps(1), (Repeats{{1, 1}}));
  EXPECT_EQ(steps(2), (Repeats{{1, 2}}));
  EXPECT_EQ(steps(3), (Repeats{{1, 1}, {1, 2}}));
  EXPECT_EQ(steps(4), (Repeats{{2, 2}}));
  EXPECT_EQ(steps(1'001), (Repeats{{1, 1}, {500, 2}}));
}

TEST(Stencil, OtherLoopsTakeOneStep) {
  const Tensor x = host_leaf({16, 16});
  EXPECT_EQ(on_a_gpu(heat(Scalar(50), {16, 16})).size(), 1U);
  EXPECT_EQ(on_a_gpu(heat(Scalar(50), {16, 16}))[0].second, 1);
  // A sum couples all elements.
  const auto mean = [](const Tensor&, const Tensor& s) { return spread(s) - 0.01 * sum(s); };
  EXPECT_EQ(on_a_gpu(fori_loop(0, 50, mean, x)), Repeats{singly});
  // The distance of a gathered neighbour is not known.
  const Tensor order = host_leaf({16}, int32);
  const auto gathers = [&](const Tensor&, const Tensor& s) { return spread(take(s, order, 0)); };
  EXPECT_EQ(on_a_gpu(fori_loop(0, 50, gathers, x)), Repeats{singly});
  // A kernel with a long body would take long to compile.
  const auto is_long = [](const Tensor&, Tensor s) {
    for (int k = 0; k < 40; ++k) s = sin(s) + 0.5;
    return spread(s);
  };
  EXPECT_EQ(on_a_gpu(fori_loop(0, 50, is_long, x)), Repeats{singly});
}

TEST(Stencil, ADrawTakesEightStepsAtMost) {
  const auto shift = [](const Tensor&, const Tensor& x) {
    return pad(x[Slice{1, {}}], std::array{PadWidth{0, 1}});
  };
  const Tensor y = fori_loop(0, 1'000, shift, host_leaf({400}));
  EXPECT_EQ(on_a_gpu(y), (Repeats{{125, 8}}));
}

TEST(Stencil, WebGL1HasNoHalvesAndBytesInRegisters) {
  const auto repeats = [](DType dtype) {
    const auto body = [](const Tensor&, const Tensor& x) { return spread(x).astype(x.dtype()); };
    const Tensor y = fori_loop(0, 50, body, host_leaf({16, 16}, dtype));
    return repeats_of(planned(y, core::llvmpipe_webgl1(), core::llvmpipe_costs));
  };
  EXPECT_EQ(repeats(float32), Repeats{twice});
  EXPECT_EQ(repeats(float16), Repeats{singly});
}

TEST(Stencil, ExplainTellsHowManyStepsADrawHas) {
  const auto text = [](const Tensor& y) {
    pipeline::PlanRecord record;
    const Tensors roots{y};
    const Target target = core::llvmpipe();
    const Plan plan =
        pipeline::make_plan(graph_of(roots, target), target, core::llvmpipe_costs, &record);
    return describe_plan(plan, record, core::llvmpipe_costs, {}, false);
  };
  const std::string_view note =
      "2 steps per draw: each fragment computes the earlier steps of its neighbours again, which "
      "costs less than further draws";
  EXPECT_NE(text(heat(50, {64, 64})).find(note), std::string::npos) << text(heat(50, {64, 64}));
  EXPECT_EQ(text(heat(50, {256, 256})).find("steps per"), std::string::npos);
}

// ---- Values

/// If draws are expensive, a loop takes as many steps per draw as a kernel can hold; if they are
/// free, it takes one.
Costs draws_at(double nanoseconds) {
  Costs costs = core::gpu_costs;
  costs.draw = nanoseconds;
  return costs;
}

/// The results of a case in the interpreter of kernels.
std::vector<std::vector<double>> run(const support::LoopCase& one, const Target& target,
                                     const Costs& costs) {
  support::HostDevice host(target, costs);
  graph::KnownValues known;
  const support::LoopForm form{.stored = [&](const Tensor& x) {
    std::vector<double> values = graph::interpret(detail::Internals::node(x), known);
    const Tensor stored = host.upload(values, x.dtype(), x.shape());
    known.emplace(detail::Internals::node(stored)->id, std::move(values));
    return stored;
  }};
  const Tensors results = one.run(form);
  host.evaluate(results);
  std::vector<std::vector<double>> values;
  for (const Tensor& y : results) {
    values.emplace_back();
    for (const support::Number& number : host.read(y)) {
      EXPECT_FALSE(number.is_poison);
      values.back().push_back(number.value);
    }
  }
  return values;
}

class Stencils : public testing::TestWithParam<support::LoopCase> {};

TEST_P(Stencils, HaveTheBitsOfSingleSteps) {
  const support::LoopCase& one = GetParam();
  const bool narrow = std::string_view(one.name).find("bytes") == 0;
  for (const Target& target : {core::h200(), support::tiny_target(), core::llvmpipe_webgl1()}) {
    if (narrow && target.dialect == core::Dialect::es100) continue;  // bytes do not wrap there
    EXPECT_EQ(run(one, target, draws_at(1e6)), run(one, target, draws_at(-1e6)));
  }
}

TEST_P(Stencils, TakeSeveralStepsPerDrawWhereDrawsAreDear) {
  const std::string_view name = GetParam().name;
  for (const Tensor& y : GetParam().run(
           {.stored = [](const Tensor& x) { return host_leaf(x.shape(), x.dtype()); }})) {
    const auto steps = [&](double draw) {
      std::int64_t most = 1;
      for (const auto& [iterations, one] : repeats_of(planned(y, core::h200(), draws_at(draw)))) {
        most = std::max(most, one);
      }
      return most;
    };
    EXPECT_EQ(steps(-1e6), 1);
    // Few elements are registers of a kernel, in which the whole loop stands.
    const bool single =
        name == "one_step" || name == "one_element" || name == "five_elements" || name == "flipped";
    EXPECT_GE(steps(1e6), single ? 1 : 2);
  }
}

TEST(Stencil, AThousandStepsHaveTheBitsOfSingleSteps) {
  for (const std::int64_t steps : {0, 1'000, 1'001, 1'003}) {
    const auto values = [&](double draw) {
      support::HostDevice host(core::h200(), draws_at(draw));
      std::vector<double> first(70);
      for (std::size_t k = 0; k < first.size(); ++k) first[k] = static_cast<double>(k * k % 11);
      const Tensor x = host.upload(first, float32, {70});
      const Tensor y = fori_loop(0, steps, line_step, x) + 0.0;
      host.evaluate(std::array{y});
      std::vector<double> result;
      for (const support::Number& number : host.read(y)) result.push_back(number.value);
      return result;
    };
    EXPECT_EQ(values(1e6), values(-1e6)) << steps;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Stencils, testing::ValuesIn(support::stencil_cases()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace trigon
