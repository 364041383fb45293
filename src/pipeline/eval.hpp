// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <trigon/device.hpp>
#include <trigon/dtype.hpp>
#include <trigon/fwd.hpp>
#include <trigon/op.hpp>
#include <trigon/shape.hpp>

#include "core/rooms.hpp"
#include "core/target.hpp"

// The doors from the public API into the pipeline, and what compiled functions share with
// evaluations.

namespace trigon::detail::graph {
struct Collected;
}  // namespace trigon::detail::graph

namespace trigon::detail::plan {
struct Plan;
}  // namespace trigon::detail::plan

namespace trigon::detail::run {
class Storage;
struct PendingRead;
}  // namespace trigon::detail::run

namespace trigon::detail::pipeline {

/// The device of the roots, the default one where none has any. Raises Error when they live on
/// different devices.
std::shared_ptr<run::DeviceState> device_of(std::span<const graph::NodePtr> roots);

/// The device that a node or its value belongs to, or null.
std::shared_ptr<run::DeviceState> home_of(const graph::Node& node);

/// Computes the roots on their device, those made of numbers alone on the default one, or all on
/// `device`. Each keeps its value, as do nodes between that the plan stored and a handle refers to.
void evaluate(std::span<const graph::NodePtr> roots);
void evaluate(run::DeviceState& device, std::span<const graph::NodePtr> roots);

/// Guards values and inputs of nodes without a device, as evaluations on several devices may share
/// them. Held where a graph is read and where values are given, inside the device's own mutex; not
/// while a plan runs, nor while anything dies that may be the last to hold a device.
[[nodiscard]] std::unique_lock<std::mutex> lock_values();
/// The value that a node has at this moment, or null.
std::shared_ptr<run::Storage> value_of(const graph::Node& node);
/// The value of a node on this device, computed or copied there if need be. Null: no elements.
std::shared_ptr<run::Storage> value_on(run::DeviceState& device, const graph::NodePtr& node);

/// Evaluates `node` if need be and copies its elements in C order, converted to `dtype`'s host
/// type.
void read_node(const graph::NodePtr& node, void* out, DType dtype);
/// The same for Tensor::read_async, without waiting: its device, and the elements on their way.
/// Null: no elements. Raises Error that names Tensor::read_async.
std::pair<std::shared_ptr<run::DeviceState>, std::unique_ptr<run::PendingRead>> start_read(
    const graph::NodePtr& node);

/// Compiles a kernel's body on the device, once for each number of axes of `inputs`. Raises Error
/// with the user's line where the driver refuses it, DeviceError for more outputs than a draw has.
void try_kernel(run::DeviceState& device, const Op& op, std::span<const Tensor> inputs,
                const Shape& shape);

/// A leaf with the host's values.
graph::NodePtr upload(const void* values, DType dtype, const Shape& shape, const Device& device);

/// The plan of a graph, a new one where the device knows none.
std::shared_ptr<const plan::Plan> plan_for(run::DeviceState& device, const graph::Collected& graph,
                                           core::Asker asker);

/// Values of the graph that lie on another device, those of nodes made of numbers alone, which
/// belong to none and may be evaluated on any.
std::vector<graph::NodePtr> values_elsewhere(const graph::Collected& graph,
                                             const run::DeviceState& device);
/// Copies such values to this device, through the host. Not under the lock of either device, as
/// threads may copy both ways.
void copy_values(std::span<const graph::NodePtr> nodes, run::DeviceState& device);

}  // namespace trigon::detail::pipeline
