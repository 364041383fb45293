// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <trigon/tensor.hpp>

#include "core/internals.hpp"
#include "graph/collect.hpp"
#include "graph/node.hpp"
#include "pipeline/make_plan.hpp"
#include "support/kernel_interpreter.hpp"

namespace trigon::support {

/// Evaluates tensors as a device of that target would, in the interpreter of kernels. Only it may
/// evaluate tensors that it has stored.
class HostDevice {
 public:
  HostDevice(const core::Target& target, const core::Costs& costs)
      : target_(target), costs_(costs) {}

  /// A leaf of these elements in C order.
  Tensor upload(const std::vector<double>& values, DType dtype, const Shape& shape) const {
    if (shape.numel() > 0) return upload(values, core::flat_layout(target_, dtype, shape));
    return detail::Internals::tensor(
        std::make_shared<graph::Node>(graph::Kind::leaf, dtype, shape));
  }
  /// The same in a layout.
  Tensor upload(const std::vector<double>& values, const core::Layout& layout) const {
    const auto node = std::make_shared<graph::Node>(graph::Kind::leaf, layout.dtype, layout.shape);
    const auto texture = std::make_shared<HostTexture>(target_, layout);
    texture->write(layout, values);
    node->storage = storage_of({texture, layout});
    return detail::Internals::tensor(node);
  }

  /// Computes the roots with one plan, and the values that stay, as eval() does.
  void evaluate(std::span<const Tensor> roots) {
    std::vector<graph::NodePtr> nodes;
    for (const Tensor& root : roots) nodes.push_back(detail::Internals::node(root));
    const graph::Collected graph = graph::collect(nodes, [](const graph::Node& node) {
      const Stored& stored = stored_in(node);
      return graph::LeafStorage{stored.texture.get(), stored.layout,
                                node.storage.use_count() == 1 && stored.texture.use_count() == 1};
    });
    const plan::Plan plan = pipeline::make_plan(graph, target_, costs_);
    steps_ += plan.steps.size();
    HostTextures slots(static_cast<std::size_t>(plan.slots));
    for (const auto& leaf : plan.leaves) {
      slots[static_cast<std::size_t>(leaf.slot)] = stored_in(*graph[leaf.node].node).texture;
    }
    std::vector<double> scalars;
    for (const std::int32_t k : graph.scalars) scalars.push_back(graph[k].node->value);
    KernelInterpreter(target_).run(plan, slots, std::move(scalars));
    std::vector<graph::NodePtr> kept;
    for (const auto& [number, slot, layout] : plan.stored) {
      graph::Node& node = *graph[number].node;
      node.storage = storage_of({slots[static_cast<std::size_t>(slot)], layout});
      kept.push_back(node.shared_from_this());
    }
    slots.clear();
    for (const graph::NodePtr& node : kept) graph::take_inputs(*node);
  }

  /// The elements in C order; evaluates them if necessary.
  std::vector<Number> read(const Tensor& x) {
    if (x.size() == 0) return {};
    if (detail::Internals::node(x)->storage == nullptr) evaluate(std::span(&x, 1));
    const Stored& stored = stored_in(*detail::Internals::node(x));
    return stored.texture->read(stored.layout);
  }

  /// The sum over all evaluations.
  std::size_t steps() const { return steps_; }

 private:
  /// Replaces a device's Storage in a node.
  struct Stored {
    std::shared_ptr<HostTexture> texture;
    core::Layout layout;
  };
  static std::shared_ptr<run::Storage> storage_of(Stored stored) {
    const auto held = std::make_shared<Stored>(std::move(stored));
    return {held, reinterpret_cast<run::Storage*>(held.get())};
  }
  static const Stored& stored_in(const graph::Node& node) {
    return *reinterpret_cast<const Stored*>(node.storage.get());
  }

  core::Target target_;
  core::Costs costs_;
  std::size_t steps_ = 0;
};

}  // namespace trigon::support
