// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simulation.hpp"

namespace simulate {

/// Smoke that rises in a closed box: Euler's equations of an incompressible fluid, by tracing
/// elements back along the flow. Source: Stam, "Stable Fluids", SIGGRAPH 1999.
struct Fluid {
  static constexpr int pressure_steps = 40;  ///< of Jacobi's method

  struct State {
    trigon::Tensor across, down;  ///< velocity in cells a step, float32 (side, side)
    trigon::Tensor smoke;         ///< float32 (side, side)
  };

  std::int64_t side;
  trigon::Tensor source;  ///< where smoke enters, 0 or 1, (side, side)
  std::array<Parameter, 1> parameters{{{"buoyancy", 0.05, 0.0, 0.2}}};
  bool single = false;  ///< each step of the pressure has a separate draw

  Fluid(std::int64_t side, std::int64_t seed);
  State start() const;
  State next(const State& s, const trigon::Tensor& step) const;
  std::vector<Value> values(const State& s) const;
  trigon::Tensor picture(const State& s) const;
  /// Near the pointer the fluid moves with it and carries smoke.
  State touched(const State& s, const Touch& touch, std::int64_t steps) const;

 private:
  trigon::Tensor pressure(const trigon::Tensor& divergence) const;
};

/// A field at places between its elements, by bilinear interpolation; places outside are moved to
/// the border.
///
/// field : (rows, columns). row, column : float32, any shape.
trigon::Tensor sample(const trigon::Tensor& field, const trigon::Tensor& row,
                      const trigon::Tensor& column);

inline constexpr Entry fluid_entry{.name = "fluid",
                                   .about = "smoke rises in a box",
                                   .unit = "cells along a side",
                                   .elements = 512,
                                   .most_elements = 4096,
                                   .steps = 200,
                                   .make = make_fluid,
                                   .grid = true,
                                   .chaotic = true,
                                   .frames = true};

}  // namespace simulate
