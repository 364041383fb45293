// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ir/graph.hpp"

namespace trigon::detail::rewrite {

/// Elements of an axis within a loop's body that are computed one by one; longer axes stand in a
/// loop of their own.
inline constexpr std::int64_t most_unrolled = 64;

/// How the elements of a loop's carries depend on each other.
struct LoopLanes {
  /// Axes of `lanes` that are leading axes of carries: at one index along them the loop needs no
  /// other one. -1: there is no such index, the loop is coupled.
  int axes = -1;
  Shape lanes{};
  std::int32_t coupled_by = -1;  ///< an entry of the body that reads carries at other indices
};
LoopLanes loop_lanes(const ir::Graph::Entry& loop);
/// Whether a trip computes each element of the carries from others at offsets that are known: by
/// elementwise ops, views and pads alone.
bool reads_windows(const ir::Graph::Entry& loop);
/// Values of a carry for one index along the lanes; a carry without lanes has the same for all.
Shape values_of_lane(const LoopLanes& lanes, const Shape& carry);
/// Whether a kernel surely holds the loop: it has lanes, each with few values and operations.
bool has_short_lanes(const ir::Graph::Entry& loop);
/// Whether the carry has the lanes as leading axes.
bool has_lanes(const LoopLanes& lanes, const Shape& carry);

}  // namespace trigon::detail::rewrite
