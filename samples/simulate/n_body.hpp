// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "simulation.hpp"

namespace simulate {

/// Stars of two galaxies that attract each other: Newton's law, softened where they come close.
/// Source: Aarseth, "Gravitational N-Body Simulations", 2003.
struct NBody {
  static constexpr double time_step = 0.01;
  static constexpr double softening = 0.05;  ///< a length

  struct State {
    trigon::Tensor x, y, z;     ///< places, float32 (bodies,)
    trigon::Tensor vx, vy, vz;  ///< velocities, float32 (bodies,)
  };

  State initial;
  double mass;  ///< of a body; all of them together have 1

  NBody(std::int64_t bodies, std::int64_t seed);
  State start() const { return initial; }
  State next(const State& s, const trigon::Tensor& step) const;
  State by_hand(State s, std::int64_t first, std::int64_t steps) const;
  std::vector<Value> values(const State& s) const;
  Image picture(const State& s) const;
};

}  // namespace simulate
