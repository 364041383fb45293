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
  static constexpr double softening = 0.05;    ///< a length
  static constexpr std::int64_t pixels = 400;  ///< along a side of the picture

  /// The direction of the view; another one reuses the plan.
  struct Camera {
    double turn = 0.0;     ///< about the middle's vertical axis, radians
    double height = 0.75;  ///< over the horizontal plane, radians
    double distance = 3.4;
  };

  struct State {
    trigon::Tensor x, y, z;     ///< places, float32 (bodies,)
    trigon::Tensor vx, vy, vz;  ///< velocities, float32 (bodies,)
    Camera camera;
  };

  State initial;
  double mass;  ///< of a body; their sum is 1

  NBody(std::int64_t bodies, std::int64_t seed);
  State start() const { return initial; }
  State next(const State& s, const trigon::Tensor& step) const;
  State by_hand(State s, std::int64_t first, std::int64_t steps) const;
  std::vector<Value> values(const State& s) const;
  /// Each star is a disc of light, those of one galaxy in gold, those of the other in blue.
  trigon::Tensor picture(const State& s) const;
  /// The pointer turns the camera about the middle.
  State touched(State s, const Touch& touch, std::int64_t steps) const;
  State zoomed(State s, const Zoom& zoom) const;
};

inline constexpr Entry n_body_entry{.name = "n_body",
                                    .about = "two galaxies meet",
                                    .unit = "bodies",
                                    .elements = 512,
                                    .most_elements = 16'384,
                                    .steps = 200,
                                    .make = make_n_body,
                                    .by_hand = true,
                                    .chaotic = true,
                                    .frames = true};

}  // namespace simulate
