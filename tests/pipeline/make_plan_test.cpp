// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include <trigon/trigon.hpp>

#include "plan/plan_cache.hpp"
#include "support/errors.hpp"
#include "support/plans.hpp"
#include "support/tiny_target.hpp"

// The draws of a graph, and their costs. No test here needs a GPU.

namespace trigon {
namespace {

using core::Target;
using plan::Plan;
using plan::Step;

/// Vectors that the program declares: both uniform arrays and u_special.
std::int64_t uniform_vectors(const kernel::Kernel& kernel) {
  return (kernel.ints + 3) / 4 + (kernel.floats + 3) / 4 + 1;
}

Tensor chain(Tensor x, int length) {
  for (int k = 0; k < length; ++k) x = x + 1.0;
  return x;
}

// ---- Elementwise

TEST(PlanElementwise, FusesExpOfASumIntoOneDrawOfTwoFetches) {
  for (const auto& [name, target] : targets()) {
    const Plan plan = plan_of(exp(host_leaf({64, 64}) + host_leaf({64, 64})), target);
    ASSERT_EQ(plan.steps.size(), 1u) << name;
    EXPECT_EQ(plan.steps[0].fetches, 2) << name;
    EXPECT_EQ(plan.steps[0].fragments, 64 * 64 / 4) << name;
    EXPECT_EQ(plan.steps[0].draws, 1) << name;
  }
}

TEST(PlanElementwise, HasOneKernelForAllSizes) {
  const auto kernel = [](const Shape& shape) {
    return *plan_of(exp(host_leaf(shape) + host_leaf(shape))).steps[0].kernel;
  };
  const kernel::Kernel one = kernel({64, 64});
  EXPECT_EQ(one, kernel({100, 200}));
  EXPECT_EQ(one, kernel({333, 1000}));
  EXPECT_EQ(one, kernel({20, 30, 80}));
  EXPECT_EQ(one.hash, kernel({100, 200}).hash);
}

TEST(PlanElementwise, HasOneKernelForAllConstants) {
  const Tensor x = host_leaf({64, 64});
  const Plan two = plan_of(x * 2.0);
  const Plan three = plan_of(x * 3.0);
  EXPECT_EQ(*two.steps[0].kernel, *three.steps[0].kernel);
  EXPECT_EQ(two.steps[0].floats[0].value, 2.0);
  EXPECT_EQ(three.steps[0].floats[0].value, 3.0);
}

TEST(PlanElementwise, FetchesARepeatedInputOnce) {
  const Tensor x = host_leaf({64, 64});
  const Plan plan = plan_of(x * x + exp(x));
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].fetches, 1);
}

TEST(PlanElementwise, FetchesTwoNodesOfOneTextureOnce) {
  const Tensor x = host_leaf({64, 64});
  const Plan plan = plan_of(x * alias_of(x));
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].fetches, 1);
  EXPECT_EQ(plan.leaves.size(), 1u);
}

TEST(PlanElementwise, ReadsABiasAlongRowsAsTexels) {
  const Plan plan = plan_of(host_leaf({64, 64}) + host_leaf({64}));
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].fetches, 2);
}

TEST(PlanElementwise, ReadsAColumnOnceForFourLanes) {
  const Plan plan = plan_of(host_leaf({64, 64}) + host_leaf({64, 1}));
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].fetches, 2);
}

TEST(PlanElementwise, NeedsNoInputForWhatIsMadeOfNumbers) {
  const Plan random = plan_of(random::uniform(Scalar(7), {64, 64}));
  ASSERT_EQ(random.steps.size(), 1u);
  EXPECT_EQ(random.steps[0].fetches, 0);
  EXPECT_TRUE(random.steps[0].inputs.empty());
  const Plan counted = plan_of(iota(100).astype(float32) * 0.5 + 1.0);
  ASSERT_EQ(counted.steps.size(), 1u);
  EXPECT_EQ(counted.steps[0].fetches, 0);
}

TEST(PlanElementwise, StoresOnlyWhatIsAskedFor) {
  const Tensor a = exp(host_leaf({64, 64}));
  const Plan plan = plan_of(a + 1.0);  // `a` still has a handle, but lies within the kernel
  EXPECT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.stored.size(), 1u);
}

TEST(PlanElementwise, GoesOnInADrawThatComesBeforeItsOtherReaders) {
  const Tensor a = exp(host_leaf({8, 8}));
  const Tensor turned = flip(a);
  const Tensor b = a + 1.0;
  const Tensor c = tanh(b);
  const Tensor y = c + turned;  // not in the draw of a, which that of `turned` reads
  for (const auto& [name, target] : targets()) {
    const Plan plan = plan_of(std::vector<Tensor>{a, turned, b, c, y}, target);
    EXPECT_EQ(draws(plan), target.draw_buffers == 1 ? 5 : 2) << name;
  }
}

TEST(Plan, DrawsNoSlicesThatLieInWholeTexels) {
  const Tensor x = host_leaf({64, 64});
  const std::vector<Tensor> roots{x[4], x[5], x[Slice{8, 16}], x.reshape({4096})};
  EXPECT_TRUE(plan_of(roots, core::h200()).steps.empty());
  const std::vector<Tensor> others{x[4], x[5] + 1.0, x[6]};
  const Plan plan = plan_of(others, core::h200());
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].outputs.size(), 1u);
}

TEST(PlanElementwise, DrawsNothingForAStoredRoot) {
  EXPECT_TRUE(plan_of(host_leaf({64, 64})).steps.empty());
}

TEST(PlanElementwise, DrawsNothingForAnEmptyRoot) {
  EXPECT_TRUE(plan_of(host_leaf({0, 64}) + 1.0).steps.empty());
}

TEST(PlanElementwise, SharesWorkBetweenRoots) {
  const Tensor shared = sum(host_leaf({64, 64}), 1, true);
  const std::vector<Tensor> roots = {shared + 1.0, shared * 2.0};
  const Plan plan = plan_of(roots, core::h200());
  EXPECT_EQ(plan.stored.size(),
            3u);  // `shared` has a handle, and its texture costs nothing more
  std::int64_t reductions = 0;
  for (const Step& step : plan.steps) reductions += step.trips > 0 ? 1 : 0;
  EXPECT_EQ(reductions, 1);
}

// ---- Views

TEST(PlanView, IsPartOfTheKernelThatReadsIt) {
  const Tensor x = host_leaf({12, 20});
  const Tensor y = x.T()[Slice{1, 8}] + broadcast_to(host_leaf({1}), {7, 12});
  EXPECT_EQ(plan_of(y).steps.size(), 1u);
}

TEST(PlanView, OfAReshapeFetchesTexelByTexel) {
  const Plan plan = plan_of(reshape(host_leaf({64, 64}), {16, 256}) + 1.0);
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].fetches, 1);
}

TEST(PlanView, OfATransposeFetchesFourTexels) {
  const Plan plan = plan_of(host_leaf({64, 64}).T() + 1.0);
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].fetches, 4);
}

TEST(PlanView, OfWholeTexelsIsOneFetch) {
  const Plan plan = plan_of(host_leaf({64, 64}).at(ellipsis, Slice{8, 40}).get() * 2.0);
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].fetches, 1);
}

TEST(PlanView, OfARunTimeRowIsOneFetchAndOnePlan) {
  const auto row = [](int k) { return host_leaf({64, 64}).at(Scalar(k)).get() + 1.0; };
  const Plan plan = plan_of(row(3));
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].fetches, 1);
  EXPECT_EQ(key_of(row(3)), key_of(row(5)));
}

// The accumulators of all pieces of a long reduction stand in one texture, here of 63 x 63 texels.
TEST(PlanReduce, HasNoMorePiecesThanATextureHolds) {
  const Tensor x = host_leaf({3, 100'001});
  for (const Tensor& y : {argmax(x.T(), 0), var(x.T(), 0), argmax(x, 1), var(x, 1)}) {
    EXPECT_GE(plan_of(y, support::tiny_target()).steps.size(), 2U);
  }
}

TEST(PlanView, OfAConcatenationIsOneDraw) {
  const Plan plan = plan_of(concatenate({host_leaf({16, 64}), host_leaf({32, 64}) + 1.0}));
  EXPECT_EQ(plan.steps.size(), 1u);
}

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

// ---- Caps

TEST(PlanCaps, SplitMoreInputsThanSamplers) {
  for (const auto& [name, target] : targets()) {
    const auto inputs = static_cast<std::size_t>(target.samplers) + 1;
    Tensor total = host_leaf({64, 64});
    for (std::size_t k = 1; k < inputs; ++k) total = total + host_leaf({64, 64});
    const Plan plan = plan_of(total, target);
    EXPECT_EQ(plan.steps.size(), 2u) << name;
    for (const Step& step : plan.steps) EXPECT_LE(step.inputs.size(), inputs - 1) << name;
    EXPECT_EQ(plan.leaves.size(), inputs) << name;
  }
}

TEST(PlanCaps, SplitMoreConstantsThanUniformVectors) {
  for (const auto& [name, target] : targets()) {
    Tensor x = host_leaf({64, 64});
    // No sequence occurs three times in a row, so no stretch becomes a loop.
    for (unsigned k = 1; k <= 2000; ++k) {
      x = std::popcount(k) % 2 == 0 ? x * (1.0 + k) + 0.25 * k * k : 0.25 * k * k - x * (1.0 + k);
    }
    const Plan plan = plan_of(x, target);
    for (const Step& step : plan.steps) {
      EXPECT_LE(uniform_vectors(*step.kernel), target.uniform_vectors) << name;
    }
    EXPECT_GE(plan.steps.size(), 8u) << name;
  }
}

TEST(PlanCaps, BoundALongConcatenation) {
  for (const auto& [name, target] : targets()) {
    std::vector<Tensor> rows;
    for (int k = 0; k < 40; ++k) rows.push_back(host_leaf({k + 1, 8}));
    const Plan plan = plan_of(concatenate(rows), target);
    for (const Step& step : plan.steps) {
      EXPECT_LE(static_cast<std::int64_t>(step.inputs.size()), target.samplers) << name;
      EXPECT_LE(uniform_vectors(*step.kernel), target.uniform_vectors) << name;
    }
  }
}

TEST(PlanCaps, RefuseATensorPastAllLimits) {
  EXPECT_EQ(support::error_of<DeviceError>([&] {
              plan_of(zeros({3000, 3000, 16}) + Scalar(1.0), core::webgl1_minimum());
            }),
            "trigon::eval: tensor too large for the device: shape (3000, 3000, 16), 576000000 "
            "bytes, 17579 texture rows of 2048 texels; at most 2048 rows");
}

// A plan that compiles sooner would store a value that this one computes within a draw.
TEST(PlanCaps, StoreNothingPastAllLimitsThatADrawCanCompute) {
  const Tensor distances = chain(host_leaf({5000, 1}) - host_leaf({1, 5000}), 300);
  for (const Tensor& sums : {sum(distances, 1), sum(exp(distances) + distances * distances, 1)}) {
    const Plan plan = plan_of(sums, core::webgl1_minimum());
    for (const Step& step : plan.steps) EXPECT_EQ(step.outputs[0].layout.shape.numel(), 5000);
  }
}

TEST(PlanCaps, RefuseAnOpOfMoreInputsThanSamplers) {
  core::Target target = core::webgl1_minimum();
  target.samplers = 1;
  EXPECT_EQ(support::error_of<DeviceError>([&] {
              plan_of(host_leaf({8, 8}) + host_leaf({8, 8}), target);
            }),
            "trigon::eval: no kernel fits the device: an op of shape (8, 8) needs more than 1 "
            "samplers, 16 uniform vectors or 65000 iterations of loops");
}

TEST(PlanCaps, WebGL1HoldsWhatTheLargestTextureHolds) {
  const core::Target target = core::llvmpipe_webgl1();
  for (const Shape& shape : {Shape{16'384, 65'536}, Shape{40'000, 10'000}, Shape{2'000, 3'000, 16},
                             Shape{1'000'000, 128}, Shape{1 << 30}, Shape{1'000'000'007},
                             Shape{40'001, 10'007}, Shape{100'000'007, 3}, Shape{3, 100'000'007}}) {
    const Tensor x = host_leaf(shape), bias = host_leaf({shape.back()});
    for (const Tensor& y :
         {exp(x) * 2.0 + bias, flip(x) + x, nn::softmax(x), sum(x, -1), max(x, -1),
          x.astype(int32) + 1, sum(x), reshape(x, {-1}) * 2.0, sum(x, 0), roll(x, 5)}) {
      EXPECT_EQ(support::error_of<DeviceError>([&] { plan_of(y, target); }), "no error")
          << to_string(shape);
    }
  }
}

TEST(PlanCaps, RefuseIndicesPastTheShadersIntegers) {
  const Tensor x = reshape(broadcast_to(host_leaf({50000, 1}), {50000, 60001}), {-1});
  EXPECT_EQ(support::error_of<DeviceError>([&] { plan_of(take(x, tensor({5}, {1}), 0)); }),
            "trigon::eval: too many elements for the shader's integers: an index reaches "
            "3000050000; at most 2147483647; compute parts of the tensor on their own");
}

// ---- Slots

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
