// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "graph/loop.hpp"

namespace trigon::detail::graph {

/// The graph that a call of a loop's body built.
struct TracedBody {
  LoopKind kind = LoopKind::fori_loop;
  std::vector<NodePtr> parameters;  ///< the step, the carries, the slices
  std::vector<NodePtr> results;     ///< as in LoopBody
  std::int32_t carries = 0, slices = 0, outputs = 0;
  bool has_condition = false;
  /// Parameters that equal another node in all iterations; that node is captured instead.
  std::unordered_map<const Node*, NodePtr> fixed;
};

struct ClosedBody {
  std::shared_ptr<const LoopBody> body;
  std::vector<NodePtr> captured;  ///< values of the last parameters
  std::vector<NodePtr> scalars;   ///< used by the body
};

/// A copy of the body's graph that refers to no outside nodes but Scalars. The last node of each
/// part that depends on no parameter is captured. Views of it, and nodes made only of numbers, stay
/// in the body. Fixed carries are not among its parameters and results.
ClosedBody close_body(const TracedBody& traced);

}  // namespace trigon::detail::graph
