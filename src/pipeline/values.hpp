// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <trigon/detail/shape_class.hpp>
#include <trigon/device.hpp>
#include <trigon/dtype.hpp>
#include <trigon/fwd.hpp>

#include "core/rooms.hpp"
#include "plan/plan.hpp"

// The values of nodes: their devices, the lock that guards them, and copies between devices.

namespace trigon::detail::graph {
struct Collected;
}  // namespace trigon::detail::graph

namespace trigon::detail::run {
class Storage;
}  // namespace trigon::detail::run

namespace trigon::detail::pipeline {

/// The textures of a plan's slots.
using Slots = std::vector<std::shared_ptr<run::Storage>>;

/// Guards values, and inputs of nodes without a device, since evaluations on several devices may
/// share them. Lock order: the device's mutex first. Hold it while reading a graph or publishing
/// values. Never hold it while a plan runs, or while the last reference to a device may be
/// released.
[[nodiscard]] std::unique_lock<std::mutex> lock_values();
/// The value that a node has at this moment, or null.
std::shared_ptr<run::Storage> value_of(const graph::Node& node);
/// The device of the roots; the default one if none has a device. Raises Error when they live on
/// different devices.
std::shared_ptr<run::DeviceState> device_of(std::span<const graph::NodePtr> roots);

/// The device that a node or its value belongs to, or null.
std::shared_ptr<run::DeviceState> home_of(const graph::Node& node);

/// A leaf with the host's values.
graph::NodePtr upload(const void* values, DType dtype, const Shape& shape, const Device& device);

/// Hands values to their nodes, which then release their inputs. If memory runs out, changes
/// nothing.
void give(const graph::Collected& graph, std::span<const plan::Plan::Binding> bindings,
          Slots& slots);

/// Nodes of the graph whose values lie on another device. They are made only of numbers: such nodes
/// belong to no device and may be evaluated on any.
std::vector<graph::NodePtr> values_elsewhere(const graph::Collected& graph,
                                             const run::DeviceState& device);
/// Copies such values to this device, through the host. Call it without the lock of either device,
/// since threads may copy in both directions.
void copy_values(std::span<const graph::NodePtr> nodes, run::DeviceState& device);

}  // namespace trigon::detail::pipeline
