// SPDX-License-Identifier: MIT
#include "simulation.hpp"

#include <algorithm>
#include <array>

namespace simulate {
namespace {

constexpr std::array table = {
    Entry{.name = "mandelbrot",
          .about = "the Mandelbrot set",
          .unit = "pixels along a side",
          .lanes = 1024,
          .most_lanes = 8192,
          .steps = 500,
          .make = make_mandelbrot,
          .grid = true,
          .by_hand = true,
          .chaotic = true,
          .frames = true},
    Entry{.name = "black_scholes",
          .about = "prices of European options",
          .unit = "options",
          .lanes = 1'000'000,
          .most_lanes = 50'000'000,
          .steps = 1,
          .make = make_black_scholes,
          .frames = true},
    Entry{.name = "acrobot",
          .about = "policies of 163 weights swing two links up",
          .unit = "policies",
          .lanes = 4096,
          .most_lanes = 1'000'000,
          .steps = 500,
          .make = make_acrobot,
          .by_hand = true,
          .chaotic = true,
          .frames = true},
    Entry{.name = "mountain_car",
          .about = "policies of 51 weights drive a weak car out of a valley",
          .unit = "policies",
          .lanes = 4096,
          .most_lanes = 1'000'000,
          .steps = 200,
          .make = make_mountain_car,
          .chaotic = true,
          .generations = 50},
    Entry{.name = "cart_pole",
          .about = "policies of 58 weights balance a pole on a cart",
          .unit = "policies",
          .lanes = 4096,
          .most_lanes = 1'000'000,
          .steps = 500,
          .make = make_cart_pole,
          .chaotic = true,
          .generations = 50},
    Entry{.name = "trading",
          .about = "policies of 246 weights divide a portfolio",
          .unit = "policies",
          .lanes = 10'000,
          .most_lanes = 1'000'000,
          .steps = 1500,
          .make = make_trading,
          .by_hand = true,
          .generations = 10},
    Entry{.name = "rastrigin",
          .about = "a genetic algorithm over 2,000 genes",
          .unit = "individuals",
          .lanes = 4096,
          .most_lanes = 65'536,
          .steps = 100,
          .make = make_rastrigin,
          .chaotic = true,
          .frames = true},
    Entry{.name = "pi",
          .about = "random points in a circle",
          .unit = "streams of points",
          .lanes = 4096,
          .most_lanes = 10'000'000,
          .steps = 100'000,
          .make = make_pi,
          .frames = true},
    Entry{.name = "n_body",
          .about = "two galaxies meet",
          .unit = "bodies",
          .lanes = 512,
          .most_lanes = 16'384,
          .steps = 200,
          .make = make_n_body,
          .by_hand = true,
          .chaotic = true,
          .frames = true},
    Entry{.name = "heat",
          .about = "heat spreads over a plate",
          .unit = "points along a side",
          .lanes = 1024,
          .most_lanes = 8192,
          .steps = 1000,
          .make = make_heat,
          .grid = true,
          .by_hand = true,
          .frames = true},
    Entry{.name = "life",
          .about = "Conway's Game of Life",
          .unit = "cells along a side",
          .lanes = 1024,
          .most_lanes = 8192,
          .steps = 1000,
          .make = make_life,
          .grid = true,
          .frames = true},
    Entry{.name = "gray_scott",
          .about = "two substances spread and react",
          .unit = "points along a side",
          .lanes = 1024,
          .most_lanes = 8192,
          .steps = 1000,
          .make = make_gray_scott,
          .grid = true,
          .frames = true},
    Entry{.name = "fluid",
          .about = "smoke rises in a box",
          .unit = "cells along a side",
          .lanes = 512,
          .most_lanes = 4096,
          .steps = 200,
          .make = make_fluid,
          .grid = true,
          .chaotic = true,
          .frames = true},
};

}  // namespace

const char* name_of(Form form) {
  switch (form) {
    case Form::tensor: return "tensor";
    case Form::steps: return "steps";
    case Form::hand: break;
  }
  return "hand";
}

std::span<const Entry> entries() { return table; }

const Entry* find_entry(std::string_view name) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Entry& one) { return one.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace simulate
