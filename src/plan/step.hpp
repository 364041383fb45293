// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernel/kernel.hpp"
#include "kernel/points.hpp"

namespace trigon::detail::plan {

/// A texture that a step writes.
struct StepOutput {
  std::int32_t slot = -1;
  core::Layout layout{};
  std::int64_t attachments = 1;   ///< layers that one draw writes
  bool in_place = false;          ///< the slot already has its texture
  kernel::IntExpr first_layer{};  ///< the first of the layers that the step writes
};

/// A texel by which the vertex stage puts a draw's triangles or points out of sight.
struct Guard {
  std::int32_t slot;
  kernel::IntExpr element{};  ///< offset of an element; the texture is plain and has one layer
  std::int64_t width;         ///< texels per texture row
  std::array<std::int64_t, 2> sides;  ///< of the texture that the pool hands out
  bool holds;  ///< the draw is made if the element is not 0; otherwise if it is 0

  friend bool operator==(const Guard&, const Guard&) = default;
};

/// One entry of a plan: a draw of a triangle (the fields of Bound and those up to last_use), a draw
/// of points, or a loop over other steps.
struct Step : kernel::Bound {
  std::string label{};  ///< for explain
  std::vector<StepOutput> outputs{};
  std::int32_t node = -1;     ///< the collected entry that it computes
  kernel::IntExpr x{}, y{};   ///< the viewport's corner, in texels
  std::int64_t w = 0, h = 0;  ///< and its size
  std::int64_t draws = 1;     ///< number of draws, each into other layers
  /// Overlapping triangles of a draw, whose results are added up by blending, in order. Targets
  /// start at -0, so that a sum of -0 stays -0.
  std::int64_t overlays = 1;
  std::int64_t fragments = 0;
  std::vector<std::int32_t> last_use{};  ///< slots that no later step reads

  std::vector<Guard> guards{};  ///< of a draw: it is made if all of them allow it

  /// A draw that adds to its one output, in place. It has no kernel; its integer uniforms are
  /// PointsUniforms.
  std::optional<kernel::Points> points{};

  // Fields of a loop, which has no kernel.
  std::vector<Step> body{};
  kernel::IntExpr repeats{};
  std::int32_t counter = -1;  ///< the plan's scalar that holds the number of finished repeats
  /// Repeats that one iteration stands for, and the scalar that holds them: the last one may do
  /// fewer.
  std::int64_t chunk = 1;
  std::int32_t count = -1;
  /// A slot whose first texel is read before each iteration; the loop ends if it is 0. -1: none.
  std::int32_t until = -1;
  /// Slots that swap textures after each iteration.
  std::vector<std::pair<std::int32_t, std::int32_t>> trades{};

  bool is_repeat() const { return kernel == nullptr && !points; }
  std::int64_t attachments() const {
    std::int64_t sum = 0;
    for (const StepOutput& output : outputs) sum += output.attachments;
    return sum;
  }
};

/// A loop over steps, which compute no entry themselves.
inline Step repeat_of(std::vector<Step> body, const kernel::IntExpr& repeats) {
  Step step;
  step.label = "repeat";
  step.body = std::move(body);
  step.repeats = repeats;
  for (Step& inner : step.body) inner.node = -1;
  return step;
}

}  // namespace trigon::detail::plan
