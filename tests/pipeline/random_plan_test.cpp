// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/kernel_interpreter.hpp"
#include "support/plans.hpp"
#include "support/random_plans.hpp"
#include "support/random_runs.hpp"
#include "support/tiny_target.hpp"

// Invariants of all plans of all graphs and devices.

namespace trigon {
namespace {

using core::Layout;
using core::Target;
using kernel::Instr;
using plan::Plan;
using plan::Step;

/// Whether a block is `inner` or contains it.
bool is_around(const kernel::Kernel& kernel, std::int32_t block, std::int32_t inner) {
  while (inner > block) inner = kernel.blocks[static_cast<std::size_t>(inner)].parent;
  return inner == block;
}

void check_code(const kernel::Kernel& kernel) {
  const auto size = static_cast<std::int32_t>(kernel.code.size());
  for (std::int32_t k = 0; k < size; ++k) {
    const Instr& instr = kernel.code[static_cast<std::size_t>(k)];
    each<kernel::Operand>(instr, [&](kernel::Operand operand) {
      ASSERT_LT(operand, k);
      EXPECT_TRUE(is_around(kernel, kernel[operand].block, instr.block));
    });
    each<kernel::InputNumber>(instr, [&](kernel::InputNumber input) {
      EXPECT_LT(input, static_cast<std::int32_t>(kernel.inputs.size()));
    });
  }
  for (std::size_t k = 1; k < kernel.blocks.size(); ++k) {
    const kernel::Block& block = kernel.blocks[k];
    ASSERT_TRUE(block.trips >= 0 && block.trips < size);
    EXPECT_TRUE(is_around(kernel, kernel[block.trips].block, block.parent));
    EXPECT_FALSE(block.carried.empty());
    for (const auto& [before, at_end] : block.carried) {
      ASSERT_TRUE(before >= 0 && at_end >= 0 && before < size && at_end < size);
      EXPECT_TRUE(is_around(kernel, kernel[before].block, block.parent));
      EXPECT_EQ(kernel[before].type, kernel[at_end].type);
    }
  }
  for (const kernel::KernelOutput& output : kernel.outputs) {
    ASSERT_TRUE(output.value >= 0 && output.value < size);
    EXPECT_EQ(kernel[output.value].block, 0);
    EXPECT_EQ(kernel[output.value].type, output.type);
  }
  EXPECT_EQ(kernel.hash, kernel::content_hash(kernel));
}

void check_caps(const Step& step, const Target& target) {
  const kernel::Kernel& kernel = *step.kernel;
  EXPECT_EQ(kernel.dialect, target.dialect);
  EXPECT_LE(static_cast<std::int64_t>(kernel.inputs.size()), target.samplers);
  EXPECT_LE(static_cast<std::int64_t>(kernel.outputs.size()), target.draw_buffers);
  EXPECT_LE((kernel.ints + 3) / 4 + (kernel.floats + 3) / 4 + 1, target.uniform_vectors);
  EXPECT_LE(step.trips, target.trip_limit);
  EXPECT_EQ(static_cast<std::size_t>(kernel.ints), step.ints.size());
  EXPECT_EQ(static_cast<std::size_t>(kernel.floats), step.floats.size());
  EXPECT_EQ(static_cast<std::int64_t>(kernel.outputs.size()), step.attachments());
}

void check_points(const Step& step, const Target& target) {
  EXPECT_TRUE(target.float_blend);
  EXPECT_GT(step.points->count, 0);
  EXPECT_EQ(step.ints.size(), static_cast<std::size_t>(kernel::PointsUniforms::vectors) * 4);
  EXPECT_TRUE(step.floats.empty());
  ASSERT_EQ(step.outputs.size(), 1u);
  EXPECT_TRUE(step.outputs[0].in_place);
}

void check_outputs(const Step& step, const Target& target) {
  EXPECT_TRUE(step.w > 0 && step.h > 0 && step.draws > 0);
  for (const plan::StepOutput& output : step.outputs) {
    EXPECT_LE(output.layout.width, target.max_side);
    EXPECT_LE(output.layout.height, target.max_side);
    EXPECT_LE(output.layout.layers, target.max_layers);
    EXPECT_LE(step.x.base + step.x.scale * step.x.high + step.w, output.layout.width);
    EXPECT_LE(step.y.base + step.y.scale * step.y.high + step.h, output.layout.height);
    const bool is_write = output.in_place && !step.points;
    EXPECT_EQ(step.draws * output.attachments, is_write ? 1 : output.layout.layers);
  }
}

void check_plan(const graph::Collected& graph, const Plan& plan, const Target& target) {
  struct Slot {
    bool filled = false, released = false;
    Layout layout{};
  };
  std::vector<Slot> slots(static_cast<std::size_t>(plan.slots));
  for (const auto& [node, slot, layout] : plan.leaves) {
    slots[static_cast<std::size_t>(slot)] = {true, false, layout};
  }
  for (const Step& step : plan.steps) {
    if (step.points) {
      check_points(step, target);
    } else {
      check_code(*step.kernel);
      check_caps(step, target);
    }
    check_outputs(step, target);
    const std::vector<kernel::KernelInput> inputs = support::declared_inputs(step);
    ASSERT_EQ(step.inputs.size(), inputs.size());
    for (std::size_t k = 0; k < step.inputs.size(); ++k) {
      const Slot& input = slots[static_cast<std::size_t>(step.inputs[k])];
      EXPECT_TRUE(input.filled && !input.released);
      for (const plan::StepOutput& output : step.outputs) {
        EXPECT_NE(step.inputs[k], output.slot) << "a texture is read and written by one draw";
      }
      EXPECT_EQ(inputs[k].layered, input.layout.layers > 1);
      EXPECT_EQ(inputs[k].type, core::texel_type(target, input.layout.dtype));
    }
    const auto scalars = static_cast<std::int32_t>(graph.scalars.size());
    for (const kernel::IntExpr& e : step.ints) EXPECT_LT(e.scalar, scalars);
    for (const kernel::FloatExpr& e : step.floats) EXPECT_LT(e.scalar, scalars);
    for (const plan::StepOutput& output : step.outputs) {
      Slot& slot = slots[static_cast<std::size_t>(output.slot)];
      EXPECT_EQ(slot.filled, output.in_place);
      slot = {true, false, output.layout};
    }
    for (std::int32_t slot : step.last_use) slots[static_cast<std::size_t>(slot)].released = true;
  }
  for (const auto& [node, slot, layout] : plan.stored) {
    EXPECT_TRUE(slots[static_cast<std::size_t>(slot)].filled);
    EXPECT_FALSE(slots[static_cast<std::size_t>(slot)].released);
  }
  for (std::int32_t root : graph.roots) {
    const bool stored = std::any_of(plan.stored.begin(), plan.stored.end(),
                                    [&](const Plan::Binding& b) { return b.node == root; });
    EXPECT_TRUE(stored || graph[root].stored || graph[root].node->shape.numel() == 0);
  }
}

/// The roots of a random graph, to which nothing else refers.
std::vector<Tensor> random_roots(std::uint32_t seed, Profile profile) {
  const support::RandomGraph graph = random_host_graph(seed, support::random_steps(seed), profile);
  std::vector<Tensor> roots;
  for (const support::RandomValue* root : graph.roots()) roots.push_back(root->tensor);
  return roots;
}

void check_random_graphs(const char* name, const Target& target) {
  const bool is_webgl1 = target.dialect == core::Dialect::es100;
  for (std::uint32_t seed = 0; seed < support::random_seeds(400); ++seed) {
    SCOPED_TRACE(std::string(name) + ", seed " + std::to_string(seed));
    const std::vector<Tensor> roots =
        random_roots(seed, is_webgl1 ? Profile::webgl1 : Profile::webgl2);
    const graph::Collected graph = graph_of(roots, target);
    try {
      check_plan(graph, pipeline::make_plan(graph, target, costs_of(target)), target);
    } catch (const std::exception& e) {
      ADD_FAILURE() << e.what();
    }
    if (::testing::Test::HasFailure()) return;  // one is enough to look at
  }
}

TEST(PlanInvariants, HoldOnWebGl1) { check_random_graphs("webgl1", core::webgl1_minimum()); }
TEST(PlanInvariants, HoldOnEs30) { check_random_graphs("ES 3.0", core::es30_minimum()); }
TEST(PlanInvariants, HoldOnLlvmpipe) { check_random_graphs("llvmpipe", core::llvmpipe()); }
TEST(PlanInvariants, HoldOnLlvmpipeWithWebGl1) {
  check_random_graphs("llvmpipe, webgl1", core::llvmpipe_webgl1());
}
TEST(PlanInvariants, HoldOnAnH200) { check_random_graphs("H200", core::h200()); }
TEST(PlanInvariants, HoldOnATinyDevice) { check_random_graphs("tiny", support::tiny_target()); }

}  // namespace
}  // namespace trigon
