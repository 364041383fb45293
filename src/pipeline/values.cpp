// SPDX-License-Identifier: MIT
#include "pipeline/values.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <trigon/detail/memory.hpp>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "core/item.hpp"
#include "core/layout.hpp"
#include "graph/build.hpp"
#include "graph/collect.hpp"
#include "graph/node.hpp"
#include "run/device_state.hpp"
#include "run/process.hpp"

namespace trigon::detail::pipeline {

using graph::NodePtr;
using run::DeviceState;
using run::Storage;

std::unique_lock<std::mutex> lock_values() {
  run::check_driver_usable();  // a fork may have left the mutex locked
  static std::mutex mutex;
  return std::unique_lock(mutex);
}

std::shared_ptr<Storage> value_of(const graph::Node& node) {
  const auto lock = lock_values();
  return node.storage;
}

void give(const graph::Collected& graph, std::span<const plan::Plan::Binding> bindings,
          Slots& slots) {
  std::vector<std::shared_ptr<Storage>> values;
  values.reserve(bindings.size());
  for (const auto& [node, slot, layout] : bindings) {
    const auto& storage = item(slots, slot);
    values.push_back(storage == nullptr ? nullptr : Storage::view(storage, layout));
  }
  std::vector<std::vector<NodePtr>> released;
  released.reserve(bindings.size());
  {
    const auto lock = lock_values();
    // Released inputs may destroy nodes, so nothing may throw from here on.
    for (std::size_t k = 0; k < bindings.size(); ++k) {
      if (values[k] == nullptr) continue;
      graph::Node& owner = *graph[bindings[k].node].node;
      std::swap(owner.storage, values[k]);
      released.push_back(graph::take_inputs(owner));
    }
  }
  // The slots are released first, so that only its nodes own a texture.
  slots.clear();
}

std::vector<NodePtr> values_elsewhere(const graph::Collected& graph, const DeviceState& device) {
  std::vector<NodePtr> nodes;
  for (const auto& entry : graph.entries) {
    if (entry.stored && &entry.node->storage->device() != &device) {
      nodes.push_back(entry.node->shared_from_this());
    }
  }
  return nodes;
}

namespace {

/// Copies the value of a node to this device, through the host, unless another thread moves it.
void copy_value(const NodePtr& node, DeviceState& device) {
  const DType dtype = node->dtype;
  const std::shared_ptr<Storage> storage = value_of(*node);
  if (storage == nullptr || &storage->device() == &device) return;
  const Shape& shape = storage->layout().shape;
  auto values = vector_of<std::byte>(core::host_bytes(dtype, shape));
  {
    const DeviceState::Entry entry(storage->device());
    storage->device().read(*storage, values.data(), dtype);
  }
  std::shared_ptr<Storage> copy;
  {
    const DeviceState::Entry entry(device);
    copy = device.create_storage(core::flat_layout(device.target(), dtype, shape));
    device.upload(*copy, values.data());
  }
  const auto lock = lock_values();
  if (node->storage == storage) node->storage = std::move(copy);
}

}  // namespace

void copy_values(std::span<const NodePtr> nodes, DeviceState& device) {
  for (const NodePtr& node : nodes) copy_value(node, device);
}

std::shared_ptr<run::DeviceState> device_of(std::span<const NodePtr> roots) {
  std::shared_ptr<DeviceState> device;
  for (const NodePtr& root : roots) {
    if (root->device == nullptr) continue;
    if (device != nullptr && device != root->device) {
      core::fail_in(
          "eval", "tensors live on different devices; evaluate those of each device on their own");
    }
    device = root->device;
  }
  if (device != nullptr) return device;
  for (const NodePtr& root : roots) {
    if (auto home = home_of(*root)) return home;
  }
  return Internals::state(Device::default_device());
}

std::shared_ptr<DeviceState> home_of(const graph::Node& node) {
  if (node.device != nullptr) return node.device;
  // A value made only of numbers is where it was evaluated.
  const auto storage = value_of(node);
  return storage == nullptr ? nullptr : storage->device().shared_from_this();
}

namespace {

// Raises Error for an integer above the limit, which the device would round.
template <class T>
void check_exact(const void* values, std::int64_t count, double limit) {
  for (const T value : std::span(static_cast<const T*>(values), static_cast<std::size_t>(count))) {
    if (std::abs(static_cast<double>(value)) <= limit) continue;
    core::fail(
        "integer is not exact on the device: {}; profile webgl1 computes with floats, so integers "
        "must be in [-16777216, 16777216]",
        value);
  }
}

}  // namespace

NodePtr upload(const void* values, DType dtype, const Shape& shape, const Device& device) {
  const core::Called called("tensor");
  const double limit = device.max_exact_integer();
  if (limit < info(int32).highest) {
    if (dtype == DType::int32) check_exact<std::int32_t>(values, shape.numel(), limit);
    if (dtype == DType::uint32) check_exact<std::uint32_t>(values, shape.numel(), limit);
  }
  DeviceState& state = *Internals::state(device);
  return detail::with_memory({dtype, shape, &state}, [&] {
    auto node = std::make_shared<graph::Node>(graph::Kind::leaf, dtype, shape);
    node->device = Internals::state(device);
    if (shape.numel() == 0) return node;
    const DeviceState::Entry entry(state);
    node->storage = state.create_storage(core::flat_layout(state.target(), dtype, shape));
    state.upload(*node->storage, values);
    return node;
  });
}

}  // namespace trigon::detail::pipeline
