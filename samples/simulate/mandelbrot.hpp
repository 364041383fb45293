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
    Region region;         ///< of c; another one reuses the plan
  };

  std::int64_t side;
  Region first;

  State start() const { return start(first); }
  State start(const Region& region) const;
  trigon::Tensor goes_on(const State& s) const;
  State next(const State& s) const;
  State by_hand(const State& s, std::int64_t first, std::int64_t steps) const;
  std::vector<Value> values(const State& s) const;
  /// Colours by the number of steps until |z| > 2, interpolated to be continuous. The remaining
  /// points count as the set's and are black.
  trigon::Tensor picture(const State& s) const;
  /// The plane moves with the pointer. If the region changes, the steps start again.
  State touched(const State& s, const Touch& touch, std::int64_t steps) const;
  State zoomed(const State& s, const Zoom& zoom) const;

  static constexpr double most_width = 8.0;
  /// The width below which float32 gives neighbouring pixels the same c. There their distance is
  /// twice the spacing of numbers between 1 and 2.
  static double least_width(std::int64_t side);

 private:
  struct Points {
    trigon::Tensor x;  ///< (side,)
    trigon::Tensor y;  ///< (side, 1)
  };
  Points points(const Region& region) const;
};

inline constexpr Entry mandelbrot_entry{.name = "mandelbrot",
                                        .about = "the Mandelbrot set",
                                        .unit = "pixels along a side",
                                        .elements = 1024,
                                        .most_elements = 8192,
                                        .steps = 500,
                                        .make = make_mandelbrot,
                                        .grid = true,
                                        .by_hand = true,
                                        .chaotic = true,
                                        .frames = true};

}  // namespace simulate
