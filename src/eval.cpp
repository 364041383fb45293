// SPDX-License-Identifier: MIT
#include "eval.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <trigon/error.hpp>

#include "describe.hpp"
#include "graph/node.hpp"
#include "plan/canonical.hpp"
#include "plan/layout.hpp"
#include "plan/make_plan.hpp"
#include "run/device_state.hpp"

namespace trigon {
namespace {

using graph::NodePtr;
using run::DeviceState;
using run::Storage;

std::shared_ptr<const plan::Plan> plan_for(DeviceState& device, const plan::Graph& graph) {
  auto key = plan::plan_key(graph);
  if (auto known = device.plans.find(key)) {
    ++device.counters.plan_cache_hits;
    return known;
  }
  auto made = std::make_shared<const plan::Plan>(plan::make_plan(graph, device.target()));
  ++device.counters.plans_made;
  device.plans.add(std::move(key), made);
  return made;
}

/// After a failure: what was written in place is no longer what it was, so the write that was drawn
/// last owns it, and is not drawn again.
void keep_writes(const plan::Graph& graph, const plan::Plan& plan,
                 const std::vector<std::shared_ptr<Storage>>& slots, std::size_t drawn) {
  std::map<std::int32_t, std::int32_t> last;  // slot to node
  for (std::size_t k = 0; k < drawn; ++k) {
    if (plan.steps[k].in_place) last[plan.steps[k].output] = plan.steps[k].node;
  }
  std::vector<NodePtr> kept;
  for (const auto& [slot, number] : last) {
    auto& node = const_cast<graph::Node&>(*graph[number].node);
    node.storage = slots[static_cast<std::size_t>(slot)];
    if (node.storage != nullptr) kept.push_back(node.shared_from_this());
  }
  for (const NodePtr& node : kept) graph::drop_inputs(*node);
}

/// THE PIPELINE. Returns the storage of each root, null for one without elements.
std::vector<std::shared_ptr<Storage>> compute(DeviceState& device, std::span<const NodePtr> roots) {
  const plan::Graph graph = plan::collect(roots, leaf_storage);
  const auto plan = plan_for(device, graph);
  print_plan(graph, *plan, device);

  std::vector<std::shared_ptr<Storage>> slots(static_cast<std::size_t>(plan->slots));
  for (const auto& [node, slot] : plan->leaves) {
    slots[static_cast<std::size_t>(slot)] = graph[node].node->storage;
  }
  std::vector<double> scalars;
  for (std::int32_t k : graph.scalars) scalars.push_back(graph[k].node->value);
  std::size_t drawn = 0;
  try {
    device.run(*plan, slots, scalars, drawn);
  } catch (...) {
    keep_writes(graph, *plan, slots, drawn);
    throw;
  }

  std::vector<std::shared_ptr<Storage>> values(graph.entries.size());
  for (const auto& [node, slot] : plan->stored) {
    values[static_cast<std::size_t>(node)] = slots[static_cast<std::size_t>(slot)];
  }
  std::vector<std::shared_ptr<Storage>> results;
  for (std::int32_t root : graph.roots) {
    const auto& known = graph[root].node->storage;
    results.push_back(known ? known : values[static_cast<std::size_t>(root)]);
  }
  // From the roots down, so that a node dies only after those that read it. What lives on no device
  // is shared between devices and keeps nothing.
  for (auto at = plan->stored.rbegin(); at != plan->stored.rend(); ++at) {
    auto& node = const_cast<graph::Node&>(*graph[at->node].node);
    if (node.device == nullptr) continue;
    node.storage = values[static_cast<std::size_t>(at->node)];
  }
  std::vector<NodePtr> kept;
  for (const auto& [k, slot] : plan->stored) {
    auto& node = const_cast<graph::Node&>(*graph[k].node);
    if (node.storage != nullptr) kept.push_back(node.shared_from_this());
  }
  for (const NodePtr& node : kept) graph::drop_inputs(*node);
  return results;
}

}  // namespace

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
  return device != nullptr ? device : Device::default_device().state();
}

void evaluate(std::span<const NodePtr> roots) {
  if (roots.empty()) return;
  const auto device = device_of(roots);
  const DeviceState::Entry entry(*device);
  compute(*device, roots);
}

void read_node(const NodePtr& node, void* out, DType dtype) {
  const auto device = device_of(std::span(&node, 1));
  const DeviceState::Entry entry(*device);
  const auto storage = node->storage ? node->storage : compute(*device, std::span(&node, 1))[0];
  if (storage != nullptr) device->read(*storage, out, dtype);
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
