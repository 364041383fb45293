// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <trigon/tensor.hpp>

#include "core/layout.hpp"
#include "core/targets.hpp"
#include "graph/collect.hpp"
#include "graph/node.hpp"
#include "pipeline/make_plan.hpp"

// Plans without a device: what tests of the planner and of the emitter share.

namespace trigon {

/// The devices that are written down.
struct NamedTarget {
  const char* name;
  plan::Target target;
};

inline std::vector<NamedTarget> targets() {
  return {{"WebGL 1's minimum", plan::webgl1_minimum()},
          {"ES 3.0's minimum", plan::es30_minimum()},
          {"llvmpipe", plan::llvmpipe()},
          {"llvmpipe, webgl1", plan::llvmpipe_webgl1()},
          {"H200", plan::h200()}};
}

/// A leaf whose texture nothing ever looks into, so that it can be planned for any Target.
inline Tensor host_leaf(const Shape& shape, DType dtype = float32) {
  const auto node = std::make_shared<graph::Node>(graph::Kind::leaf, dtype, shape);
  const auto texture = std::make_shared<char>();
  node->storage = {texture, reinterpret_cast<run::Storage*>(texture.get())};
  return Tensor(node);
}

/// A second node with the texture of `x`.
inline Tensor alias_of(const Tensor& x) {
  const Tensor y(std::make_shared<graph::Node>(graph::Kind::leaf, x.dtype(), x.shape()));
  y.node()->storage = x.node()->storage;
  return y;
}

/// Leaves lie as an upload would put them.
inline plan::StorageOf flat_leaves(const plan::Target& target) {
  return [target](const graph::Node& node) {
    return plan::LeafStorage{node.storage.get(), plan::flat_layout(target, node.dtype, node.shape),
                             node.storage.use_count() == 1};
  };
}

inline std::vector<graph::NodePtr> nodes_of(std::span<const Tensor> roots) {
  std::vector<graph::NodePtr> nodes;
  for (const Tensor& root : roots) nodes.push_back(root.node());
  return nodes;
}

inline plan::Collected graph_of(std::span<const Tensor> roots, const plan::Target& target) {
  return plan::collect(nodes_of(roots), flat_leaves(target));
}

/// llvmpipe's costs where the target is it, else a GPU's.
inline const plan::Costs& costs_of(const plan::Target& target) {
  return target.sampler_fetch ? plan::llvmpipe_costs : plan::gpu_costs;
}

inline plan::Plan plan_of(std::span<const Tensor> roots, const plan::Target& target) {
  return plan::make_plan(graph_of(roots, target), target, costs_of(target));
}
inline plan::Plan plan_of(const Tensor& root, const plan::Target& target = plan::h200()) {
  return plan_of(std::span(&root, 1), target);
}

inline std::vector<std::uint64_t> key_of(const Tensor& root,
                                         const plan::Target& target = plan::h200()) {
  return plan::plan_key(graph_of(std::span(&root, 1), target));
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

/// Kernels that differ: what would be compiled.
inline std::size_t programs(const plan::Plan& plan) {
  std::vector<const plan::Kernel*> seen;
  for (const plan::Step& step : plan.steps) {
    if (step.kernel == nullptr) continue;
    const bool known = std::any_of(seen.begin(), seen.end(), [&](const plan::Kernel* kernel) {
      return *kernel == *step.kernel;
    });
    if (!known) seen.push_back(step.kernel.get());
  }
  return seen.size();
}

/// Loads of a kernel's loop: what a trip fetches.
inline std::int64_t fetches_per_trip(const plan::Kernel& kernel) {
  std::int64_t count = 0;
  for (const plan::Instr& instr : kernel.code) {
    if (instr.code != plan::Code::load || instr.block == 0) continue;
    count += static_cast<plan::Fetch>(instr.mode) == plan::Fetch::lanes ? 4 : 1;
  }
  return count;
}

}  // namespace trigon
