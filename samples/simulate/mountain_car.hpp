// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "policy.hpp"
#include "simulation.hpp"

namespace simulate {

/// A car in a valley that is too weak to drive out at once. The dynamics of gym's MountainCar-v0;
/// Source: Moore, "Efficient Memory-based Learning for Robot Control", 1990.
struct MountainCar {
  static constexpr Layers layers{2, 8, 3};

  struct State {
    trigon::Tensor place, speed;  ///< (elements,)
    trigon::Tensor highest;       ///< the largest place so far, (elements,)
    trigon::Tensor score;         ///< -1 for each step, (elements,)
  };

  /// With fewer steps than gym's 200, even a car that never arrives would seem good.
  static bool is_solved(double score, std::int64_t steps) {
    return steps >= 200 && score >= -110.0;
  }
  State start(std::int64_t elements, std::int64_t seed) const;
  trigon::Tensor observe(const State& s) const;
  State act(const State& s, const trigon::Tensor& action) const;
  trigon::Tensor goes_on(const State& s) const;
  trigon::Tensor fitness(const State& s) const;
  std::vector<Value> values(const State& s) const;
};

}  // namespace simulate
