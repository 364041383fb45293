// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/layout.hpp"

// What a fragment computes, as a value. No graph and no GLSL is known here.

namespace trigon::plan {

/// How an index varies over the four lanes of a texel.
enum class Lane : std::uint8_t {
  uniform,      ///< not at all: an int
  consecutive,  ///< +0 ... +3 on an int
  vector,       ///< anyhow: an ivec4
};

enum class Code : std::uint8_t {
  // Indices.
  frag_x,     ///< texel column, less ints[0] where mode is 1
  frag_x4,    ///< 4 * frag_x, consecutive
  frag_y,     ///< texture row, less ints[0] where mode is 1, plus ints[0] where mode is 2
  counter,    ///< trips of `inner` that are done
  counter4,   ///< 4 * counter, consecutive
  lanes,      ///< 0, consecutive
  pair_x,     ///< texel column / 2
  pair_y,     ///< texture row / 2
  member_x,   ///< texel column % 2
  member_y,   ///< texture row % 2
  scalar,     ///< ints[0]
  affine,     ///< sum of args[k] * ints[k] (no factor where ints[k] < 0) + ints.back() (or none)
  quotient,   ///< args[0] / ints[0], args[0] >= 0; mode 1: args[0] < 2^20
  remainder,  ///< args[0] - args[1] * ints[0], args[1] the quotient
  gather,     ///< the value args[0] as an index: + ints[0] if negative, clamped into [0, ints[0])
  trips_if,   ///< args[1] < ints[0] ? args[0] : 0
  // Addresses.
  place,  ///< args[0], an offset in a texture row (mode 0) or a row (mode 1), as `input`'s texel
          ///< coordinate; floats ints[0]: one over the texture's side
  // Values.
  load,      ///< of `input` at args x, y, layer (or -1), offset in the row (or -1); mode: a Fetch
  uniform,   ///< floats[ints[0]]
  index,     ///< the index args[0] as a value
  inside,    ///< 0 or 1. mode & 1: args[0] >= 0; & 2: args[0] < ints[0]; & 4: args[0] == 0
  select,    ///< args[0] != 0 ? args[1] : args[2], by lanes
  apply,     ///< op(args)
  both,      ///< args[0] * args[1], of masks
  convert,   ///< args[0] as `type`; mode: a Conversion
  swizzle,   ///< args[0] with its lanes in another order; mode: a Swizzle
  pack,      ///< lane 0 of up to four args, 0 in the lanes that are left
  column,    ///< lane `mode` of four args
  shift,     ///< lanes mode ... mode + 3 of the eight of args[0] and args[1]
  keep,      ///< lane `mode` of the mask args[0] != 0 ? args[1] : 0
  rows,      ///< args[0] + the sum of lane k of args[1] * args[2 + k], k = 0 ... 3
  dots,      ///< args[0] + the dot products of args[1] with args[2] ... args[5]
  exchange,  ///< pair sums of args[0] and args[1]: with the neighbour in x (mode 0), in y (mode 1)
  lift,      ///< op's accumulators from the value args[0] and its position args[1]
  combine,   ///< op's accumulators from two tuples' components
  finish,    ///< op's outputs from accumulators
  extract,   ///< component `mode` of the tuple args[0]
  carried,   ///< carried value `mode` of the block `inner`, within it
  result,    ///< carried value `mode` of the block `inner`, after it
};
inline constexpr Code last_index_code = Code::trips_if;

/// How a load fetches.
enum class Fetch : std::uint8_t {
  row,    ///< one texel for the four lanes
  splat,  ///< one element for all lanes
  lanes,  ///< four elements
};

/// What `convert` does beside changing the type.
enum class Conversion : std::uint8_t {
  plain,
  truth,     ///< 1 where not 0; NaN is true
  half,      ///< rounded to float16
  truncate,  ///< towards zero, staying a float
  byte,      ///< modulo 256
  wrap,      ///< of a float by way of int, so that negative numbers wrap
};

enum class Swizzle : std::uint8_t { xxxx, yyyy, zzzz, wwww, yxwz, zwxy };

struct Instr {
  Code code;
  Type type = Type::f;
  Lane lane = Lane::uniform;
  std::int8_t mode = 0;
  std::int8_t component = -1;  ///< of a splat or lanes load; -1: known at run time only
  std::int16_t block = 0;
  std::int16_t inner = -1;  ///< the block that a counter, a carried value or a result belongs to
  std::int16_t input = -1;
  std::int32_t op = -1;  ///< Op::id
  std::vector<std::int32_t> args{};
  std::vector<std::int32_t> ints{};  ///< numbers of uniforms

  friend bool operator==(const Instr&, const Instr&) = default;
};

/// A loop. Blocks nest; block 0 is the fragment itself. Results are a loop's only way out.
struct Block {
  std::int32_t parent = -1;
  std::int32_t trips = -1;                             ///< an index outside of the block
  std::vector<std::array<std::int32_t, 2>> carried{};  ///< values before it and at a trip's end

  friend bool operator==(const Block&, const Block&) = default;
};

struct KernelInput {
  Type type;
  bool layered;
  friend bool operator==(const KernelInput&, const KernelInput&) = default;
};

struct KernelOutput {
  std::int32_t value;
  Type type;
  friend bool operator==(const KernelOutput&, const KernelOutput&) = default;
};

/// A program as a value: instructions in the order of their operands, in nested loops. An
/// instruction stands in the deepest block of its operands, which lie on one path. Values that a
/// quad exchanges stand in block 0. The emitter's only argument and the program cache's key: it
/// holds just what the text depends on. Shapes, strides, trip counts and constants are uniforms.
struct Kernel {
  Dialect dialect = Dialect::es300;
  bool sampled = false;  ///< texels are found by texture()
  std::vector<KernelInput> inputs;
  std::vector<Instr> code;
  std::vector<Block> blocks;
  std::vector<KernelOutput> outputs;  ///< one an attachment
  std::int32_t ints = 0;
  std::int32_t floats = 0;
  std::size_t hash = 0;  ///< of the content; set once, when the kernel is finished

  const Instr& operator[](std::int32_t id) const { return code[static_cast<std::size_t>(id)]; }
  friend bool operator==(const Kernel&, const Kernel&) = default;
};

std::size_t content_hash(const Kernel& kernel);
std::size_t content_hash(const Instr& instr);

/// A uniform: base + scale * clamp(scalar, low, high), the scalar being the plan's number `scalar`,
/// or base. With `scalar` first_row: the rows in the layers below the one that is drawn.
struct IntExpr {
  static constexpr std::int32_t first_row = -2;

  std::int64_t base = 0;
  std::int32_t scalar = -1;
  std::int64_t scale = 1;
  std::int64_t low = 0;
  std::int64_t high = 0;

  friend bool operator==(const IntExpr&, const IntExpr&) = default;
};
struct FloatExpr {
  double value = 0;
  std::int32_t scalar = -1;
};

/// A kernel with what it is run on. Costs are those of a fragment.
struct Bound {
  std::shared_ptr<const Kernel> kernel;
  std::vector<std::int32_t> inputs;  ///< slots
  std::vector<IntExpr> ints;
  std::vector<FloatExpr> floats;
  std::int64_t trips = 0;  ///< of all loops
  std::int64_t fetches = 0;
  std::int64_t multiply_adds = 0;
};

}  // namespace trigon::plan
