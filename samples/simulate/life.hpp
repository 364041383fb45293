// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "simulation.hpp"

namespace simulate {

/// Conway's Game of Life; cells outside are dead. Source: Gardner, "The fantastic combinations of
/// John Conway's new solitaire game life", 1970.
struct Life {
  struct State {
    trigon::Tensor alive;  ///< 0 or 1, float32 (side, side)
  };

  State initial;

  Life(std::int64_t side, std::int64_t seed);
  State start() const { return initial; }
  State next(const State& s, const trigon::Tensor& step) const;
  std::vector<Value> values(const State& s) const { return {{"alive", s.alive}}; }
  /// Live cells are bright and light up their surroundings.
  trigon::Tensor picture(const State& s) const;
  /// Half of the cells under the pointer come to life.
  State touched(const State& s, const Touch& touch, std::int64_t steps) const;
};

inline constexpr Entry life_entry{.name = "life",
                                  .about = "Conway's Game of Life",
                                  .unit = "cells along a side",
                                  .elements = 1024,
                                  .most_elements = 8192,
                                  .steps = 1000,
                                  .make = make_life,
                                  .grid = true,
                                  .frames = true};

}  // namespace simulate
