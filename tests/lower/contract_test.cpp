// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include <trigon/trigon.hpp>

#include "support/plans.hpp"

// The draws of contractions, and their costs.

namespace trigon {
namespace {

using core::Target;
using plan::Plan;
using plan::Step;

TEST(PlanMatmul, ComputesBlocksOfEightRows) {
  const Plan plan = plan_of(matmul(host_leaf({1024, 1024}), host_leaf({1024, 1024})));
  ASSERT_EQ(plan.steps.size(), 1u);
  const Step& step = plan.steps[0];
  EXPECT_EQ(step.kernel->outputs.size(), 8u);
  EXPECT_EQ(step.draws, 1);
  EXPECT_EQ(step.w, 256);
  EXPECT_EQ(step.h, 128);
  EXPECT_EQ(step.outputs[0].layout.layers, 8);
  // Two fragments share the inner axis: 8 rows of a, and 4 of b for each of both texels.
  EXPECT_EQ(step.trips, 128);
  EXPECT_EQ(fetches_per_trip(*step.kernel), 16);
  EXPECT_EQ(step.multiply_adds / step.trips, 256);
  EXPECT_EQ(multiply_adds(plan), std::int64_t{1024} * 1024 * 1024);
}

TEST(PlanMatmul, ComputesBlocksAloneWhereDerivativesAreNotExact) {
  Target target = core::h200();
  target.share_quads = false;
  const Plan plan = plan_of(matmul(host_leaf({1024, 1024}), host_leaf({1024, 1024})), target);
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].trips, 256);
  EXPECT_EQ(fetches_per_trip(*plan.steps[0].kernel), 12);
  EXPECT_EQ(plan.steps[0].multiply_adds / plan.steps[0].trips, 128);
}

/// Without overlays.
Target without_blending() {
  Target target = core::h200();
  target.float_blend = false;
  return target;
}

TEST(PlanMatmul, ComputesWholePairsOfTexels) {
  const Tensor y = matmul(host_leaf({40, 100}), host_leaf({100, 36}));
  const Plan plan = plan_of(y, without_blending());
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].w, 10);  // nine texels and one past the end
  EXPECT_EQ(plan.steps[0].trips, 13);
  EXPECT_EQ(plan.steps[0].kernel->outputs.size(), 8u);
}

TEST(PlanMatmul, SharesNoShortInnerAxis) {
  const Plan plan = plan_of(matmul(host_leaf({64, 16}), host_leaf({16, 64})));
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(fetches_per_trip(*plan.steps[0].kernel), 12);
}

TEST(PlanMatmul, ComputesFourRowsWithFourDrawBuffers) {
  const Plan plan = plan_of(matmul(host_leaf({64, 64}), host_leaf({64, 64})), core::es30_minimum());
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].kernel->outputs.size(), 4u);
  EXPECT_EQ(fetches_per_trip(*plan.steps[0].kernel), 8);
}

TEST(PlanMatmul, ComputesOneRowInGlslEs100) {
  for (const Target& target : {core::webgl1_minimum(), core::llvmpipe_webgl1()}) {
    const Plan plan = plan_of(matmul(host_leaf({64, 64}), host_leaf({64, 64})), target);
    ASSERT_EQ(plan.steps.size(), 1u);
    EXPECT_EQ(plan.steps[0].kernel->outputs.size(), 1u);
    EXPECT_EQ(plan.steps[0].outputs[0].layout.layers, 1);
    EXPECT_EQ(fetches_per_trip(*plan.steps[0].kernel), 5);
  }
}

TEST(PlanMatmul, FusesBiasGeluAndResidual) {
  const Tensor y = matmul(host_leaf({128, 256}), host_leaf({256, 512})) + host_leaf({512});
  const Plan plan = plan_of(nn::gelu(y, nn::Gelu::tanh) + host_leaf({128, 512}));
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].kernel->outputs.size(), 8u);
  EXPECT_EQ(fetches_per_trip(*plan.steps[0].kernel), 16);
  EXPECT_EQ(plan.steps[0].fetches, 16 * 32 + 1 + 8);  // one bias texel, eight of the residual
}

TEST(PlanMatmul, ReadsTransposedOperandsInPlace) {
  for (const Tensor& b : {host_leaf({256, 256}), host_leaf({256, 256}).T()}) {
    const Plan plan = plan_of(matmul(host_leaf({128, 256}), b));
    ASSERT_EQ(plan.steps.size(), 1u);
    EXPECT_EQ(fetches_per_trip(*plan.steps[0].kernel), 16);
    EXPECT_TRUE(plan.notes.empty());
  }
}

TEST(PlanMatmul, ReadsATransposedLeftOperandInPlace) {
  for (const Tensor& b : {host_leaf({256, 256}), host_leaf({256, 256}).T()}) {
    const Plan plan = plan_of(matmul(host_leaf({256, 128}).T(), b));
    ASSERT_EQ(plan.steps.size(), 1u);
    EXPECT_EQ(fetches_per_trip(*plan.steps[0].kernel), 16);
    EXPECT_TRUE(plan.notes.empty());
  }
}

TEST(PlanMatmul, CopiesALeftOperandOfOddRowsAndSaysSo) {
  const Plan plan = plan_of(matmul(host_leaf({128, 255}), host_leaf({255, 256})));
  EXPECT_EQ(plan.steps.size(), 2u);
  ASSERT_EQ(plan.notes.size(), 1u);
  EXPECT_EQ(plan.notes[0],
            "copies a (128, 255) operand: its inner axis does not lie in whole texels");
}

TEST(PlanMatmul, StoresANumberAsTheWholeOperand) {
  for (const auto& [name, target] : targets()) {
    const Tensor product = matmul(zeros({8, 32}), host_leaf({32, 64}));
    EXPECT_EQ(plan_of(product, target).steps.size(), 2u) << name;
  }
}

TEST(PlanMatmul, ReadsTheBlocksOfAnotherWithoutACopy) {
  const Tensor h = matmul(host_leaf({64, 64}), host_leaf({64, 128}));
  const Plan plan = plan_of(matmul(nn::gelu(h), host_leaf({128, 64})));
  EXPECT_EQ(plan.steps.size(), 2u);
  EXPECT_EQ(fetches_per_trip(*plan.steps[1].kernel), 16);
}

TEST(PlanMatmul, DecodesWithSeventeenFetchesForSixtyFourMultiplyAdds) {
  const Tensor y = nn::linear(host_leaf({1, 768}), host_leaf({3072, 768}), host_leaf({3072}));
  const Plan plan = plan_of(nn::gelu(y));
  ASSERT_EQ(plan.steps.size(), 1u);
  const Step& step = plan.steps[0];
  // Four fragments share the inner axis: a texel of x serves 16 rows of the weights.
  EXPECT_EQ(fetches_per_trip(*step.kernel), 17);
  EXPECT_EQ(step.multiply_adds / step.trips, 64);
  EXPECT_EQ(step.fragments, 3072 / 4);
  EXPECT_EQ(step.trips, 768 / 16);
}

TEST(PlanMatmul, NormalisesItsRowWhereADrawCostsMore) {
  const auto draws_on = [](const Target& target, std::int64_t width, std::int64_t outputs) {
    const Tensor x =
        nn::layer_norm(host_leaf({1, width}), host_leaf({width}), host_leaf({width}), {1e-5});
    const Tensor y = nn::linear(x, host_leaf({outputs, width}), host_leaf({outputs}));
    return plan_of(y, target).steps.size();
  };
  // The fragments of the product find the moments and normalise the row.
  EXPECT_EQ(draws_on(core::llvmpipe(), 192, 768), 1u);
  EXPECT_EQ(draws_on(core::h200(), 768, 3072), 1u);
  // The row is read too often: moments, row, product.
  EXPECT_EQ(draws_on(core::llvmpipe(), 768, 3072), 3u);
  EXPECT_EQ(draws_on(core::llvmpipe(), 768, 50257), 3u);
  EXPECT_EQ(draws_on(core::h200(), 768, 50257), 3u);
}

TEST(PlanMatmul, HasOneKernelForAllSizes) {
  const auto kernel = [](std::int64_t m, std::int64_t k, std::int64_t n) {
    const Tensor y = matmul(host_leaf({m, k}), host_leaf({k, n}));
    return *plan_of(y, without_blending()).steps[0].kernel;
  };
  EXPECT_EQ(kernel(64, 64, 64), kernel(128, 256, 512));
  EXPECT_EQ(kernel(64, 64, 64), kernel(1024, 1024, 1024));
}

TEST(PlanMatmul, AddsOverlaysByBlendingWhereFragmentsAreFew) {
  const auto step = [](std::int64_t k, std::int64_t n, const Target& target) {
    const Tensor y = nn::linear(host_leaf({1, k}), host_leaf({n, k}), host_leaf({n}));
    const Plan plan = plan_of(y + host_leaf({1, n}), target);
    EXPECT_EQ(plan.steps.size(), 1u);
    return plan.steps[0];
  };
  const plan::Step drawn = step(768, 192, core::h200());
  EXPECT_EQ(drawn.overlays, 16);
  EXPECT_EQ(drawn.trips, 3);
  EXPECT_EQ(drawn.fragments, 16 * drawn.w * drawn.h);
  EXPECT_EQ(*drawn.kernel, *step(3072, 768, core::h200()).kernel);
  // Many fragments hide each other's fetches.
  EXPECT_EQ(step(768, 50257, core::h200()).overlays, 1);
  EXPECT_EQ(step(768, 192, core::llvmpipe()).overlays, 1);
  EXPECT_EQ(step(768, 192, without_blending()).overlays, 1);
  // Blending adds the overlays, so no op can follow the sum.
  const Tensor product = matmul(host_leaf({1, 768}), host_leaf({768, 192}));
  EXPECT_EQ(plan_of(tanh(product)).steps[0].overlays, 1);
  EXPECT_EQ(plan_of(product + product).steps[0].overlays, 1);
}

TEST(PlanMatmul, DividesTheReductionsOfItsRowAmongAQuad) {
  const Tensor x = nn::layer_norm(host_leaf({1, 192}), host_leaf({192}), host_leaf({192}), {1e-5});
  const Tensor y = nn::linear(x, host_leaf({768, 192}), host_leaf({768}));
  const auto trips = [&](bool share) {
    Target target = core::llvmpipe();
    target.share_quads = share;
    const Plan plan = plan_of(y, target);
    EXPECT_EQ(plan.steps.size(), 1u);
    return plan.steps[0].trips;
  };
  EXPECT_EQ(trips(false), 48 + 48);
  EXPECT_EQ(trips(true), 12 + 12);
}

TEST(PlanMatmul, SplitsALongInnerAxis) {
  for (const auto& [name, target] : targets()) {
    const Tensor y = matmul(host_leaf({8, 1'000'000}), host_leaf({1'000'000, 8}));
    const Plan plan = plan_of(y, target);
    EXPECT_GE(plan.steps.size(), 2u) << name;
    EXPECT_LT(most_trips(plan), 65'000) << name;
    EXPECT_GE(multiply_adds(plan), std::int64_t{64} * 1'000'000) << name;
  }
}

TEST(PlanMatmul, OfBatchesIsOneDraw) {
  const Plan plan = plan_of(matmul(host_leaf({4, 12, 64, 64}), host_leaf({4, 12, 64, 64})));
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(fetches_per_trip(*plan.steps[0].kernel), 16);
}

TEST(PlanMatmul, CountsTripsByARunTimeLength) {
  const auto product = [](int length) {
    return matmul(host_leaf({1, 1024}), host_leaf({1024, 64}), {.inner = Scalar(length)});
  };
  const Plan plan = plan_of(product(17));
  ASSERT_EQ(plan.steps.size(), 1u);
  const bool bounded = std::any_of(plan.steps[0].ints.begin(), plan.steps[0].ints.end(),
                                   [](const kernel::IntExpr& e) { return e.scalar == 0; });
  EXPECT_TRUE(bounded);
  EXPECT_EQ(key_of(product(17)), key_of(product(1000)));
}

}  // namespace
}  // namespace trigon
