// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulation.hpp"

namespace simulate {

/// Random points of the unit square; a share of pi / 4 lies within the circle.
struct Pi {
  struct State {
    trigon::Tensor inside;  ///< points within the circle, int32 (elements,)
  };

  std::int64_t elements;
  trigon::Scalar seed;

  struct Points {
    trigon::Tensor x, y;  ///< (elements,)
  };

  State start() const;
  /// The points of a step. step : int32, shape ().
  Points points(const trigon::Tensor& step) const;
  State next(const State& s, const trigon::Tensor& step) const;
  std::vector<Value> values(const State& s) const;
  /// The points of the last steps: gold within the circle, blue outside.
  trigon::Tensor picture(const State& s, std::int64_t steps) const;
  std::string summary(const State& s, std::int64_t steps) const;
};

}  // namespace simulate
