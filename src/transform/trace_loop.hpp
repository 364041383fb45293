// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "graph/node.hpp"
#include "trigon/tensor.hpp"

namespace trigon::detail::transform {

using Leaves = std::vector<Tensor>;

/// A number, or the node of a Scalar.
struct Count {
  std::int64_t number = 0;
  graph::NodePtr scalar{};
};

/// The checked result of a body.
struct Iteration {
  Leaves state;
  Leaves outputs;
};

/// The user's loop; initial values no longer yield to other dtypes.
struct Loop {
  graph::LoopKind kind;
  Leaves init;
  Leaves xs;
  std::function<Iteration(const Tensor& step, Leaves state, Leaves slices)> body;
  std::function<Tensor(Leaves state)> condition;  ///< may be empty
  Count first, iterations;
  std::int64_t checkpoint = 0;  ///< as in graph::LoopAttrs
  /// Whether the body itself keeps the carries of elements whose condition is false.
  bool selects_elements = false;
};

/// A loop of the same kind and iterations as that node, whose inputs are these. The caller fills in
/// the rest.
Loop loop_like(const graph::Node& node, std::span<const graph::NodePtr> inputs);

/// Calls the body once and makes the nodes. Returns the last values of the carries, then the
/// stacked outputs.
Leaves build_loop(const Loop& loop);

}  // namespace trigon::detail::transform
