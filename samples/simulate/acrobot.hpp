// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "policy.hpp"
#include "simulation.hpp"

namespace simulate {

/// Two links that swing from a fixed point, with a motor at the joint between them. The dynamics of
/// gym's Acrobot-v1; Source: Sutton, "Generalization in Reinforcement Learning", NIPS 1996.
struct Acrobot {
  static constexpr Layers layers{6, 16, 3};

  struct Motion {
    trigon::Tensor angle1, angle2;  ///< radians, (elements,); 0 hangs down
    trigon::Tensor spin1, spin2;    ///< radians a second, (elements,)
  };
  struct State {
    Motion motion;
    trigon::Tensor score;  ///< -1 for each step before the tip is high enough, (elements,)
  };

  bool euler = false;  ///< true: Euler's method, steps of 0.05 s; false: Runge and Kutta's, 0.2 s
  double time_step() const { return euler ? 0.05 : 0.2; }

  State start(std::int64_t elements, std::int64_t seed) const;
  trigon::Tensor observe(const State& s) const;
  State act(const State& s, const trigon::Tensor& action) const;
  trigon::Tensor goes_on(const State& s) const;
  State by_hand(const State& s, const Policy& policy, std::int64_t steps) const;
  std::vector<Value> values(const State& s) const;
  /// The links of the first elements: gold if the tip got high enough, otherwise blue. The dotted
  /// line is that height.
  trigon::Tensor picture(const State& s) const;
};

}  // namespace simulate
