// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/rooms.hpp"

namespace trigon::detail::core {

enum class Dialect : std::uint8_t { es300, es100 };

/// The limits and abilities of a device, as far as plans and shaders depend on them.
struct Target {
  Dialect dialect = Dialect::es300;
  std::int64_t draw_buffers = 8;
  std::int64_t max_side = 16384;
  std::int64_t max_layers = 2048;
  std::int64_t samplers = 16;
  std::int64_t vertex_samplers = 16;  ///< of the vertex stage, beside all others
  std::int64_t uniform_vectors = 224;
  std::int64_t trip_limit = 65000;  ///< of a fragment's loops, nested and sequential ones added
  std::int64_t index_limit = std::numeric_limits<std::int32_t>::max();  ///< of the shader's indices
  std::int64_t instructions = 512;  ///< lowered instructions at which a chain of ops is cut
  bool sampler_fetch = false;       ///< texture() at texel centres in place of texelFetch
  bool avoid_power_of_two = true;   ///< for the sides of textures
  bool float_blend = false;         ///< draws can be added to float32 targets
  bool share_quads = false;         ///< derivatives exchange values between a quad's fragments
  bool check = false;               ///< kernels of users are told which elements there are

  friend bool operator==(const Target&, const Target&) = default;
};

/// The largest index that the shader's integers hold. Those of GLSL ES 1.00 are floats, which hold
/// every whole number up to 2^24.
inline std::int64_t largest_index(const Target& target) {
  constexpr std::int64_t floats = std::int64_t{1} << 24;
  return target.dialect == Dialect::es100 ? std::min(target.index_limit, floats)
                                          : target.index_limit;
}

/// Trips that a shader's integers can count.
inline std::int64_t most_trips(const Target& target) {
  return std::int64_t{1} << (target.dialect == Dialect::es100 ? 22 : 29);
}

/// Who asks for a plan: how many runs share the time that compiling its programs takes.
enum class Asker : std::uint8_t { evaluation, compiled_function };

/// Runs of an evaluation's plan. Many are evaluated once; in a training loop of plain eval() a draw
/// that is saved counts, too.
inline constexpr double runs_of_evaluation = 1'000;
/// Calls of a compiled function.
inline constexpr double runs_of_compiled_function = 5'000;
/// Of the steps that a loop repeats.
inline constexpr double runs_of_loop_body = 100'000;
/// Trips of a while loop in one run, where nothing says how many there will be.
inline constexpr std::int64_t trips_of_while_loop = 64;

/// How long things take on a driver, in nanoseconds: the schedule weighs storing a value against
/// computing it again, and compares what plans compile with how often they run. Plans depend on
/// these numbers, so they are written down, never measured at run time; kernels and their text do
/// not depend on them.
struct Costs {
  double draw;               ///< a draw that depends on the one before, with the host's share
  double fetch;              ///< one texel
  double fill;               ///< one texel of a target
  double blend;              ///< one texel that is added to another one there
  double instruction;        ///< one operation on four lanes
  double trip;               ///< one trip of a loop whose fetches wait for each other
  double wait;               ///< one fetch of a fragment where too few others hide it
  double fragments;          ///< enough of them to hide fetches
  double longest_draw;       ///< loops are cut into draws that take no longer
  double compile_program;    ///< a program that does nothing
  double compile_operation;  ///< one of its operations on four lanes
  double compile_square;     ///< what grows faster, by the square of their number
  double compile_floats;     ///< the same of its uniforms
  double compile_loops;      ///< times e to the power of the number of its loops
  bool branch_skips;         ///< a branch that no fragment takes costs nothing
  double runs = runs_of_evaluation;  ///< of the plan: they share what it compiles
};

/// The costs by which plans for such a call are made.
inline Costs costs_for(Asker asker, Costs costs) {
  costs.runs = asker == Asker::evaluation ? runs_of_evaluation : runs_of_compiled_function;
  return costs;
}

/// What a driver compiles for a program.
struct Compiled {
  std::int64_t operations = 0;  ///< on four lanes
  std::int64_t floats = 0;      ///< uniforms that it computes with
  std::int64_t loops = 0;
};

/// Nanoseconds that a driver takes for a program.
inline double compile_nanoseconds(const Compiled& program, const Costs& costs) {
  const auto n = static_cast<double>(program.operations);
  const auto floats = static_cast<double>(program.floats);
  constexpr double most_loops = 40;
  const double loops = std::min(static_cast<double>(program.loops), most_loops);
  return costs.compile_program + n * (costs.compile_operation + n * costs.compile_square) +
         floats * floats * costs.compile_floats + std::exp(loops) * costs.compile_loops;
}

/// Mesa's llvmpipe on two cores. Its compiler keeps all uniforms in registers of a loop around the
/// shader (250 take 14 s), and asks for each loop what holds in those before (14 take 12 s).
inline constexpr Costs llvmpipe_costs{.draw = 52'000,
                                      .fetch = 1.6,
                                      .fill = 2.8,
                                      .blend = 6,
                                      .instruction = 0.1,
                                      .trip = 0,
                                      .wait = 0,
                                      .fragments = 2,
                                      .longest_draw = 1e300,
                                      .compile_program = 22e6,
                                      .compile_operation = 0.4e6,
                                      .compile_square = 50,
                                      .compile_floats = 0.23e6,
                                      .compile_loops = 1e4,
                                      .branch_skips = false};
/// A discrete GPU: NVIDIA's driver on an H200. Browsers and Windows end a draw after about 2 s, and
/// other GPUs are up to a hundred times slower. Loops of arithmetic take 6 to 50 times less than
/// these numbers say. Loops of functions are unrolled: 64 uses of remainder in a kernel compile for
/// a minute.
inline constexpr Costs gpu_costs{.draw = 28'000,
                                 .fetch = 0.033,
                                 .fill = 0.3,
                                 .blend = 2,
                                 .instruction = 0.01,
                                 .trip = 100,
                                 .wait = 70,
                                 .fragments = 16'384,
                                 .longest_draw = 5e8,
                                 .compile_program = 8e6,
                                 .compile_operation = 0.25e6,
                                 .compile_square = 250,
                                 .compile_floats = 0,
                                 .compile_loops = 0,
                                 .branch_skips = true};

}  // namespace trigon::detail::core
