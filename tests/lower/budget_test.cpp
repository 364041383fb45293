// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/errors.hpp"
#include "support/plans.hpp"

// Draws keep to the limits of a device.

namespace trigon {
namespace {

using plan::Plan;
using plan::Step;

/// Vectors that the program declares: both uniform arrays and u_special.
std::int64_t uniform_vectors(const kernel::Kernel& kernel) {
  return (kernel.ints + 3) / 4 + (kernel.floats + 3) / 4 + 1;
}

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

TEST(PlanCaps, CutAnEpilogueOfMoreInputsThanSamplers) {
  for (const auto& [name, target] : targets()) {
    for (Tensor y :
         {matmul(host_leaf({32, 64}), host_leaf({64, 64})), sum(host_leaf({64, 64}), 1)}) {
      for (int k = 0; k < 20; ++k) y = y + host_leaf({64});
      try {
        const Plan plan = plan_of(y, target);
        EXPECT_GE(plan.steps.size(), 2u) << name;
        EXPECT_EQ(plan.leaves.size(), 20u + (y.ndim() == 2 ? 2 : 1)) << name;
        for (const Step& step : plan.steps) {
          EXPECT_LE(static_cast<std::int64_t>(step.inputs.size()), target.samplers) << name;
        }
      } catch (const DeviceError& e) {
        ADD_FAILURE() << name << ": " << e.what();
      }
    }
  }
}

// The row and the epilogue together do not fit 16 uniform vectors, so the epilogue gets a separate
// draw. The copy of the weights, planned before that was known, must not get lost.
TEST(PlanCaps, KeepACopyWhenTheKernelThatWantedItIsCut) {
  Tensor row = host_leaf({1, 62});
  for (int k = 1; k <= 16; ++k) row = row * (1.5 + k);
  Tensor y = matmul(row, host_leaf({64, 62}).T());
  for (int k = 1; k <= 30; ++k) y = y * (1.0 + k);
  const Plan plan = plan_of(y, core::webgl1_minimum());
  ASSERT_EQ(plan.steps.size(), 3u);
  EXPECT_EQ(plan.steps[1].inputs.size(), 2u);
  EXPECT_EQ(plan.steps[2].inputs.size(), 1u);
  EXPECT_EQ(plan.notes.size(), 1u);
}

}  // namespace
}  // namespace trigon
