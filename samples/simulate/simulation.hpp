// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trigon/tensor.hpp>

namespace simulate {

/// How a simulation is computed.
enum class Form : std::uint8_t {
  tensor,  ///< tensor code inside a loop of Trigon
  steps,   ///< the same tensor code, each step evaluated separately
  hand,    ///< a kernel written by hand
};
const char* name_of(Form form);

/// Called with the steps done and those to do.
using Report = std::function<void(std::int64_t done, std::int64_t total)>;

/// A square of the plane of complex numbers.
struct Region {
  double x = -0.7, y = 0.0;  ///< its middle
  double width = 3.0;
};

struct Settings {
  std::int64_t elements = 0;  ///< of a grid: those along a side
  std::int64_t steps = 0;
  std::int64_t seed = 1;
  bool euler = false;  ///< acrobot: Euler's method in place of Runge and Kutta's
  Region region{};     ///< mandelbrot
  Report report{};     ///< empty: none
};

/// A value of a state that forms are compared by.
struct Value {
  std::string name;
  trigon::Tensor tensor;
};

/// A pointer that is pressed on a picture. Lengths are shares of the picture's sides, from its left
/// and its top.
struct Touch {
  double x = 0.5, y = 0.5;
  double dx = 0.0, dy = 0.0;  ///< how far it came since the last touch
};

/// The place (x, y) of a picture stays, and everything around it is enlarged by `factor`.
struct Zoom {
  double factor = 1.0;
  double x = 0.5, y = 0.5;
};

/// A number of a model that may change while it runs, without a new plan.
struct Parameter {
  const char* name;
  double value;
  double least, most;
};

/// A running simulation, in one form.
class Run {
 public:
  virtual ~Run() = default;
  /// Computes further steps; does not wait for them.
  virtual void advance(std::int64_t steps) = 0;
  virtual std::vector<Value> values() const = 0;
  /// The state as a picture, (height, width, 3) float32 from 0 to 1; empty if there is none.
  virtual trigon::Tensor picture() const { return {}; }
  /// The picture after further steps, in form tensor computed together with them.
  virtual trigon::Tensor frame(std::int64_t steps) {
    advance(steps);
    return picture();
  }
  /// The plan of the next frame, as text from trigon::explain; empty in other forms than tensor.
  virtual std::string explain(std::int64_t) const { return {}; }
  /// Applies the pointer's effect in this simulation, if it has one.
  virtual void touch(const Touch&) {}
  virtual void zoom(const Zoom&) {}
  /// The result in a line of text; empty if there is none.
  virtual std::string summary() const { return {}; }
};

/// The scores of a generation of a population.
struct Generation {
  double best = 0;
  double mean = 0;
  std::optional<double> check{};  ///< mean reward of the best one over new starts
  bool solved = false;
};

class Simulation {
 public:
  virtual ~Simulation() = default;
  virtual std::unique_ptr<Run> start(Form form) const = 0;
  /// All random inputs of the steps: weights, starts, tables; empty if they are not given out.
  virtual std::vector<Value> inputs() const { return {}; }
  /// Those of the model, which runs in form tensor read at each frame; empty if it has none.
  virtual std::span<Parameter> parameters() { return {}; }
  /// Evaluates the population and replaces it by the next one; empty if there is no population.
  virtual std::optional<Generation> evolve() { return std::nullopt; }
};

/// A row of the table of simulations. Those of the gallery stand in the headers of their models, so
/// that it can do without the others.
struct Entry {
  const char* name;
  const char* about;
  const char* unit;  ///< of elements
  std::int64_t elements;
  std::int64_t most_elements;
  std::int64_t steps;
  std::unique_ptr<Simulation> (*make)(const Settings& settings);
  bool grid = false;             ///< elements are counted along a side
  bool by_hand = false;          ///< has a kernel written by hand
  bool chaotic = false;          ///< rounding grows: compared over few steps, and by means
  bool frames = false;           ///< has a picture of its state
  std::int64_t generations = 0;  ///< the most, if it evolves until it is solved
};

/// Number of steps after which the forms still agree if rounding errors grow.
inline constexpr std::int64_t predictable_steps = 50;
/// The number of steps after which the values of two forms are compared.
inline std::int64_t compared_steps(const Entry& entry, std::int64_t steps) {
  return entry.chaotic ? std::min(steps, predictable_steps) : steps;
}

std::span<const Entry> entries();
/// nullptr for an unknown name.
const Entry* find_entry(std::string_view name);

std::unique_ptr<Simulation> make_mandelbrot(const Settings& settings);
std::unique_ptr<Simulation> make_black_scholes(const Settings& settings);
std::unique_ptr<Simulation> make_acrobot(const Settings& settings);
std::unique_ptr<Simulation> make_mountain_car(const Settings& settings);
std::unique_ptr<Simulation> make_cart_pole(const Settings& settings);
std::unique_ptr<Simulation> make_trading(const Settings& settings);
std::unique_ptr<Simulation> make_rastrigin(const Settings& settings);
std::unique_ptr<Simulation> make_pi(const Settings& settings);
std::unique_ptr<Simulation> make_n_body(const Settings& settings);
std::unique_ptr<Simulation> make_heat(const Settings& settings);
std::unique_ptr<Simulation> make_life(const Settings& settings);
std::unique_ptr<Simulation> make_gray_scott(const Settings& settings);
std::unique_ptr<Simulation> make_fluid(const Settings& settings);

}  // namespace simulate
