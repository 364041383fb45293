// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <tuple>

#include "core/layout.hpp"

namespace trigon::detail::kernel {

/// The parameters on which the shaders of a draw of points depend. Each point is an update that
/// blending adds to one texel of the target. The vertex stage reads the values (input 0) and the
/// indices (input 1).
struct PointsProgram {
  bool whole_texels;  ///< an update is a texel of the values, not one element
  core::Type index;   ///< of the indices: i or u
  bool layered_values, layered_indices;

  friend bool operator<(const PointsProgram& a, const PointsProgram& b) {
    return std::tie(a.whole_texels, a.index, a.layered_values, a.layered_indices) <
           std::tie(b.whole_texels, b.index, b.layered_values, b.layered_indices);
  }
};

/// The integer uniforms of such a draw, four to a vector.
struct PointsUniforms {
  /// For each axis of the updates, outermost first: its size, and its strides in the offsets of the
  /// values, the indices and the target.
  static constexpr int axes = 0;
  /// Width, slab and layers of the values, the indices and the target. The fourth number: for
  /// values the number of axes, for indices 1 if rows out of range are clamped, for the target the
  /// first row of the drawn layer.
  static constexpr int values = Shape::max_rank;
  static constexpr int indices = values + 1;
  static constexpr int target = values + 2;
  /// Number of rows, their stride in the target, the target's height, 0.
  static constexpr int rows = values + 3;
  /// The offsets of the first elements of the values, the indices and the target, 0.
  static constexpr int starts = values + 4;
  static constexpr int vectors = values + 5;
};

/// A draw of points.
struct Points {
  PointsProgram program;
  std::int64_t count = 1;
};

}  // namespace trigon::detail::kernel
