// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ir/graph.hpp"

namespace trigon::detail::rewrite {

/// x with v added at rows along `axis`. With `along` the indices have v's shape, otherwise they
/// name rows as in take. Rows out of range are clamped or dropped.
struct ScatterAdd {
  std::int32_t x, indices, v;
  int axis;
  bool along;
  bool clamps;
};

/// The same without a scatter: x plus, for each row, the sum of all updates that name it. Raises
/// DeviceError if that is too much work.
std::int32_t scatter_by_sums(ir::GraphBuilder& b, ScatterAdd scatter);

}  // namespace trigon::detail::rewrite
