// SPDX-License-Identifier: MIT
#include "eval.hpp"

#include <cstddef>
#include <vector>

#include <fmt/format.h>
#include <trigon/error.hpp>

#include "core/item.hpp"
#include "core/layout.hpp"
#include "describe.hpp"
#include "graph/node.hpp"
#include "graph/trace.hpp"
#include "plan/make_plan.hpp"
#include "rewrite/collect.hpp"
#include "run/device_state.hpp"
#include "traced.hpp"

namespace trigon {

using graph::NodePtr;
using run::DeviceState;
using run::Storage;

using Slots = std::vector<std::shared_ptr<Storage>>;

std::shared_ptr<const plan::Plan> plan_for(DeviceState& device, const plan::Collected& graph) {
  auto key = plan::plan_key(graph);
  if (auto known = device.plans.find(key)) {
    ++device.counters.plan_cache_hits;
    return known;
  }
  auto made =
      std::make_shared<const plan::Plan>(plan::make_plan(graph, device.target(), device.costs()));
  ++device.counters.plans_made;
  device.plans.add(std::move(key), made);
  return made;
}

namespace {

std::shared_ptr<Storage>& at(Slots& slots, std::int32_t k) {
  return slots[static_cast<std::size_t>(k)];
}

/// The leaves' textures in their slots, and the numbers of the scalars.
Slots bind(const plan::Collected& graph, const plan::Plan& plan, std::vector<double>& scalars) {
  Slots slots(static_cast<std::size_t>(plan.slots));
  for (const auto& leaf : plan.leaves) at(slots, leaf.slot) = graph[leaf.node].node->storage;
  for (std::int32_t k : graph.scalars) scalars.push_back(graph[k].node->value);
  return slots;
}

/// Hands values to their nodes, which then let go of what they were made from.
void give(const plan::Collected& graph, std::span<const plan::Plan::Binding> bindings,
          Slots& slots) {
  std::vector<NodePtr> kept;
  for (const auto& [node, slot, layout] : bindings) {
    const auto& storage = at(slots, slot);
    if (storage == nullptr) continue;
    graph::Node& owner = *graph[node].node;
    owner.storage = Storage::view(storage, layout);
    kept.push_back(owner.shared_from_this());
  }
  // The slots go first, so that a texture belongs to its nodes alone.
  slots.clear();
  for (const NodePtr& node : kept) graph::drop_inputs(*node);
}

/// THE PIPELINE: collect, plan, bind, run, publish.
void compute(DeviceState& device, const plan::Collected& graph) {
  const auto plan = plan_for(device, graph);
  print_plan(graph, device);
  std::vector<double> scalars;
  Slots slots = bind(graph, *plan, scalars);
  std::size_t drawn = 0;
  try {
    device.run(*plan, slots, scalars, drawn);
  } catch (...) {
    // Overwritten textures belong to the last write that ran; it is not run again.
    give(graph, plan::values_in_place(*plan, drawn, scalars), slots);
    throw;
  }
  give(graph, plan->stored, slots);
}

/// Copies the value of a node to this device, through the host.
void copy_value(const NodePtr& node, DeviceState& device) {
  const DType dtype = node->dtype;
  const std::shared_ptr<Storage> storage = node->storage;
  std::vector<std::byte> values(static_cast<std::size_t>(node->shape.numel()) * size_of(dtype));
  {
    const DeviceState::Entry entry(storage->device());
    storage->device().read(*storage, values.data(), dtype);
  }
  const DeviceState::Entry entry(device);
  const auto copy = device.create_storage(plan::flat_layout(device.target(), dtype, node->shape));
  device.upload(*copy, values.data());
  node->storage = copy;
}

}  // namespace

std::vector<NodePtr> values_elsewhere(const plan::Collected& graph, const DeviceState& device) {
  std::vector<NodePtr> nodes;
  for (const auto& entry : graph.entries) {
    if (entry.stored && &entry.node->storage->device() != &device) {
      nodes.push_back(entry.node->shared_from_this());
    }
  }
  return nodes;
}

void copy_values(std::span<const NodePtr> nodes, DeviceState& device) {
  for (const NodePtr& node : nodes) copy_value(node, device);
}

std::shared_ptr<run::DeviceState> device_of(std::span<const NodePtr> roots) {
  std::shared_ptr<DeviceState> device;
  for (const NodePtr& root : roots) {
    if (root->device == nullptr) continue;
    if (device != nullptr && device != root->device) {
      throw Error(
          "trigon::eval: tensors live on different devices; evaluate those of each device on their "
          "own");
    }
    device = root->device;
  }
  if (device != nullptr) return device;
  // What is made of numbers alone is where it was evaluated.
  for (const NodePtr& root : roots) {
    if (root->storage != nullptr) return root->storage->device().shared_from_this();
  }
  return Device::default_device().state();
}

void evaluate(DeviceState& device, std::span<const NodePtr> roots) {
  if (roots.empty()) return;
  for (;;) {
    std::vector<NodePtr> elsewhere;
    {
      const DeviceState::Entry entry(device);
      graph::refuse_while_tracing(roots);
      const plan::Collected graph = plan::collect(roots, leaf_storage);
      elsewhere = values_elsewhere(graph, device);
      if (elsewhere.empty()) return compute(device, graph);
    }
    copy_values(elsewhere, device);
  }
}

void evaluate(std::span<const NodePtr> roots) {
  if (!roots.empty()) evaluate(*device_of(roots), roots);
}

void read_node(const NodePtr& node, void* out, DType dtype) {
  const auto device = device_of(std::span(&node, 1));
  // One entry for the evaluation and the read: those within it cost nothing.
  const DeviceState::Entry entry(*device);
  graph::refuse_while_tracing(std::span(&node, 1));
  if (node->storage == nullptr) evaluate(*device, std::span(&node, 1));
  if (const auto storage = node->storage) device->read(*storage, out, dtype);
}

NodePtr upload(const void* values, DType dtype, const Shape& shape, const Device& device) {
  auto node = std::make_shared<graph::Node>(graph::Kind::leaf, dtype, shape);
  node->device = device.state();
  if (shape.numel() == 0) return node;
  const DeviceState::Entry entry(*device.state());
  node->storage =
      device.state()->create_storage(plan::flat_layout(device.state()->target(), dtype, shape));
  device.state()->upload(*node->storage, values);
  return node;
}

}  // namespace trigon
