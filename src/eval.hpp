// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include <trigon/device.hpp>
#include <trigon/dtype.hpp>
#include <trigon/fwd.hpp>
#include <trigon/op.hpp>
#include <trigon/shape.hpp>

// The doors from the public API into the pipeline.

namespace trigon {

/// The device of the roots, the default one where none has any. Raises Error when they live on
/// different devices.
std::shared_ptr<run::DeviceState> device_of(std::span<const graph::NodePtr> roots);

/// Computes the roots on their device, those made of numbers alone on the default one, or all on
/// `device`. Each keeps its value, as do nodes between that the plan stored and a handle refers to.
void evaluate(std::span<const graph::NodePtr> roots);
void evaluate(run::DeviceState& device, std::span<const graph::NodePtr> roots);

/// Evaluates `node` if need be and copies its elements in C order, converted to `dtype`'s host
/// type.
void read_node(const graph::NodePtr& node, void* out, DType dtype);

/// Compiles a kernel's body on the device, once for each number of axes of `inputs`. Raises Error
/// with the user's line where the driver refuses it, DeviceError for more outputs than a draw has.
void try_kernel(run::DeviceState& device, const Op& op, std::span<const Tensor> inputs,
                const Shape& shape);

/// A leaf with the host's values.
graph::NodePtr upload(const void* values, DType dtype, const Shape& shape, const Device& device);

}  // namespace trigon
