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

// Where the values of nodes are, who may look at them, and how they get there.

namespace trigon::detail::graph {
struct Collected;
}  // namespace trigon::detail::graph

namespace trigon::detail::run {
class Storage;
}  // namespace trigon::detail::run

namespace trigon::detail::pipeline {

/// The textures of a plan's slots.
using Slots = std::vector<std::shared_ptr<run::Storage>>;

/// Guards values and inputs of nodes without a device, as evaluations on several devices may share
/// them. Held where a graph is read and where values are given, inside the device's own mutex; not
/// while a plan runs, nor while anything dies that may be the last to hold a device.
[[nodiscard]] std::unique_lock<std::mutex> lock_values();
/// The value that a node has at this moment, or null.
std::shared_ptr<run::Storage> value_of(const graph::Node& node);
/// The device of the roots, the default one where none has any. Raises Error when they live on
/// different devices.
std::shared_ptr<run::DeviceState> device_of(std::span<const graph::NodePtr> roots);

/// The device that a node or its value belongs to, or null.
std::shared_ptr<run::DeviceState> home_of(const graph::Node& node);

/// A leaf with the host's values.
graph::NodePtr upload(const void* values, DType dtype, const Shape& shape, const Device& device);

/// Hands values to their nodes, which then let go of what they were made from: all of them, or none
/// where memory ends.
void give(const graph::Collected& graph, std::span<const plan::Plan::Binding> bindings,
          Slots& slots);

/// Values of the graph that lie on another device, those of nodes made of numbers alone, which
/// belong to none and may be evaluated on any.
std::vector<graph::NodePtr> values_elsewhere(const graph::Collected& graph,
                                             const run::DeviceState& device);
/// Copies such values to this device, through the host. Not under the lock of either device, as
/// threads may copy both ways.
void copy_values(std::span<const graph::NodePtr> nodes, run::DeviceState& device);

}  // namespace trigon::detail::pipeline
