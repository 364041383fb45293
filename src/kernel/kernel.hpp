// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "core/item.hpp"
#include "core/layout.hpp"
#include "core/math.hpp"
#include "core/target.hpp"

// The program of a fragment, as a value. It knows neither graphs nor GLSL.

namespace trigon::detail::kernel {

/// How an index varies over the four lanes of a texel.
enum class Lane : std::uint8_t {
  uniform,      ///< the same in all lanes: one int
  consecutive,  ///< one int, of lane 0; each lane is one more than the last
  vector,       ///< of any kind: an ivec4
};

/// The instructions. args are numbers of instructions; ints[k] stands for the value of the integer
/// uniform with that number.
enum class Code : std::uint8_t {
  // Indices.
  frag_x,       ///< texel column; mode 1: minus ints[0]
  frag_x4,      ///< 4 * frag_x, consecutive
  frag_y,       ///< texture row; mode 1: minus ints[0]; mode 2: plus ints[0]
  counter,      ///< finished trips of the block `inner`
  counter4,     ///< 4 * counter, consecutive
  lanes,        ///< 0, 1, 2, 3: consecutive, from 0
  pair_x,       ///< texel column / 2
  pair_y,       ///< texture row / 2
  member_x,     ///< texel column % 2
  member_y,     ///< texture row % 2
  part,         ///< number of the triangle, among overlapping ones
  scalar,       ///< ints[0]
  affine,       ///< sum of args[k] * ints[k] + ints.back(); uniform -1: factor 1, constant 0;
                ///< mode 1: a number, rounded if it exceeds the integers
  quotient,     ///< args[0] / ints[0], for args[0] >= 0; mode 1: args[0] is below 2^20
  remainder,    ///< args[0] - args[1] * ints[0], args[1] being the quotient
  clamp_index,  ///< the value args[0] as an index below ints[0]: from the end if negative, clamped
  trips_if,     ///< args[1] < ints[0] ? args[0] : 0
  // Addresses.
  texel_coordinate,  ///< of `input`: mode 0: of the element offset args[0] in a texture
                     ///< row; mode 1: of the row args[0]. Real uniform ints[0]: 1 / side
  // Values.
  load,      ///< of `input`; args: x, y, layer or -1, offset in the row or -1; mode: a Fetch
  uniform,   ///< the real uniform with the number ints[0]
  table,     ///< the uniform ints[0] + args[0], a real one if the type is f, otherwise an integer;
             ///< args[0] is an index, in GLSL ES 1.00 a counter; ints[0] is a multiple of 4,
             ///< ints[1] the last one of the table
  index,     ///< the index args[0] as a value
  inside,    ///< a mask, 0 or 1: mode & 1: args[0] >= 0; & 2: < ints[0]; 4: args[0] == 0
  select,    ///< in each lane args[0] != 0 ? args[1] : args[2]
  apply,     ///< op(args)
  raw,       ///< access to `input` by indices that a kernel computes, as an argument of `call`.
             ///< mode 0: by the number in C order, mode 1: by one index per axis. ints: number of
             ///< elements (mode 0), sizes, strides, offset, elements per texture row, rows per slab
             ///< and layers (if layered). args: 1 / width, 1 / height, if sampled
  call,      ///< the results of a kernel, a tuple; args: its inputs, its numbers, and, if the
             ///< target checks, the mask of existing elements
  both,      ///< the masks args[0] and args[1]
  convert,   ///< args[0] as `type`; mode: a Conversion
  swizzle,   ///< args[0] with its lanes in another order; mode: a Swizzle
  pack,      ///< lane k is lane 0 of args[k]; 0 where there are fewer than four args
  column,    ///< lane k is lane `mode` of args[k]
  shift,     ///< args[0] and args[1] side by side are eight lanes: takes four from `mode` on
  keep,      ///< args[1] where lane `mode` of the mask args[0] is set, 0 elsewhere
  rows,      ///< args[0] + the sum over k of lane k of args[1] times args[2 + k]
  dots,      ///< lane k of args[0] + the dot product of args[1] and args[2 + k]
  exchange,  ///< the sum of both fragments' args[0] in the left (mode 1: lower) one of a pair, the
             ///< sum of both args[1] in the other one
  neighbour,  ///< args[0] of the other fragment of a horizontal pair; mode 1: of a vertical pair
  lift,       ///< accumulators of the value args[0] at the position args[1]; no args: of no value
  combine,    ///< accumulators of two tuples of them, whose components are the args; one more arg:
              ///< the mask of lanes to combine; the other lanes keep the first tuple's
  finish,     ///< the op's outputs, from accumulators
  extract,    ///< component `mode` of the tuple of a call, lift, combine or finish
  carried,    ///< carried value `mode` of the block `inner`, within it
  result,     ///< carried value `mode` of the block `inner`, after it
};
inline constexpr Code last_index_code = Code::trips_if;

/// How a load fetches.
enum class Fetch : std::uint8_t {
  row,    ///< one texel: its four elements
  splat,  ///< one element, in all lanes
  lanes,  ///< four elements, each in its own texel
};

/// The ways of `convert`.
enum class Conversion : std::uint8_t {
  plain,     ///< GLSL's conversion
  truth,     ///< 1 where not 0; NaN is true
  half,      ///< rounded to float16
  truncate,  ///< towards zero, staying a float; 0 if not finite
  byte,      ///< modulo 256
  wrap,      ///< of a float through int, so that negative numbers wrap
  word,      ///< modulo 2^32, of an integer stored as a float
};

enum class Swizzle : std::uint8_t { xxxx, yyyy, zzzz, wwww, yxwz, zwxy };

struct Instr {
  Code code;
  core::Type type = core::Type::f;
  Lane lane = Lane::uniform;
  std::int8_t mode = 0;
  std::int8_t component = -1;  ///< of a texel, for splat and lanes; -1: only known at run time
  std::int16_t block = 0;
  std::int16_t inner = -1;  ///< the block that a counter, a carried value or a result belongs to
  std::int16_t input = -1;
  std::int32_t op = -1;  ///< Op::id
  std::vector<std::int32_t> args{};
  std::vector<std::int32_t> ints{};  ///< numbers of uniforms

  friend bool operator==(const Instr&, const Instr&) = default;
};

/// How often a block runs.
enum class Runs : std::uint8_t {
  trips,    ///< a loop
  if_set,   ///< a branch: once where lane 0 of a mask is set
  if_unset  ///< a branch: once where it is not
};

/// A loop or a branch. Blocks nest; block 0 is the fragment itself. Only results leave a block.
struct Block {
  std::int32_t parent = -1;
  Runs runs = Runs::trips;
  std::int32_t trips = -1;    ///< how many, an index of an outer block; of a branch: its mask
  std::int32_t goes_on = -1;  ///< a mask within it: once it is 0 in all lanes, the loop ends with
                              ///< the carried values from before the trip
  std::vector<std::array<std::int32_t, 2>> carried{};  ///< before the loop, at the end of a trip

  friend bool operator==(const Block&, const Block&) = default;
};

struct KernelInput {
  core::Type type;
  bool layered;
  friend bool operator==(const KernelInput&, const KernelInput&) = default;
};

struct KernelOutput {
  std::int32_t value;
  core::Type type;
  friend bool operator==(const KernelOutput&, const KernelOutput&) = default;
};

/// A program as a value: instructions in the order of their operands, in nested blocks. An
/// instruction stands in the deepest block of its operands, which lie on one path, or in a branch
/// within that. Values that a quad exchanges stand in block 0. The emitter sees nothing else, and
/// the program cache uses it as key. So it holds only what the text depends on: shapes, strides,
/// trip counts and constants are uniforms.
struct Kernel {
  core::Dialect dialect = core::Dialect::es300;
  bool sampled = false;  ///< texels are read by texture()
  bool check = false;    ///< writes the errors of its calls instead of its outputs
  std::vector<KernelInput> inputs;
  std::vector<Instr> code;
  std::vector<Block> blocks;
  std::vector<KernelOutput> outputs;  ///< one per attachment
  std::int32_t ints = 0;
  std::int32_t floats = 0;
  std::size_t hash = 0;  ///< of all fields above, set by KernelBuilder::finish

  const Instr& operator[](std::int32_t id) const { return item(code, id); }
  friend bool operator==(const Kernel&, const Kernel&) = default;
};

/// For sets and maps of kernels by content.
struct KernelHash {
  std::size_t operator()(const std::shared_ptr<const Kernel>& kernel) const { return kernel->hash; }
};
struct KernelEqual {
  bool operator()(const std::shared_ptr<const Kernel>& a,
                  const std::shared_ptr<const Kernel>& b) const {
    return a == b || *a == *b;
  }
};

/// The key of a compiled program: a kernel, and the number of texels that its vertex stage looks at
/// before the draw is taken.
struct ProgramKey {
  std::shared_ptr<const Kernel> kernel;
  std::size_t guards;
};
struct ProgramHash {
  std::size_t operator()(const ProgramKey& key) const { return key.kernel->hash + key.guards; }
};
struct ProgramEqual {
  bool operator()(const ProgramKey& a, const ProgramKey& b) const {
    return a.guards == b.guards && KernelEqual()(a.kernel, b.kernel);
  }
};

std::size_t content_hash(const Kernel& kernel);
std::size_t content_hash(const Instr& instr);

/// The value of an integer uniform: base + scale * clamp(s, low, high), where s is the plan's
/// scalar number `scalar`, plus `size` if it is negative. If `scalar` is -1, the value is base; if
/// first_row, the number of rows in the layers below the first one that the draw writes.
struct IntExpr {
  static constexpr std::int32_t first_row = -2;

  std::int64_t base = 0;
  std::int32_t scalar = -1;
  std::int64_t scale = 1;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t size = 0;  ///< of the axis from whose end a negative start counts
  /// 0: the value itself. Above 0: the value / unit, rounded down. Below 0: the remainder of the
  /// value by -unit.
  std::int64_t unit = 0;

  friend bool operator==(const IntExpr&, const IntExpr&) = default;
};
/// Evaluates it. `first_row`: the rows below the first layer that the draw writes.
inline std::int64_t value_of(const IntExpr& expr, std::span<const double> scalars,
                             std::int64_t first_row = 0) {
  if (expr.scalar == IntExpr::first_row) return first_row;
  if (expr.scalar < 0) return expr.base;
  double scalar = std::trunc(item(scalars, expr.scalar));
  if (scalar < 0) scalar += static_cast<double>(expr.size);
  const double clamped =
      std::clamp(scalar, static_cast<double>(expr.low), static_cast<double>(expr.high));
  const std::int64_t value = expr.base + expr.scale * static_cast<std::int64_t>(clamped);
  if (expr.unit == 0) return value;
  const std::int64_t unit = std::abs(expr.unit);
  const std::int64_t quotient = core::floor_div(value, unit);
  return expr.unit > 0 ? quotient : value - quotient * unit;
}
/// The value of a real uniform: the plan's scalar with that number, or `value` if it is -1.
struct FloatExpr {
  double value = 0;
  std::int32_t scalar = -1;
};

/// A kernel, with the slots that it reads and the values of its uniforms. Costs are per fragment
/// and count all branches.
struct Bound {
  std::shared_ptr<const Kernel> kernel;
  std::vector<std::int32_t> inputs;  ///< slots
  std::vector<IntExpr> ints;
  std::vector<FloatExpr> floats;
  std::int64_t trips = 0;         ///< of all loops
  std::int64_t instructions = 0;  ///< that it runs; those of a loop count once per trip
  std::int64_t fetches = 0;
  std::int64_t multiply_adds = 0;
  core::Compiled compiled{};  ///< the size of its program
};

}  // namespace trigon::detail::kernel
