// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "simulation.hpp"

namespace simulate {

/// z = z^2 + c for the points c of a grid, until |z| > 2. Source: Mandelbrot, "Fractal aspects of
/// the iteration of z -> lambda z (1 - z)", 1980.
struct Mandelbrot {
  struct State {
    trigon::Tensor x, y;   ///< z, float32 (side, side)
    trigon::Tensor count;  ///< steps until |z| > 2, int32 (side, side)
  };

  std::int64_t side;
  trigon::Tensor cx;  ///< (side,)
  trigon::Tensor cy;  ///< (side, 1)

  explicit Mandelbrot(std::int64_t side);
  State start() const;
  trigon::Tensor goes_on(const State& s) const;
  State next(const State& s) const;
  State by_hand(const State& s, std::int64_t first, std::int64_t steps) const;
  std::vector<Value> values(const State& s) const;
  Image picture(const State& s) const;
};

}  // namespace simulate
