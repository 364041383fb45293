// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <unordered_set>
#include <vector>

#include <trigon/trigon.hpp>

#include "plan/plan_cache.hpp"
#include "support/plans.hpp"

// The draws of long graphs, their slots, and the keys by which plans are found.

namespace trigon {
namespace {

using core::Target;
using plan::Plan;
using plan::Step;

// ---- Chains and diamonds

TEST(PlanChain, OfSixtyFourOpsIsOneDraw) {
  for (const auto& [name, target] : targets()) {
    if (target.dialect == core::Dialect::es100) continue;
    EXPECT_EQ(plan_of(chain(host_leaf({64, 64}), 64), target).steps.size(), 1u) << name;
  }
}

TEST(PlanChain, OfSixtyFourOpsAndViewsIsOneDraw) {
  Tensor x = host_leaf({40, 60});
  for (int k = 0; k < 16; ++k) {
    x = flip(x * 1.25);
    x = tanh(x).T();
  }
  EXPECT_EQ(plan_of(x).steps.size(), 1u);
}

TEST(PlanChain, IsCutAtTheInstructionsOfTheTarget) {
  const auto most = static_cast<int>(core::h200().instructions);
  // The Thue-Morse sequence contains no part three times in a row, so nothing becomes a loop.
  const auto plan_of_ops = [](int ops) {
    Tensor x = host_leaf({64, 64});
    for (int k = 0; k < ops; ++k) {
      x = std::popcount(static_cast<unsigned>(k)) % 2 == 0 ? x + 1.5 : x * 1.25;
    }
    return plan_of(x);
  };
  EXPECT_EQ(plan_of_ops(most).steps.size(), 1u);
  const Plan longer = plan_of_ops(2 * most);
  EXPECT_GE(longer.steps.size(), 2u);
  EXPECT_LE(longer.steps.size(), 3u);
}

TEST(PlanChain, OfAHundredThousandNodesIsFewDrawsOfFewPrograms) {
  const Plan plan = plan_of(chain(host_leaf({64}), 100'000));
  EXPECT_LE(draws(plan), 200);
  EXPECT_LE(programs(plan), 3u);
}

TEST(PlanDiamond, GrowsLinearly) {
  const auto of_depth = [](int depth) {
    Tensor x = host_leaf({64, 64});
    for (int k = 0; k < depth; ++k) x = x * x + x;
    return plan_of(x);
  };
  const Plan plan = of_depth(1000);
  EXPECT_LE(plan.steps.size(), 32u);
  EXPECT_LE(programs(plan), 3u);
  EXPECT_LE(instructions(plan), 2500u);  // two ops a level, and addresses
  EXPECT_LE(fetches(plan), 32 * 64 * 64 / 4);
}

// ---- Slots

TEST(Plan, DrawsNoSlicesThatLieInWholeTexels) {
  const Tensor x = host_leaf({64, 64});
  const std::vector<Tensor> roots{x[4], x[5], x[Slice{8, 16}], x.reshape({4096})};
  EXPECT_TRUE(plan_of(roots, core::h200()).steps.empty());
  const std::vector<Tensor> others{x[4], x[5] + 1.0, x[6]};
  const Plan plan = plan_of(others, core::h200());
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].outputs.size(), 1u);
}

TEST(PlanSlots, AreReleasedOnceAndNeverReadAfter) {
  const Tensor x = host_leaf({32, 32});
  const Tensor h = nn::layer_norm(matmul(nn::softmax(x), x) + x);
  const Plan plan = plan_of(sum(nn::gelu(h)));
  std::vector<int> released(static_cast<std::size_t>(plan.slots), 0);
  for (const Step& step : plan.steps) {
    for (std::int32_t input : step.inputs) EXPECT_EQ(released[static_cast<std::size_t>(input)], 0);
    for (std::int32_t slot : step.last_use) ++released[static_cast<std::size_t>(slot)];
  }
  for (const auto& binding : plan.stored) {
    EXPECT_EQ(released[static_cast<std::size_t>(binding.slot)], 0);
  }
}

// ---- Keys

TEST(PlanKey, IsEqualForEqualGraphs) {
  const auto graph = [] { return nn::softmax(host_leaf({16, 16}) * 2.0) + host_leaf({16}); };
  EXPECT_EQ(key_of(graph()), key_of(graph()));
}

TEST(PlanKey, DiffersByConstant) {
  const Tensor x = host_leaf({16, 16});
  EXPECT_NE(key_of(x * 2.0), key_of(x * 3.0));
}

TEST(PlanKey, IsEqualForAllScalars) {
  const Tensor x = host_leaf({16, 16});
  EXPECT_EQ(key_of(x * Scalar(2.0)), key_of(x * Scalar(3.0)));
  EXPECT_NE(key_of(x * Scalar(2.0)), key_of(x * Scalar(2)));
}

TEST(PlanKey, DiffersByShapeDtypeOpAndOrder) {
  const Tensor a = host_leaf({16, 16});
  const Tensor b = host_leaf({16, 16});
  EXPECT_NE(key_of(a + b), key_of(host_leaf({16, 8}) + host_leaf({16, 8})));
  EXPECT_NE(key_of(a + b), key_of(a - b));
  EXPECT_NE(key_of(a + 1.0), key_of(host_leaf({16, 16}, float16) + 1.0));
  EXPECT_NE(key_of(a - exp(b)), key_of(exp(a) - b));
  EXPECT_NE(key_of(sum(a, 0)), key_of(sum(a, 1)));
}

TEST(PlanKey, DiffersByWhichLeavesAreOneTexture) {
  const Tensor a = host_leaf({16, 16});
  const Tensor b = host_leaf({16, 16});
  EXPECT_NE(key_of(a + alias_of(a)), key_of(a + b));
}

TEST(PlanKey, DiffersByOwnership) {
  const Tensor v = host_leaf({16});
  Tensor owned = host_leaf({16, 16});
  owned = owned.at(0).set(v);
  const Tensor held = host_leaf({16, 16});
  EXPECT_NE(key_of(owned), key_of(held.at(0).set(v)));
}

TEST(PlanKey, DiffersByTheGeometryOfALeaf) {
  const Tensor x = host_leaf({16, 18});
  const Tensor y = exp(x);
  const Target target = core::h200();
  const auto padded = [&](const graph::Node& node) {
    return graph::LeafStorage{node.storage.get(),
                              core::padded_layout(target, node.dtype, node.shape), false};
  };
  const auto flat = [&](const graph::Node& node) {
    return graph::LeafStorage{node.storage.get(), core::flat_layout(target, node.dtype, node.shape),
                              false};
  };
  const std::vector<graph::NodePtr> roots = {detail::Internals::node(y)};
  EXPECT_NE(graph::plan_key(graph::collect(roots, padded)),
            graph::plan_key(graph::collect(roots, flat)));
}

TEST(PlanCache, FindsAPlanAgain) {
  plan::PlanCache cache;
  const auto plan = std::make_shared<const Plan>();
  cache.add({1, 2, 3}, plan);
  EXPECT_EQ(cache.find({1, 2, 3}), plan);
  EXPECT_EQ(cache.find({1, 2}), nullptr);
  EXPECT_EQ(cache.find({1, 2, 4}), nullptr);
}

TEST(Plan, HasEqualKernelsOnce) {
  Tensor x = host_leaf({16, 16});
  for (int layer = 0; layer < 4; ++layer) x = nn::softmax(matmul(x, host_leaf({16, 16})));
  const Plan plan = plan_of(x);
  std::set<const kernel::Kernel*> addresses;
  std::unordered_set<std::shared_ptr<const kernel::Kernel>, kernel::KernelHash, kernel::KernelEqual>
      contents;
  for (const Step& step : plan.steps) {
    addresses.insert(step.kernel.get());
    contents.insert(step.kernel);
  }
  EXPECT_LT(addresses.size(), plan.steps.size());
  EXPECT_EQ(addresses.size(), contents.size());
}

// Bytes of a plan in a separate cache, with a key of one word.
std::size_t cached_bytes(const std::shared_ptr<const Plan>& plan) {
  plan::PlanCache cache;
  cache.add({0}, plan);
  return cache.bytes();
}

TEST(PlanCache, ForgetsFirstWhatWasNotUsedForLongest) {
  const auto plan = std::make_shared<const Plan>();
  plan::PlanCache cache(10 * cached_bytes(plan));
  for (std::uint64_t k = 0; k < 10; ++k) cache.add({k}, plan);
  for (std::uint64_t k = 0; k < 10; k += 2) EXPECT_NE(cache.find({k}), nullptr);
  for (std::uint64_t k = 10; k < 15; ++k) cache.add({k}, plan);
  for (std::uint64_t k = 0; k < 10; ++k) EXPECT_EQ(cache.find({k}) != nullptr, k % 2 == 0) << k;
}

TEST(PlanCache, HoldsNoMoreBytesThanItsBound) {
  const auto small = std::make_shared<const Plan>(plan_of(exp(host_leaf({16, 16}))));
  const auto large = std::make_shared<const Plan>(
      plan_of(nn::softmax(matmul(host_leaf({8, 8}), host_leaf({8, 8})))));
  ASSERT_GT(large->host_bytes(), 2 * small->host_bytes());
  const std::size_t most = 5 * cached_bytes(large);
  plan::PlanCache cache(most);
  for (std::uint64_t k = 0; k < 200; ++k) {
    cache.add({k}, k % 3 == 0 ? large : small);
    EXPECT_LE(cache.bytes(), most);
    EXPECT_GE(cache.size(), std::min<std::size_t>(k + 1, 5));
  }
  const std::size_t with_both = cache.size();
  for (std::uint64_t k = 200; k < 400; ++k) cache.add({k}, small);
  EXPECT_GT(cache.size(), with_both);
  EXPECT_LE(cache.bytes(), most);
}

TEST(PlanCache, CountsTheBytesOfKeys) {
  const auto plan = std::make_shared<const Plan>();
  plan::PlanCache cache(1 << 20);
  for (std::uint64_t k = 0; k < 40; ++k) {
    cache.add(std::vector<std::uint64_t>(10'000, k), plan);  // 80 KB
  }
  EXPECT_LE(cache.bytes(), std::size_t{1} << 20);
  EXPECT_EQ(cache.size(), 13u);
}

TEST(PlanCache, KeepsTheLastPlanHoweverLarge) {
  const auto plan = std::make_shared<const Plan>();
  plan::PlanCache cache(1);
  cache.add({1}, plan);
  cache.add({2}, plan);
  EXPECT_EQ(cache.find({1}), nullptr);
  EXPECT_EQ(cache.find({2}), plan);
}

}  // namespace
}  // namespace trigon
