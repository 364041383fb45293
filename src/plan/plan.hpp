// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <trigon/dtype.hpp>
#include <trigon/op.hpp>
#include <trigon/shape.hpp>

// The values that pass between the stages: what a device can do (Target), where a tensor's elements
// lie (Layout), what a fragment computes (Kernel) and the draws of an evaluation (Plan). None
// refers to GL.

namespace trigon::plan {

enum class Dialect : std::uint8_t { es300, es100 };

/// What plan and emit know of a device.
struct Target {
  Dialect dialect = Dialect::es300;
  std::int64_t draw_buffers = 8;
  std::int64_t max_side = 16384;
  std::int64_t max_layers = 2048;
  std::int64_t samplers = 16;
  std::int64_t uniform_vectors = 224;
  std::int64_t trip_limit = 65000;  ///< of a fragment's loops, all added
  bool sampler_fetch = false;       ///< texture() at texel centres in place of texelFetch
  bool avoid_power_of_two = true;   ///< for the sides of textures
  bool share_quads = false;         ///< derivatives exchange values between a quad's fragments

  friend bool operator==(const Target&, const Target&) = default;
};

/// Where the elements of a tensor lie. Element (i0, i1, ...) has the offset e = sum of i_k *
/// strides[k]; four offsets make a texel, `width` texels a texture row r, and row r lies in layer
/// (r / slab) % layers at y = r / (slab * layers) * slab + r % slab. With one layer, y = r.
struct Layout {
  DType dtype = DType::float32;
  Shape shape;
  std::array<std::int64_t, Shape::max_rank> strides{};
  std::int64_t width = 1;
  std::int64_t height = 1;  ///< of each layer
  std::int64_t layers = 1;
  std::int64_t slab = 1;

  std::int64_t bytes() const;
  friend bool operator==(const Layout&, const Layout&) = default;
};

/// Register types. Booleans are f, 0 or 1; in es100 everything is f.
enum class Type : std::uint8_t { f, i, u };

/// How an index varies over the four lanes of a texel.
enum class Lane : std::uint8_t {
  uniform,      ///< not at all: an int
  consecutive,  ///< +0 ... +3 on an int
  vector,       ///< anyhow: an ivec4
};

enum class Code : std::uint8_t {
  // Indices.
  frag_x,    ///< texel column, less ints[0] where mode is 1
  frag_x4,   ///< 4 * frag_x, consecutive
  frag_y,    ///< texture row, less ints[0] where mode is 1, plus ints[0] where mode is 2
  counter,   ///< trips done
  counter4,  ///< 4 * counter, consecutive
  lanes,     ///< 0, consecutive
  pair_x,    ///< texel column / 2
  pair_y,    ///< texture row / 2
  member_x,  ///< texel column % 2
  member_y,  ///< texture row % 2
  scalar,    ///< ints[0]
  affine,    ///< sum of args[k] * ints[k] (no factor where ints[k] < 0) + ints.back() (none where <
             ///< 0)
  quotient,  ///< args[0] / ints[0], args[0] >= 0
  remainder,  ///< args[0] - args[1] * ints[0], args[1] the quotient
  gather,     ///< the value args[0] as an index: + ints[0] if negative, clamped into [0, ints[0])
  trips_if,   ///< args[1] < ints[0] ? args[0] : 0
  // Addresses.
  place,  ///< args[0], an offset in a texture row (mode 0) or a row (mode 1), as `input`'s texel
          ///< coordinate
  // Values.
  load,     ///< of `input` at args x, y, layer (or -1); mode: a Fetch
  uniform,  ///< floats[ints[0]]
  index,    ///< the index args[0] as a value
  inside,   ///< 0 or 1: mode & 1: args[0] >= 0; mode & 2: args[0] < ints[0]; mode & 4: args[0] == 0
  select,   ///< args[0] != 0 ? args[1] : args[2], by lanes
  apply,    ///< op(args)
  text,     ///< `text` with $0 ... replaced by args
  lift,     ///< op's accumulators from the value args[0] and its position args[1]
  combine,  ///< op's accumulators from two tuples' components
  finish,   ///< op's outputs from accumulators
  extract,  ///< component `mode` of the tuple args[0]
  carried,  ///< loop value `mode`, inside
  result,   ///< loop value `mode`, after
};

/// How a load fetches: `row`, one texel for the four lanes; `splat`, one element for all; `lanes`,
/// four.
enum class Fetch : std::uint8_t { row, splat, lanes };

enum class Depth : std::uint8_t { before, loop, after };

struct Instr {
  Code code;
  Type type = Type::f;
  Lane lane = Lane::uniform;
  Depth depth = Depth::before;
  std::int8_t mode = 0;
  std::int8_t component = -1;  ///< of a splat or lanes load; -1: known at run time only
  std::int16_t input = -1;
  const Op* op = nullptr;
  const char* text = nullptr;
  std::vector<std::int32_t> args{};
  std::vector<std::int32_t> ints{};

  friend bool operator==(const Instr&, const Instr&) = default;
};

struct KernelInput {
  Type type;
  bool layered;
  friend bool operator==(const KernelInput&, const KernelInput&) = default;
};

/// A program as a value: an SSA list, at most one loop. The emitter's only argument and the program
/// cache's key. Shapes, strides, trip counts and constants are uniforms: ints and floats.
struct Kernel {
  Target target;
  std::vector<KernelInput> inputs;
  std::vector<Instr> code;
  std::int32_t trips = -1;                           ///< an index; -1: no loop
  std::vector<std::array<std::int32_t, 2>> carried;  ///< values before the loop and at its end
  std::vector<std::int32_t> outputs;                 ///< a value an attachment
  Type output_type = Type::f;
  std::int32_t ints = 0;
  std::int32_t floats = 0;

  friend bool operator==(const Kernel&, const Kernel&) = default;
};

std::size_t hash(const Kernel& kernel);

/// A uniform: base + scale * clamp(scalar, low, high), the scalar being the plan's number `scalar`,
/// or base. With `scalar` first_row: the rows in the layers below the one that is drawn.
struct IntExpr {
  static constexpr std::int32_t first_row = -2;

  std::int64_t base = 0;
  std::int32_t scalar = -1;
  std::int64_t scale = 1;
  std::int64_t low = 0;
  std::int64_t high = 0;
};
struct FloatExpr {
  double value = 0;
  std::int32_t scalar = -1;
};

struct Step {
  std::string label;  ///< for explain
  std::shared_ptr<const Kernel> kernel;
  std::vector<std::int32_t> inputs;  ///< slots
  std::int32_t output = -1;          ///< slot
  std::int32_t node = -1;            ///< that it computes, in the canonical order
  Layout layout;                     ///< of the output slot
  bool in_place = false;             ///< the slot has its texture already
  std::vector<IntExpr> ints;
  std::vector<FloatExpr> floats;
  IntExpr x, y;  ///< the viewport's corner, in texels
  std::int64_t w = 0, h = 0;
  std::vector<std::int32_t> last_use;  ///< slots that no later step reads

  // What it costs: per fragment, and in all.
  std::int64_t draws = 1;
  std::int64_t fragments = 0;
  std::int64_t trips = 0;
  std::int64_t fetches = 0;
  std::int64_t multiply_adds = 0;
};

struct Plan {
  std::vector<Step> steps;
  std::int32_t slots = 0;
  struct Binding {
    std::int32_t node;  ///< in the canonical order
    std::int32_t slot;
  };
  std::vector<Binding> leaves;     ///< filled before the first step
  std::vector<Binding> stored;     ///< given to their nodes after the last
  std::vector<std::string> notes;  ///< what explain says beside the draws: copies and why
};

}  // namespace trigon::plan
