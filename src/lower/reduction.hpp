// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "lower/values.hpp"

namespace trigon::detail::lower {

/// Reductions over the same elements, which share a loop.
struct Reduction {
  struct ReduceOp {
    const Op* op;
    core::Type type;  ///< of the accumulators
  };
  std::vector<ReduceOp> reduce_ops{};
  Shape kept{};               ///< without axes of size 1
  std::int64_t count = 0;     ///< elements reduced
  bool across_lanes = false;  ///< the reduced axis lies in the lanes of the source's texels
  bool partial = false;       ///< the source holds accumulators of an earlier pass
  std::int32_t length = -1;   ///< the plan's scalar that limits the elements
  /// The accumulators of a reduce op in the source, or its one value, at a kept and a reduced
  /// index.
  std::function<std::vector<std::int32_t>(Values&, std::size_t number, const core::Indices& kept,
                                          const core::Affine& k)>
      source{};
};

/// The reductions of these anchors, over their inputs in the graph.
Reduction reduction_of(const Scene& scene, const std::vector<std::int32_t>& anchors);

/// The draws of a reduction, in passes if one draw would be slow or too long. The last pass
/// computes `outputs` from the results of `anchors`.
bool lower_passes(const Scene& scene, Reduction work, const std::vector<std::int32_t>& anchors,
                  const std::vector<std::int32_t>& outputs, Draft& draft);

}  // namespace trigon::detail::lower
