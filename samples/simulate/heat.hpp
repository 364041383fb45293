// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "simulation.hpp"

namespace simulate {

/// Heat that spreads over a plate whose border is kept at 0: du/dt = a (d2u/dx2 + d2u/dy2), by
/// forward differences.
struct Heat {
  static constexpr double rate = 0.2;  ///< a dt / dx^2; stable up to 0.25

  struct State {
    trigon::Tensor heat;  ///< float32 (side, side)
  };

  State initial;

  Heat(std::int64_t side, std::int64_t seed);
  State start() const { return initial; }
  State next(const State& s, const trigon::Tensor& step) const;
  State by_hand(State s, std::int64_t first, std::int64_t steps) const;
  std::vector<Value> values(const State& s) const { return {{"heat", s.heat}}; }
  trigon::Tensor picture(const State& s) const;
};

}  // namespace simulate
