// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "graph/node.hpp"
#include "trigon/tensor.hpp"

// TRIGON_CHECK=1: indices that are out of range, found by tensors that are evaluated before what
// reads at the indices.

namespace trigon::detail::transform {

/// What is wrong with the indices of one node.
struct IndexCheck {
  graph::IndexUse use;
  const char* loop = nullptr;  ///< the function of the loop that computes them
  Tensor wrong;  ///< of the indices' shape and dtype: those out of range, 0 where they are right
};

/// The checks of all indices below the roots, those of inputs before those of their readers. In a
/// loop with a condition for each lane, indices that a trip computes are left out: lanes that are
/// done compute them as well.
std::vector<IndexCheck> index_checks(std::span<const graph::NodePtr> roots);

/// One bool: whether one of them has found something. There must be one.
Tensor any_wrong(std::span<const IndexCheck> checks);

/// Raises Error for the first index that a check has found, if there is one. Reads its tensor.
void refuse_wrong(const IndexCheck& check);

}  // namespace trigon::detail::transform
