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
    trigon::Tensor inside;  ///< points within the circle, int32 (lanes,)
  };

  std::int64_t lanes;
  trigon::Scalar seed;

  State start() const;
  State next(const State& s, const trigon::Tensor& step) const;
  std::vector<Value> values(const State& s) const;
  std::string summary(const State& s, std::int64_t steps) const;
};

}  // namespace simulate
