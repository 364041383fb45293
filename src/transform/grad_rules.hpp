// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "graph/node.hpp"
#include "trigon/tensor.hpp"

namespace trigon::detail::transform {

/// The gradients towards y's inputs from g, the gradients towards y's results; an empty handle for
/// an input without one. `g` may be shorter than the results and have empty handles, which are 0.
/// Raises Error when y's op has no gradient.
std::vector<Tensor> gradients(const graph::NodePtr& y, std::span<const graph::NodePtr> inputs,
                              std::span<const Tensor> g);

/// Raises Error because the op has no derivative. `function` asked for it.
[[noreturn]] void refuse_op(const char* function, const Op& op);

/// The same for a loop whose iterations nobody can count.
[[noreturn]] void refuse_loop(const graph::LoopBody& body);

/// The gradient of an affine node: its attributes, the shape of its input, g of the node's shape.
Tensor affine_gradient(const core::AffineAttrs& view, const Shape& shape, const Tensor& g);

}  // namespace trigon::detail::transform
