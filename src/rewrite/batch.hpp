// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ir/graph.hpp"

namespace trigon::detail::rewrite {

/// Axes of up to this size within a loop's body are computed element by element; longer ones in a
/// loop.
inline constexpr std::int64_t most_unrolled = 64;

/// How elements of a loop's carries depend on each other.
struct LoopBatch {
  /// Number of axes of `shape`, which are leading axes of carries: no index along them reads
  /// another one. -1: there are no such axes; the loop is coupled.
  int axes = -1;
  Shape shape{};
  std::int32_t coupled_by = -1;  ///< an entry of the body that reads carries at other indices
};
LoopBatch loop_batch(const ir::Graph::Entry& loop);
/// Whether an iteration computes each element of the carries from elements at fixed offsets: only
/// by elementwise ops, views and pads.
bool reads_windows(const ir::Graph::Entry& loop);
/// The shape of a carry's values for one element. All elements share a carry without batch axes.
Shape values_per_element(const LoopBatch& batch, const Shape& carry);
/// Whether the batch axes are the carry's leading axes.
bool has_batch(const LoopBatch& batch, const Shape& carry);

}  // namespace trigon::detail::rewrite
