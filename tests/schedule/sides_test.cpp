// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "pipeline/describe.hpp"
#include "pipeline/plan_record.hpp"
#include "support/compared_device.hpp"
#include "support/host_device.hpp"
#include "support/plans.hpp"
#include "support/tiny_target.hpp"

// Draws that only one side of a `cond` needs, on devices that run both sides of an `if`.

namespace trigon {
namespace {

using core::Costs;
using core::Target;
using plan::Plan;
using plan::Step;
using Doubles = std::vector<double>;
using Tensors = std::vector<Tensor>;

constexpr std::int64_t many = 1'000'000;

Tensor heavy(const Tensor& x) {
  Tensor y = x;
  for (int k = 0; k < 5; ++k) y = sin(y * 1.1) + tan(y * 0.3);
  return y;
}
Tensor light(const Tensor& x) { return x * 0.5 + 1.0; }

Costs free_draws() {
  Costs costs = core::llvmpipe_costs;
  costs.draw = 0;
  return costs;
}

Plan planned(const Tensors& roots, const Target& target = core::llvmpipe(),
             const Costs& costs = core::llvmpipe_costs) {
  return pipeline::make_plan(graph_of(roots, target), target, costs);
}

/// "t2+" for a draw that is taken if slot 2 is set, "t2-" if it is not set, "" for others.
std::string guards(const Step& step) {
  std::string text;
  for (const plan::Guard& guard : step.guards) {
    text += "t" + std::to_string(guard.slot) + (guard.holds ? "+" : "-");
  }
  return text;
}
std::vector<std::string> guards(const std::vector<Step>& steps) {
  std::vector<std::string> all;
  for (const Step& step : steps) all.push_back(guards(step));
  return all;
}
using Texts = std::vector<std::string>;

std::int64_t guarded(const std::vector<Step>& steps) {
  std::int64_t count = 0;
  for (const Step& step : steps) count += guarded(step.body) + (step.guards.empty() ? 0 : 1);
  return count;
}

// ---- Structure

TEST(Sides, HaveADrawEachToTheSameTexture) {
  const Tensor p = host_leaf({}, boolean), x = host_leaf({many});
  for (const Target& target : {core::llvmpipe(), core::llvmpipe_webgl1()}) {
    const Plan plan = planned({cond(p, heavy, light, x)}, target);
    EXPECT_EQ(guards(plan.steps), (Texts{"t0+", "t0-"}));
    ASSERT_EQ(plan.steps.size(), 2U);
    EXPECT_EQ(plan.steps[0].outputs[0].slot, plan.steps[1].outputs[0].slot);
    EXPECT_FALSE(plan.steps[0].outputs[0].in_place);
    EXPECT_TRUE(plan.steps[1].outputs[0].in_place);
    EXPECT_GT(plan.steps[0].instructions, 3 * plan.steps[1].instructions);
    for (const Step& step : plan.steps) {
      EXPECT_EQ(step.kernel->blocks.size(), 1U) << "no branch within";
      EXPECT_EQ(step.inputs.size(), 1U) << "the predicate is read by the vertex stage alone";
    }
  }
}

TEST(Sides, ShareOneDrawWhereABranchSkips) {
  const Tensor p = host_leaf({}, boolean), x = host_leaf({many});
  const Tensor y = cond(p, heavy, light, x);
  EXPECT_EQ(guarded(planned({y}, core::h200(), core::gpu_costs).steps), 0);
  EXPECT_EQ(planned({y}, core::h200(), core::gpu_costs).steps.size(), 1U);
}

TEST(Sides, ShareOneDrawWithoutSamplersOfTheVertexStage) {
  const Tensor p = host_leaf({}, boolean), x = host_leaf({many});
  Target target = core::llvmpipe_webgl1();
  target.vertex_samplers = 0;
  const Plan plan = planned({cond(p, heavy, light, x)}, target);
  EXPECT_EQ(guards(plan.steps), Texts{""});
  EXPECT_GT(plan.steps[0].kernel->blocks.size(), 1U);
}

TEST(Sides, ShareOneDrawWhereTheyAreShort) {
  const Tensor p = host_leaf({}, boolean), few = host_leaf({1000}), x = host_leaf({many});
  EXPECT_EQ(guards(planned({cond(p, heavy, light, few)}).steps), Texts{""});
  const auto other = [](const Tensor& v) { return v - 2.0; };
  EXPECT_EQ(guards(planned({cond(p, other, light, x)}).steps), Texts{""});
}

TEST(Sides, NeedTheirPredicateStored) {
  const Tensor s = host_leaf({}), x = host_leaf({many});
  const Plan plan = planned({cond(exp(s) > 2.0, heavy, light, x)});
  ASSERT_EQ(plan.steps.size(), 3U);
  EXPECT_EQ(plan.steps[0].fragments, 1);
  EXPECT_TRUE(plan.steps[0].guards.empty());
  EXPECT_EQ(plan.steps[1].guards[0].slot, plan.steps[0].outputs[0].slot);
}

TEST(Sides, OfSeveralResultsShareTheirDraws) {
  const Tensor p = host_leaf({}, boolean), x = host_leaf({many});
  const auto [a, b] = cond(
      p, [](const Tensor& v) { return std::pair(heavy(v), heavy(v * 2.0)); },
      [](const Tensor& v) { return std::pair(light(v), -v); }, x);
  const Plan plan = planned({a, b});
  EXPECT_EQ(guards(plan.steps), (Texts{"t0+", "t0-"}));
  for (const Step& step : plan.steps) EXPECT_EQ(step.outputs.size(), 2U);
}

TEST(Sides, GoOnWithTheOperationsOnTheirResult) {
  const Tensor p = host_leaf({}, boolean), x = host_leaf({many});
  const Tensor y = exp(cond(p, heavy, light, x) + 1.0);
  EXPECT_EQ(guards(planned({y}).steps), (Texts{"t0+", "t0-"}));
}

TEST(Sides, OfNestedConds) {
  const Tensor p = host_leaf({}, boolean), q = host_leaf({}, boolean), x = host_leaf({many});
  const auto inner = [&](const Tensor& v) {
    return cond(
        q, heavy, [](const Tensor& w) { return heavy(w + 1.0) * w; }, v);
  };
  const Plan plan = planned({cond(p, inner, light, x)});
  EXPECT_EQ(guarded(plan.steps), 3);
  EXPECT_EQ(plan.steps[0].guards.size(), 2U);
  EXPECT_EQ(plan.steps[1].guards.size(), 2U);
  EXPECT_EQ(plan.steps[2].guards.size(), 1U);
  for (const Step& step : plan.steps) {
    EXPECT_EQ(step.outputs[0].slot, plan.steps[0].outputs[0].slot);
  }
}

TEST(Sides, SkipProductsThatOneOfThemNeeds) {
  const Tensor p = host_leaf({}, boolean), x = host_leaf({512, 512}), w = host_leaf({512, 512});
  const auto deep = [&](const Tensor& v) { return matmul(exp(matmul(v, w)), w); };
  const Plan plan = planned({cond(p, deep, light, x)});
  std::int64_t products = 0;
  for (const Step& step : plan.steps) {
    if (step.multiply_adds == 0) continue;
    EXPECT_EQ(guards(step), "t0+");
    ++products;
  }
  EXPECT_EQ(products, 2);
}

TEST(Sides, SkipProductsWhereABranchSkipsAsWell) {
  const Tensor p = host_leaf({}, boolean), x = host_leaf({1024, 1024});
  const auto product = [](const Tensor& v) { return matmul(v, transpose(v)) * 1e-3; };
  const Plan plan = planned({cond(p, product, light, x)}, core::h200(), core::gpu_costs);
  ASSERT_EQ(plan.steps.size(), 2U);
  EXPECT_GT(plan.steps[0].multiply_adds, 0);
  EXPECT_EQ(guards(plan.steps), (Texts{"t0+", ""}));
}

TEST(Sides, SkipReductionsOfOneOfThem) {
  const Tensor p = host_leaf({}, boolean), x = host_leaf({many});
  const auto total = [](const Tensor& v) { return v * sum(exp(v)); };
  const Plan plan = planned({cond(p, total, light, x)});
  ASSERT_GE(plan.steps.size(), 2U);
  EXPECT_EQ(guards(plan.steps[0]), "t0+");
  EXPECT_TRUE(plan.steps.back().guards.empty() || guards(plan.steps.back()) == "t0-");
}

TEST(Sides, OfWhatIsReducedAreReducedInDrawsOfTheirOwn) {
  const Tensor p = host_leaf({}, boolean), x = host_leaf({1000, 1000});
  const Plan plan = planned({sum(cond(p, heavy, light, x), 1)});
  EXPECT_EQ(guards(plan.steps), (Texts{"t0+", "t0-"}));
}

TEST(Sides, SkipPoints) {
  const Tensor p = host_leaf({}, boolean), x = host_leaf({1000, 64});
  const Tensor rows = host_leaf({100'000}, int32), v = host_leaf({100'000, 64});
  const auto scattered = [&](const Tensor& a) { return scatter_add(a, rows, v, 0); };
  const Plan plan = planned({cond(p, scattered, light, x)});
  std::int64_t points = 0;
  for (const Step& step : plan.steps) {
    if (!step.points) continue;
    EXPECT_EQ(guards(step), "t0+");
    ++points;
  }
  EXPECT_EQ(points, 1);
}

TEST(Sides, WithinRepeatsSkip) {
  const Tensor x = host_leaf({1024, 1024});
  const auto body = [](const Tensor& i, const Tensor& s) {
    return cond(
        i % 10 == 0, [](const Tensor& v) { return heavy(v) - mean(v, 0); }, light, s);
  };
  const Plan plan = planned({fori_loop(0, 100, body, x)});
  EXPECT_GE(guarded(plan.steps), 3);
}

TEST(Sides, OfGradientsAreTheirOwn) {
  const Tensor p = host_leaf({}, boolean), x = host_leaf({many});
  const auto f = [&](const Tensor& v) { return sum(cond(p, heavy, light, v)); };
  EXPECT_EQ(guards(planned({grad(f, x)}).steps), (Texts{"t0+", "t0-"}));
  const Tensor y = host_leaf({512, 512}), w = host_leaf({512, 512});
  const auto deep = [&](const Tensor& v) { return exp(matmul(v, w)); };
  const auto g = [&](const Tensor& v) { return sum(cond(p, deep, light, v)); };
  for (const Step& step : planned({grad(g, y)}).steps) {
    if (step.multiply_adds > 0) {
      EXPECT_EQ(guards(step), "t0+");
    }
  }
}

TEST(Sides, LieInALargerTensorAtAPlaceThatMoves) {
  const Tensor x = host_leaf({1024, 1024}), flags = host_leaf({100}, boolean);
  const auto body = [](const Tensor& s, const Tensor& flag) {
    const auto moved = [](const Tensor& v) { return heavy(v) - mean(v, 0); };
    return std::pair(cond(flag, moved, light, s), mean(s));
  };
  const auto [last, means] = scan(body, x, flags);
  const Plan plan = planned({last, means});
  ASSERT_GE(guarded(plan.steps), 3);
  for (const Step& step : plan.steps) {
    for (const Step& inner : step.body) {
      for (const plan::Guard& guard : inner.guards) EXPECT_GE(guard.element.scalar, 0);
    }
  }
}

TEST(Sides, LeaveWhileLoopsAlone) {
  const Tensor p = host_leaf({}, boolean), x = host_leaf({512, 512});
  const auto loops = [](const Tensor& v) {
    return while_loop([](const Tensor& s) { return mean(s) < 4.0; },
                      [](const Tensor& s) { return heavy(s) + mean(s, 0); }, v);
  };
  for (const Step& step : planned({cond(p, loops, light, x)}).steps) {
    EXPECT_TRUE(!step.is_repeat() || guarded(step.body) == 0);
  }
}

TEST(Sides, KeepWhatIsHeldOutsideLazy) {
  const Tensor p = host_leaf({}, boolean), x = host_leaf({512, 512}), w = host_leaf({512, 512});
  const Tensor product = matmul(x, w);
  const Tensor y = cond(
      p, [&](const Tensor& v) { return v + product; }, light, x);
  const graph::Collected graph = graph_of(Tensors{y}, core::llvmpipe());
  const Plan plan = pipeline::make_plan(graph, core::llvmpipe(), core::llvmpipe_costs);
  EXPECT_EQ(guards(plan.steps[0]), "t0+");
  ASSERT_EQ(plan.stored.size(), 1U) << "the product may not have been computed";
  EXPECT_EQ(graph[plan.stored[0].node].node, detail::Internals::node(y).get());
}

TEST(Sides, AreShownByExplain) {
  const Tensor p = host_leaf({}, boolean), x = host_leaf({many});
  const auto shown = [&](const Target& target) {
    const Tensor y = cond(p, heavy, light, x);
    const graph::Collected graph = graph_of(Tensors{y}, target);
    pipeline::PlanRecord record;
    const Plan plan = pipeline::make_plan(graph, target, core::llvmpipe_costs, &record);
    return describe_plan(plan, record, core::llvmpipe_costs, {}, false);
  };
  const std::string text = shown(core::llvmpipe());
  EXPECT_NE(text.find("    only   where t0 is set\n"), std::string::npos) << text;
  EXPECT_NE(text.find("    only   where t0 is not\n"), std::string::npos) << text;
  Target target = core::llvmpipe_webgl1();
  target.vertex_samplers = 0;
  const std::string other = shown(target);
  EXPECT_NE(other.find("    note   both sides of a cond run: this device skips draws alone\n"),
            std::string::npos)
      << other;
}

// ---- Values

/// Checks results against the reference on the CPU while each draw that can be skipped is skipped.
template <class F>
void expect_values(F function) {
  Target few = core::llvmpipe();
  few.vertex_samplers = 1;
  for (const Target& target :
       {core::llvmpipe(), core::llvmpipe_webgl1(), support::tiny_target(), few}) {
    for (const int held : {0, 1, 2, 3}) {
      support::ComparedDevice device(target, free_draws());
      const Tensor p = device.stored({held % 2 == 1 ? 1.0 : 0.0}, boolean, {});
      const Tensor q = device.stored({0, 1, held >= 2 ? 1.0 : 0.0, 0, 1}, boolean, {5});
      device.expect_values(function(p, q[2], device.waves()), std::to_string(held));
    }
  }
}

Tensor waves(const Tensor& x) { return sin(x * 3.0 + 0.5) * exp(-x * x) + cos(x * 5.0); }
Tensor rows(const Tensor& x) { return waves(x) + nn::softmax(x) * mean(x, 0); }
Tensor product(const Tensor& x) { return matmul(matmul(x, transpose(x)), waves(x)) - mean(x, 0); }

TEST(SideValues, AreThoseOfTheSideTaken) {
  expect_values([](const Tensor& p, const Tensor& q, const Tensor& x) -> Tensors {
    return {cond(p, waves, light, x), cond(q, rows, product, x), cond(p, product, rows, x) * 2.0};
  });
}

TEST(SideValues, Nest) {
  expect_values([](const Tensor& p, const Tensor& q, const Tensor& x) -> Tensors {
    const auto inner = [&](const Tensor& v) { return cond(q, product, waves, v + 1.0); };
    const auto other = [&](const Tensor& v) { return cond(sum(v) > 0.0, rows, inner, v); };
    return {cond(p, inner, light, x), cond(p, other, inner, x),
            cond(logical_xor(p, q), inner, other, cond(p, rows, waves, x))};
  });
}

TEST(SideValues, AreReadOutside) {
  expect_values([](const Tensor& p, const Tensor& q, const Tensor& x) -> Tensors {
    const Tensor shared = rows(x);
    const Tensor y = cond(
        p, [&](const Tensor& v) { return product(v + shared); }, light, x);
    const Tensor z = cond(
        q, [&](const Tensor& v) { return matmul(v, transpose(shared)); },
        [&](const Tensor& v) { return matmul(waves(v), transpose(v)); }, y);
    return {sum(y, 1) + mean(z), matmul(z, y) + shared, sum(cond(p, waves, light, x))};
  });
}

TEST(SideValues, OfWritesAndScatters) {
  expect_values([](const Tensor& p, const Tensor& q, const Tensor& x) -> Tensors {
    const Tensor index = iota(6) % 4;
    const auto scattered = [&](const Tensor& v) {
      return scatter_add(rows(v), index, waves(v), 0);
    };
    const auto written = [](const Tensor& v) {
      Tensor y = rows(v) + 1.0;
      return y.at(Slice{1, 3}).set(waves(v)[Slice{0, 2}]);
    };
    const Tensor y = cond(p, scattered, written, x);
    Tensor z = waves(x);
    return {y, z.at(Slice{2, 4}).set(cond(q, rows, light, x)[Slice{0, 2}]), y * 3.0,
            scatter_add(light(x), index, cond(p, waves, rows, y), 0)};
  });
}

TEST(SideValues, OfIntegersAndBools) {
  expect_values([](const Tensor& p, const Tensor& q, const Tensor& x) -> Tensors {
    const Tensor n = floor(x * 20.0).astype(int32);
    const auto mix = [](const Tensor& v) { return (v * 3 + 1) * v - sum(v, 0); };
    const auto near = [&](const Tensor& v) { return mix(v) > 3; };
    const auto far = [&](const Tensor& v) { return logical_and(mix(v) < 9, mix(v - 1) != 2); };
    return {cond(
                p, mix, [](const Tensor& v) { return -v; }, n),
            cond(q, near, far, n)};
  });
}

TEST(SideValues, OfLoops) {
  expect_values([](const Tensor& p, const Tensor& q, const Tensor& x) -> Tensors {
    const auto body = [&](const Tensor& i, const Tensor& s) {
      const Tensor next = cond(logical_xor(i % 3 == 0, p), rows, waves, s) * 0.5;
      return cond(mean(next) > 0.1, light, product, next) * 0.25;
    };
    const auto loop = [&](const Tensor& v) { return fori_loop(0, 4, body, v); };
    const auto steps = [&](const Tensor& v) {
      return while_loop([](const Tensor& s) { return mean(s) < 1.0; },
                        [](const Tensor& s) { return cond(mean(s) > 0.5, light, rows, s) + 0.3; },
                        v, 9);
    };
    return {loop(x), cond(q, loop, waves, x), cond(p, steps, loop, x)};
  });
}

TEST(SideValues, OfScansWhosePredicatesAreRows) {
  expect_values([](const Tensor& p, const Tensor& q, const Tensor& x) -> Tensors {
    const auto body = [&](const Tensor& s, const Tensor& row) {
      const Tensor next = cond(row[0] > 0.0, rows, product, s) * 0.25 + row;
      return std::pair(next, cond(p, rows, light, next));
    };
    const auto flags = [&](const Tensor& s, const Tensor& flag) {
      return std::pair(cond(flag, rows, product, s) * 0.25, mean(s, 0));
    };
    const auto [last, outputs] = scan(body, x, x);
    const auto [other, means] = scan(flags, x, logical_xor(x.at(Slice{}, 0).get() > 0.0, q));
    return {last, outputs, other, means};
  });
}

TEST(SideValues, HaveGradients) {
  expect_values([](const Tensor& p, const Tensor& q, const Tensor& x) -> Tensors {
    const auto f = [&](const Tensor& v) { return sum(cond(p, product, rows, v)); };
    const auto g = [&](const Tensor& v) {
      return sum(cond(q, rows, waves, cond(p, product, light, v)));
    };
    return {grad(f, x), grad(g, x)};
  });
}

TEST(SideValues, OfTwoEvaluations) {
  for (const double held : {0.0, 1.0}) {
    support::HostDevice host(core::llvmpipe(), free_draws());
    const Tensor p = host.upload({held}, boolean, {});
    const Tensor x = host.upload({1, 2, 3, 4}, float32, {2, 2});
    const Tensor squared = matmul(x, x);
    const Tensor y = cond(
        p, [&](const Tensor& v) { return v + squared; }, light, x);
    host.evaluate(Tensors{y});
    const auto later = host.read(squared);
    const Doubles want{7, 10, 15, 22};
    for (std::size_t k = 0; k < want.size(); ++k) EXPECT_EQ(later[k].value, want[k]) << held;
  }
}

}  // namespace
}  // namespace trigon
