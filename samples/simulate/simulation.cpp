// SPDX-License-Identifier: MIT
#include "simulation.hpp"

#include <algorithm>
#include <array>

#include "fluid.hpp"
#include "gray_scott.hpp"
#include "life.hpp"
#include "mandelbrot.hpp"
#include "n_body.hpp"

namespace simulate {
namespace {

constexpr std::array table = {
    mandelbrot_entry,
    Entry{.name = "black_scholes",
          .about = "prices of European options",
          .unit = "options",
          .elements = 1'000'000,
          .most_elements = 50'000'000,
          .steps = 1,
          .make = make_black_scholes,
          .frames = true},
    Entry{.name = "acrobot",
          .about = "policies of 163 weights swing two links up",
          .unit = "policies",
          .elements = 4096,
          .most_elements = 1'000'000,
          .steps = 500,
          .make = make_acrobot,
          .by_hand = true,
          .chaotic = true,
          .frames = true},
    Entry{.name = "mountain_car",
          .about = "policies of 51 weights drive a weak car out of a valley",
          .unit = "policies",
          .elements = 4096,
          .most_elements = 1'000'000,
          .steps = 200,
          .make = make_mountain_car,
          .chaotic = true,
          .generations = 50},
    Entry{.name = "cart_pole",
          .about = "policies of 58 weights balance a pole on a cart",
          .unit = "policies",
          .elements = 4096,
          .most_elements = 1'000'000,
          .steps = 500,
          .make = make_cart_pole,
          .chaotic = true,
          .generations = 50},
    Entry{.name = "trading",
          .about = "policies of 246 weights divide a portfolio",
          .unit = "policies",
          .elements = 10'000,
          .most_elements = 1'000'000,
          .steps = 1500,
          .make = make_trading,
          .by_hand = true,
          .generations = 10},
    Entry{.name = "rastrigin",
          .about = "a genetic algorithm over 2,000 genes",
          .unit = "individuals",
          .elements = 4096,
          .most_elements = 65'536,
          .steps = 100,
          .make = make_rastrigin,
          .chaotic = true,
          .frames = true},
    Entry{.name = "pi",
          .about = "random points in a circle",
          .unit = "streams of points",
          .elements = 4096,
          .most_elements = 10'000'000,
          .steps = 100'000,
          .make = make_pi,
          .frames = true},
    n_body_entry,
    Entry{.name = "heat",
          .about = "heat spreads over a plate",
          .unit = "points along a side",
          .elements = 1024,
          .most_elements = 8192,
          .steps = 1000,
          .make = make_heat,
          .grid = true,
          .by_hand = true,
          .frames = true},
    life_entry,
    gray_scott_entry,
    fluid_entry,
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
