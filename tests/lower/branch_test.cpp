// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "emit/emit.hpp"
#include "support/compared_device.hpp"
#include "support/host_device.hpp"
#include "support/plans.hpp"
#include "support/tiny_target.hpp"

// Branches of kernels, which `cond` makes of a predicate that is the same for all elements.

namespace trigon {
namespace {

using kernel::Apply;
using kernel::Call;
using kernel::Instr;
using kernel::Kernel;
using kernel::Load;
using kernel::Runs;
using support::Number;
using Doubles = std::vector<double>;

/// Enough work for a branch.
Tensor waves(const Tensor& x) { return sin(x * 3.0 + 0.5) * exp(-x * x) + cos(x * 5.0); }
Tensor powers(const Tensor& x) { return x * x * x - x * x * 0.5 + x * 0.25 - sqrt(abs(x) + 2.0); }

bool is_branch(const Kernel& kernel, std::int32_t block) {
  return kernel.blocks[static_cast<std::size_t>(block)].runs != Runs::trips;
}

/// Instructions of that kind that only run in a branch.
template <class Operation>
std::int64_t in_branches(const Kernel& kernel) {
  return std::count_if(kernel.code.begin(), kernel.code.end(), [&](const Instr& instr) {
    return instr.is<Operation>() && is_branch(kernel, instr.block);
  });
}
template <class Operation>
std::int64_t outside(const Kernel& kernel) {
  const auto all = std::count_if(kernel.code.begin(), kernel.code.end(),
                                 [&](const Instr& instr) { return instr.is<Operation>(); });
  return all - in_branches<Operation>(kernel);
}

std::int64_t branches(const Kernel& kernel) {
  std::int64_t count = 0;
  for (std::size_t k = 0; k < kernel.blocks.size(); ++k) {
    if (is_branch(kernel, static_cast<std::int32_t>(k))) ++count;
  }
  return count;
}

/// The kernel of a plan of one draw.
const Kernel& kernel_of(const plan::Plan& plan) {
  EXPECT_EQ(plan.steps.size(), 1U);
  return *plan.steps.at(0).kernel;
}

// ---- Structure

TEST(Branch, HoldsTheInstructionsAndFetchesOfItsSide) {
  const Tensor p = host_leaf({}, boolean), x = host_leaf({64}), w = host_leaf({64});
  const Tensor y = cond(
      p, [&](const Tensor& v) { return v * waves(w); }, [](const Tensor& v) { return -v; }, x);
  for (const auto& [name, target] : targets()) {
    const plan::Plan plan = plan_of(y, target);
    const Kernel& kernel = kernel_of(plan);
    EXPECT_EQ(branches(kernel), 1) << name;
    EXPECT_EQ(in_branches<Load>(kernel), 1) << name;
    EXPECT_EQ(outside<Load>(kernel), 2) << name << ": the predicate and x";
    EXPECT_EQ(outside<Apply>(kernel), 1) << name << ": -x";
    const std::string text = emit::emit(kernel).fragment;
    EXPECT_NE(text.find(".x != 0.0) {"), std::string::npos) << text;
  }
}

TEST(Branch, HasABlockForEachLongSide) {
  const Tensor p = host_leaf({}, boolean), x = host_leaf({64});
  const plan::Plan plan = plan_of(cond(p, waves, powers, x));
  const Kernel& kernel = kernel_of(plan);
  ASSERT_EQ(kernel.blocks.size(), 3U);
  EXPECT_EQ(kernel.blocks[1].runs, Runs::if_set);
  EXPECT_EQ(kernel.blocks[2].runs, Runs::if_unset);
  EXPECT_EQ(outside<Load>(kernel), 2) << "both read x, which is fetched once";
  EXPECT_EQ(in_branches<Load>(kernel), 0);
  EXPECT_EQ(outside<Apply>(kernel), 0);
}

TEST(Branch, IsNotWorthItForShortSides) {
  const Tensor p = host_leaf({}, boolean), x = host_leaf({64});
  const Tensor y = cond(
      p, [](const Tensor& v) { return v * 2.0; }, [](const Tensor& v) { return -v; }, x);
  EXPECT_EQ(kernel_of(plan_of(y)).blocks.size(), 1U);
}

TEST(Branch, NeedsOnePredicateForAllElements) {
  const Tensor x = host_leaf({64});
  EXPECT_EQ(kernel_of(plan_of(cond(x > 0.0, waves, powers, x))).blocks.size(), 1U);
}

TEST(Branch, OfALoopRunsInItsTrips) {
  const Tensor x = host_leaf({64}), w = host_leaf({64});
  const auto body = [&](const Tensor& i, const Tensor& s) {
    return cond(
        i < 10, [&](const Tensor& v) { return waves(v + exp(w)); },
        [](const Tensor& v) { return v * 0.5; }, s);
  };
  const Tensor y = fori_loop(0, 100, body, x);
  for (const core::Target& target : {core::llvmpipe(), core::llvmpipe_webgl1()}) {
    const plan::Plan plan = plan_of(y, target);
    const Kernel& kernel = kernel_of(plan);
    ASSERT_EQ(kernel.blocks.size(), 3U);
    EXPECT_EQ(kernel.blocks[1].runs, Runs::trips);
    EXPECT_EQ(kernel.blocks[2].runs, Runs::if_set);
    EXPECT_EQ(kernel.blocks[2].parent, 1);
    EXPECT_EQ(plan.steps[0].trips, 100) << "a branch is no trip";
    EXPECT_EQ(in_branches<Load>(kernel), 0) << "w is the same in all trips";
  }
}

TEST(Branch, HoldsTheBranchesOfItsSide) {
  const Tensor p = host_leaf({}, boolean), q = host_leaf({}, boolean), x = host_leaf({64});
  const auto inner = [&](const Tensor& v) { return cond(q, waves, powers, v) * cos(v); };
  const plan::Plan plan = plan_of(cond(
      p, inner, [](const Tensor& v) { return -v; }, x));
  const Kernel& kernel = kernel_of(plan);
  ASSERT_EQ(kernel.blocks.size(), 4U);
  EXPECT_EQ(kernel.blocks[1].parent, 0);
  EXPECT_EQ(kernel.blocks[2].parent, 1);
  EXPECT_EQ(kernel.blocks[3].parent, 1);
  EXPECT_EQ(in_branches<Load>(kernel), 1) << "of the inner predicate";
}

TEST(Branch, HoldsTheKernelsOfItsSide) {
  const ElementwiseKernel kernel(
      "T x", "T y", "float s = 0.0; for (int k = 0; k < 5; ++k) s += x; y = s * s", "five_times");
  const Tensor p = host_leaf({}, boolean), x = host_leaf({64});
  const Tensor y = cond(
      p, [&](const Tensor& v) { return kernel(v) + kernel(v * 2.0); },
      [](const Tensor& v) { return -v; }, x);
  const plan::Plan plan = plan_of(y + kernel(x));
  EXPECT_EQ(in_branches<Call>(kernel_of(plan)), 2);
  EXPECT_EQ(outside<Call>(kernel_of(plan)), 1);
}

// ---- Values

/// Checks results against the reference on the CPU, on devices of all kinds.
template <class F>
void expect_values(F function) {
  for (core::Target target :
       {core::h200(), core::llvmpipe(), core::llvmpipe_webgl1(), support::tiny_target()}) {
    for (const bool holds : {false, true}) {
      support::ComparedDevice device(target, costs_of(target));
      const Tensor p = device.stored({holds ? 1.0 : 0.0}, boolean, {});
      device.expect_values(function(p, device.waves()), holds ? "holds" : "does not hold");
    }
  }
}
using Tensors = std::vector<Tensor>;

TEST(BranchValues, AreThoseOfTheSideTaken) {
  expect_values([](const Tensor& p, const Tensor& x) -> Tensors {
    return {cond(p, waves, powers, x), cond(logical_not(p), waves, powers, x)};
  });
}

TEST(BranchValues, IgnoreNaNOnTheOtherSide) {
  expect_values([](const Tensor& p, const Tensor& x) -> Tensors {
    const auto none = [](const Tensor& v) { return sqrt(waves(v) - 1000.0); };
    return {cond(logical_and(p, false), none, waves, x), cond(logical_or(p, true), waves, none, x)};
  });
}

TEST(BranchValues, OfSeveralResultsShareAPredicate) {
  expect_values([](const Tensor& p, const Tensor& x) -> Tensors {
    const auto both = [](const Tensor& v) { return std::pair(waves(v), powers(v)); };
    const auto other = [](const Tensor& v) { return std::pair(powers(v), waves(v) + v); };
    const auto [first, second] = cond(p, both, other, x);
    return {first, second, first + second};
  });
}

TEST(BranchValues, NestAndAreReadOutside) {
  expect_values([](const Tensor& p, const Tensor& x) -> Tensors {
    const Tensor shared = waves(x);
    const auto inner = [&](const Tensor& v) { return cond(p, powers, waves, v + shared); };
    const Tensor y = cond(logical_not(p), inner, powers, x);
    const Tensor z = cond(p, inner, inner, y);
    return {y + shared, z * shared + waves(y), cond(p, waves, powers, cond(p, powers, waves, z))};
  });
}

TEST(BranchValues, OfViewsReductionsAndProducts) {
  expect_values([](const Tensor& p, const Tensor& x) -> Tensors {
    const auto rows = [](const Tensor& v) {
      const Tensor moved =
          concatenate({v.at(Slice{}, Slice{2, 5}).get(), v.at(Slice{}, Slice{0, 2}).get()}, 1);
      return waves(moved) + nn::softmax(v) + take(v, iota(6) % 4, 0);
    };
    const auto product = [](const Tensor& v) {
      return matmul(matmul(v, transpose(v)), waves(v)) - mean(v, 0);
    };
    const Tensor y = cond(p, rows, product, x);
    return {y, sum(y, 1), matmul(cond(p, waves, powers, x), transpose(y))};
  });
}

TEST(BranchValues, OfIntegersAndBools) {
  expect_values([](const Tensor& p, const Tensor& x) -> Tensors {
    const Tensor n = floor(x * 20.0).astype(int32);
    const auto mix = [](const Tensor& v) { return (v * 3 + 1) * v - v * v * 2 + v * 5 - 7; };
    const auto near = [&](const Tensor& v) { return logical_or(mix(v) > 3, mix(v + 1) < -5); };
    const auto far = [&](const Tensor& v) { return logical_and(mix(v) < 9, mix(v - 1) != 2); };
    return {cond(
                p, mix, [](const Tensor& v) { return -v; }, n),
            cond(p, near, far, n)};
  });
}

TEST(BranchValues, OfLoops) {
  expect_values([](const Tensor& p, const Tensor& x) -> Tensors {
    const auto body = [&](const Tensor& i, const std::pair<Tensor, Tensor>& s) {
      const Tensor next = cond(logical_xor(i % 3 == 0, p), waves, powers, s.first + s.second);
      const Tensor sum = cond(
          s.second > 2.5, [](const Tensor& v) { return powers(v) * 0.0; },
          [](const Tensor& v) { return v + 0.5; }, s.second);
      return std::pair(next * 0.25, sum);
    };
    const auto [last, count] = fori_loop(0, 11, body, std::pair(x, Tensor(0.0)));
    return {last, count};
  });
}

TEST(BranchValues, HaveTheGradientsOfWhere) {
  expect_values([](const Tensor& p, const Tensor& x) -> Tensors {
    const auto f = [&](const Tensor& v) { return sum(cond(p, waves, powers, v)); };
    const auto g = [&](const Tensor& v) { return sum(where(p, waves(v), powers(v))); };
    const Tensor a = grad(f, x), b = grad(g, x);
    return {a, b, a - b};
  });
}

}  // namespace
}  // namespace trigon
