// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "graph/node.hpp"
#include "trigon/tensor.hpp"

// TRIGON_CHECK=1: finds indices out of range by tensors that are evaluated before the readers of
// the indices.

namespace trigon::detail::transform {

/// The check of one node's indices.
struct IndexCheck {
  graph::IndexUse use;
  const char* loop = nullptr;  ///< the function of the loop that computes them
  Tensor wrong;  ///< of the indices' shape and dtype: indices out of range, 0 for valid ones
};

/// The checks of all indices below the roots, inputs before readers. In a loop with a condition for
/// each element, computed indices are left out, since finished elements still compute them.
std::vector<IndexCheck> index_checks(std::span<const graph::NodePtr> roots);

/// One bool: whether any check has found something. There must be at least one check.
Tensor any_wrong(std::span<const IndexCheck> checks);

/// Raises Error for the first wrong index that the check has found, if any. Reads its tensor.
void refuse_wrong(const IndexCheck& check);

}  // namespace trigon::detail::transform
