// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simulation.hpp"

namespace simulate {

/// Two substances that spread and react: U + 2 V -> 3 V. Source: Pearson, "Complex Patterns in a
/// Simple System", Science 1993.
struct GrayScott {
  static constexpr double spread_u = 0.16, spread_v = 0.08;  ///< dt / dx^2 times the diffusivity

  struct State {
    trigon::Tensor u, v;  ///< concentrations, float32 (side, side)
  };

  State initial;
  std::array<Parameter, 2> parameters{{{"feed", 0.037, 0.01, 0.08}, {"kill", 0.06, 0.04, 0.07}}};

  GrayScott(std::int64_t side, std::int64_t seed);
  State start() const { return initial; }
  State next(const State& s, const trigon::Tensor& step) const;
  std::vector<Value> values(const State& s) const { return {{"u", s.u}, {"v", s.v}}; }
  trigon::Tensor picture(const State& s) const;
  /// V is poured in under the pointer.
  State touched(const State& s, const Touch& touch, std::int64_t steps) const;
};

inline constexpr Entry gray_scott_entry{.name = "gray_scott",
                                        .about = "two substances spread and react",
                                        .unit = "points along a side",
                                        .elements = 1024,
                                        .most_elements = 8192,
                                        .steps = 1000,
                                        .make = make_gray_scott,
                                        .grid = true,
                                        .frames = true};

}  // namespace simulate
