// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "graph/node.hpp"

namespace trigon::detail::graph {

/// The body of a loop, traced once: a separate graph that belongs to no device. Values from outside
/// are parameters, except Scalars, which are nodes of the body. A captured tensor is the last node
/// that depends on no parameter; views of it are in the body. Carries that no iteration changes are
/// captured, too.
struct LoopBody {
  /// The step (int32, ()), the carries, the slices of xs, the captured tensors.
  std::vector<NodePtr> parameters;
  /// The next carries, the outputs of an iteration, the condition of a while loop.
  std::vector<NodePtr> results;
  std::int32_t carries = 0, slices = 0, captured = 0, outputs = 0;
  /// Whether the last result is a condition, computed from the carries before each iteration. The
  /// loop ends when no element is true. A `where` in the next carries keeps those of finished
  /// elements.
  bool has_condition = false;
  std::vector<std::uint64_t> key;       ///< its content: bodies with equal words are equal
  LoopKind kind = LoopKind::fori_loop;  ///< for errors; in the key only through parameters
};

// Inputs of a loop node: the first values of the carries, the whole xs, the captured tensors, then
// Scalars: those in the body, and those of `first` and `iterations`.

/// Raises Error for reading a value that depends on this parameter of a body.
[[noreturn]] void throw_no_value(const Node& parameter);

/// Raises Error in the body of a loop for moving a tensor that depends on a parameter to another
/// device.
void refuse_to_move(const NodePtr& root);

}  // namespace trigon::detail::graph
