// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <utility>

#include <trigon/detail/shape_class.hpp>
#include <trigon/device.hpp>
#include <trigon/dtype.hpp>
#include <trigon/fwd.hpp>
#include <trigon/op.hpp>

#include "core/rooms.hpp"
#include "core/target.hpp"
#include "pipeline/values.hpp"

// The entry points of the public API into the pipeline, and code that compiled functions share with
// evaluations.

namespace trigon::detail::run {
struct PendingRead;
}

namespace trigon::detail::pipeline {

/// Computes the roots on `device`, or on their own device; roots made only of numbers use the
/// default one. Roots keep their values, as do inner nodes that the plan stored and a handle refers
/// to.
void evaluate(std::span<const graph::NodePtr> roots);
void evaluate(run::DeviceState& device, std::span<const graph::NodePtr> roots);

/// The value of a node on this device, computed or copied there if necessary. Null: no elements.
std::shared_ptr<run::Storage> value_on(run::DeviceState& device, const graph::NodePtr& node);

/// Evaluates `node` if necessary and copies its elements in C order, converted to `dtype`'s host
/// type.
void read_node(const graph::NodePtr& node, void* out, DType dtype);
/// The same for Tensor::read_async, without waiting. Returns the device and the pending read. Null:
/// no elements. Raises Error that names Tensor::read_async.
std::pair<std::shared_ptr<run::DeviceState>, std::unique_ptr<run::PendingRead>> start_read(
    const graph::NodePtr& node);

/// Compiles a kernel's body on the device, once for each number of axes of `inputs`. Raises Error
/// with the user's line if the driver rejects it, DeviceError for more outputs than a draw has.
void try_kernel(run::DeviceState& device, const Op& op, std::span<const Tensor> inputs,
                const Shape& shape);

/// The plan of a graph: the one that the device has kept, or a new one.
std::shared_ptr<const plan::Plan> plan_for(run::DeviceState& device, const graph::Collected& graph,
                                           core::Asker asker);

}  // namespace trigon::detail::pipeline
