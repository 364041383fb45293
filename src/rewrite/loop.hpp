// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ir/graph.hpp"

namespace trigon::detail::rewrite {

/// Iterations of a loop that are computed together: `count` iterations, after `first` iterations
/// and those that the plan's scalar `counter` counts.
struct IterationRange {
  std::int32_t counter = -1;
  std::int64_t first = 0;
  std::int64_t count = 1;
};
/// One iteration of a loop whose values lie in textures, as a graph. Its leaves are the carries,
/// the whole xs, the captured entries and the stacked outputs, in this order. Its results are the
/// next carries and the outputs with one more row written. Several iterations are possible only for
/// a loop with carries alone, without a condition.
ir::Graph one_iteration(const ir::Graph& graph, const ir::Graph::Entry& loop,
                        const IterationRange& range);
/// Whether a while loop goes on in any element: (), 1 or 0 as float32. The leaves are the same.
ir::Graph any_goes_on(const ir::Graph& graph, const ir::Graph::Entry& loop);
/// A graph whose only result is zeros.
ir::Graph zeros_graph(DType dtype, const Shape& shape);

}  // namespace trigon::detail::rewrite
