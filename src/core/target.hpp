// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/rooms.hpp"

namespace trigon::detail::core {

enum class Dialect : std::uint8_t { es300, es100 };

/// The limits and abilities of a device that plans and shaders depend on.
struct Target {
  Dialect dialect = Dialect::es300;
  std::int64_t draw_buffers = 8;
  std::int64_t max_side = 16384;
  std::int64_t max_layers = 2048;
  std::int64_t samplers = 16;
  std::int64_t vertex_samplers = 16;  ///< of the vertex stage, in addition
  std::int64_t uniform_vectors = 224;
  std::int64_t trip_limit = 65000;  ///< iterations of all loops of a fragment together
  std::int64_t index_limit = std::numeric_limits<std::int32_t>::max();  ///< of the shader's indices
  std::int64_t instructions = 512;  ///< lowered instructions at which a chain of ops is cut
  bool sampler_fetch = false;       ///< texture() at texel centres in place of texelFetch
  bool avoid_power_of_two = true;   ///< for the sides of textures
  bool float_blend = false;         ///< draws can blend into float32 targets
  bool share_quads = false;         ///< derivatives exchange values between a quad's fragments
  bool check = false;               ///< users' kernels are told which elements exist

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

/// Who asks for a plan. Decides how many runs share the time to compile its programs.
enum class Asker : std::uint8_t { evaluation, compiled_function };

/// Assumed runs of an evaluation's plan. Many run once, but in a training loop of plain eval() each
/// saved draw counts.
inline constexpr double runs_of_evaluation = 1'000;
/// Assumed calls of a compiled function.
inline constexpr double runs_of_compiled_function = 5'000;
/// Assumed runs of the steps that a loop repeats.
inline constexpr double runs_of_loop_body = 100'000;
/// Assumed iterations of a while loop in one run, if nothing says how many there will be.
inline constexpr std::int64_t iterations_of_while_loop = 64;

/// How long things take on a driver, in nanoseconds. The schedule weighs storing a value against
/// computing it again, and the compile time of plans against how often they run. Plans depend on
/// these numbers, so they are constants, never measured at run time. Kernels and their text do not
/// depend on them.
struct Costs {
  double draw;               ///< a draw that depends on the one before, with the host's share
  double fetch;              ///< one texel
  double fill;               ///< one texel of a target
  double blend;              ///< one texel that is blended into a target
  double instruction;        ///< one operation on four lanes
  double trip;               ///< one trip of a loop whose fetches wait for each other
  double wait;               ///< one fetch, where too few other fragments hide it
  double fragments;          ///< number of fragments that hides fetches
  double longest_draw;       ///< loops are cut into draws that take no longer
  double compile_program;    ///< an empty program
  double compile_operation;  ///< one of its operations on four lanes
  double compile_square;     ///< per square of the number of operations
  double compile_floats;     ///< per square of the number of uniforms
  double compile_loops;      ///< times e to the power of the number of its loops
  bool branch_skips;         ///< a branch that no fragment takes costs nothing
  double runs = runs_of_evaluation;  ///< of the plan: they share its compile time
};

/// The costs for plans of such a call.
inline Costs costs_for(Asker asker, Costs costs) {
  costs.runs = asker == Asker::evaluation ? runs_of_evaluation : runs_of_compiled_function;
  return costs;
}

/// The size of a program, as far as its compile time depends on it.
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
/// shader (250 take 14 s), and analyses for each loop all loops before it (14 take 12 s).
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
