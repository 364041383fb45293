// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "policy.hpp"
#include "simulation.hpp"

namespace simulate {

/// A pole on a cart that is pushed to the left or to the right. The dynamics of gym's CartPole-v1;
/// Source: Barto, Sutton and Anderson, "Neuronlike Adaptive Elements That Can Solve Difficult
/// Learning Control Problems", 1983.
struct CartPole {
  static constexpr Layers layers{4, 8, 2};

  struct State {
    trigon::Tensor place, speed;  ///< of the cart, metres, (elements,)
    trigon::Tensor angle, spin;   ///< of the pole, radians, (elements,)
    trigon::Tensor score;         ///< steps before it fell, (elements,)
  };

  static bool is_solved(double score, std::int64_t) { return score >= 475.0; }
  State start(std::int64_t elements, std::int64_t seed) const;
  trigon::Tensor observe(const State& s) const;
  State act(const State& s, const trigon::Tensor& action) const;
  trigon::Tensor goes_on(const State& s) const;
  trigon::Tensor fitness(const State& s) const { return s.score; }
  std::vector<Value> values(const State& s) const;
};

}  // namespace simulate
