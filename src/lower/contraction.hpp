// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "core/math.hpp"
#include "lower/lower.hpp"

namespace trigon::detail::lower {

/// A product (B..., M, N) of a (B..., M, K) and b (B..., K, N).
struct Contraction {
  std::int32_t anchor;
  std::int32_t a, b;
  Shape shape;
  std::int64_t inner;               ///< K
  std::int64_t rows_per_block = 1;  ///< rows that a fragment computes
  bool rows_in_lanes = false;       ///< a's rows lie in its lanes, so a block's rows are neighbours
  bool inner_in_lanes = false;  ///< b's inner axis lies in the lanes, so columns are dot products
  std::int64_t split_k = 1;     ///< of the inner axis; they are the result's first axis
  std::int64_t blended = 1;     ///< overlays, each of a section of the inner axis
  /// Fragments of a quad that share the inner axis. Each multiplies every n-th texel of it for all
  /// columns, then hands partial sums to their owners.
  std::int64_t quad_columns = 1, quad_rows = 1;
  std::int32_t length = -1, columns = -1;  ///< the plan's scalars

  std::int64_t quad() const { return quad_columns * quad_rows; }
  /// Trips of a fragment's loop over its section of the inner axis.
  std::int64_t trips() const {
    return core::ceil_div(core::ceil_div(inner, core::lanes * quad()), split_k * blended);
  }
};

/// Number of sections of the inner axis that overlapping triangles of one draw compute, added up by
/// blending. Few fragments would leave most of a device idle while each waits for its own fetches.
std::int64_t blended_overlays(const Scene& scene, const std::vector<std::int32_t>& outputs,
                              const Contraction& work, const core::Layout& layout);

}  // namespace trigon::detail::lower
