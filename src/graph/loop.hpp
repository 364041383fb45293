// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "graph/node.hpp"

namespace trigon::detail::graph {

/// The body of a loop, traced once: a graph of its own, on no device. What it reads from outside
/// are parameters, but for Scalars, which stand in it as they are. A captured tensor is the last
/// node that depends on no parameter; views of it are in the body. Carries that no trip changes are
/// captured, too.
struct LoopBody {
  /// The step (int32, ()), the carries, the slices of xs, the captured tensors.
  std::vector<NodePtr> parameters;
  /// The next carries, the outputs of a trip, the condition of a while loop.
  std::vector<NodePtr> results;
  std::int32_t carries = 0, slices = 0, captured = 0, outputs = 0;
  /// Computed from the carries before a trip, which is the first not to run where no element is
  /// true. Lanes that are done keep their carries by a `where` in the next carries.
  bool has_condition = false;
  std::vector<std::uint64_t> key;  ///< its content: bodies with equal words are equal
  const char* function = "";       ///< that the user called, for errors; no part of the content
};

// Inputs of a loop node: the first values of the carries, the whole xs, the captured tensors, then
// Scalars: those in the body, and those of `first` and `trips`. There is one node for each result;
// all have the same inputs and body.

/// The public functions of loops, to which ParameterAttrs refer.
inline constexpr std::array loop_functions{"fori_loop", "scan", "while_loop"};

/// Raises Error: asked for is a value that depends on this parameter of a body.
[[noreturn]] void throw_no_value(const Node& parameter);

/// Raises Error in the body of a loop where a tensor that depends on a parameter is to be moved to
/// another device.
void refuse_to_move(const NodePtr& root);

}  // namespace trigon::detail::graph
