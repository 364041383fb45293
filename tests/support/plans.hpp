// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <trigon/operators.hpp>
#include <trigon/tensor.hpp>

#include "core/internals.hpp"
#include "core/layout.hpp"
#include "core/targets.hpp"
#include "graph/collect.hpp"
#include "graph/node.hpp"
#include "pipeline/make_plan.hpp"

// Plans without a device: helpers of the tests of the planner and of the emitter.

namespace trigon {

/// The devices that are written down.
struct NamedTarget {
  const char* name;
  core::Target target;
};

inline std::vector<NamedTarget> targets() {
  return {{"WebGL 1's minimum", core::webgl1_minimum()},
          {"ES 3.0's minimum", core::es30_minimum()},
          {"llvmpipe", core::llvmpipe()},
          {"llvmpipe, webgl1", core::llvmpipe_webgl1()},
          {"H200", core::h200()}};
}

/// Draws and compiling cost so much that a loop stays in one kernel, with its short reductions.
inline core::Costs slow_compiles() {
  core::Costs costs = core::llvmpipe_costs;
  costs.draw *= 1000;
  costs.compile_operation *= 1000;
  return costs;
}

/// A leaf without texels, which can be planned for any Target.
inline Tensor host_leaf(const Shape& shape, DType dtype = float32) {
  const auto node = std::make_shared<graph::Node>(graph::Kind::leaf, dtype, shape);
  const auto texture = std::make_shared<char>();
  node->storage = {texture, reinterpret_cast<run::Storage*>(texture.get())};
  return detail::Internals::tensor(node);
}

inline Tensor chain(Tensor x, int length) {
  for (int k = 0; k < length; ++k) x = x + 1.0;
  return x;
}

/// A second node with the texture of `x`.
inline Tensor alias_of(const Tensor& x) {
  const Tensor y = detail::Internals::tensor(
      std::make_shared<graph::Node>(graph::Kind::leaf, x.dtype(), x.shape()));
  detail::Internals::node(y)->storage = detail::Internals::node(x)->storage;
  return y;
}

/// Leaves have the layouts of uploads.
inline graph::StorageOf flat_leaves(const core::Target& target) {
  return [target](const graph::Node& node) {
    return graph::LeafStorage{node.storage.get(), core::flat_layout(target, node.dtype, node.shape),
                              node.storage.use_count() == 1};
  };
}

inline std::vector<graph::NodePtr> nodes_of(std::span<const Tensor> roots) {
  std::vector<graph::NodePtr> nodes;
  for (const Tensor& root : roots) nodes.push_back(detail::Internals::node(root));
  return nodes;
}

inline graph::Collected graph_of(std::span<const Tensor> roots, const core::Target& target) {
  return graph::collect(nodes_of(roots), flat_leaves(target));
}

/// llvmpipe's costs for its target, a GPU's for others.
inline const core::Costs& costs_of(const core::Target& target) {
  return target.sampler_fetch ? core::llvmpipe_costs : core::gpu_costs;
}

inline plan::Plan plan_of(std::span<const Tensor> roots, const core::Target& target) {
  return pipeline::make_plan(graph_of(roots, target), target, costs_of(target));
}
inline plan::Plan plan_of(const Tensor& root, const core::Target& target = core::h200()) {
  return plan_of(std::span(&root, 1), target);
}

inline std::vector<std::uint64_t> key_of(const Tensor& root,
                                         const core::Target& target = core::h200()) {
  return graph::plan_key(graph_of(std::span(&root, 1), target));
}

inline std::int64_t draws(const plan::Plan& plan) {
  std::int64_t count = 0;
  for (const plan::Step& step : plan.steps) count += step.draws;
  return count;
}

inline std::int64_t fetches(const plan::Plan& plan) {
  std::int64_t count = 0;
  for (const plan::Step& step : plan.steps) count += step.fetches * step.fragments;
  return count;
}

inline std::int64_t most_trips(const plan::Plan& plan) {
  std::int64_t most = 0;
  for (const plan::Step& step : plan.steps) most = std::max(most, step.trips);
  return most;
}

inline std::int64_t multiply_adds(const plan::Plan& plan) {
  std::int64_t count = 0;
  for (const plan::Step& step : plan.steps) count += step.multiply_adds * step.fragments;
  return count;
}

inline std::size_t instructions(const plan::Plan& plan) {
  std::size_t count = 0;
  for (const plan::Step& step : plan.steps) {
    if (step.kernel != nullptr) count += step.kernel->code.size();
  }
  return count;
}

/// Different kernels, which would be compiled.
inline std::size_t programs(const plan::Plan& plan) {
  std::vector<const kernel::Kernel*> seen;
  for (const plan::Step& step : plan.steps) {
    if (step.kernel == nullptr) continue;
    const bool known = std::any_of(seen.begin(), seen.end(), [&](const kernel::Kernel* kernel) {
      return *kernel == *step.kernel;
    });
    if (!known) seen.push_back(step.kernel.get());
  }
  return seen.size();
}

/// Loads of a kernel's loop: the fetches of an iteration.
inline std::int64_t fetches_per_trip(const kernel::Kernel& kernel) {
  std::int64_t count = 0;
  for (const kernel::Instr& instr : kernel.code) {
    const auto* load = instr.as<kernel::Load>();
    if (load == nullptr || instr.block == 0) continue;
    count += load->fetch == kernel::Fetch::lanes ? 4 : 1;
  }
  return count;
}

}  // namespace trigon
