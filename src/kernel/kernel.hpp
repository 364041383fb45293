// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "core/item.hpp"
#include "core/layout.hpp"
#include "core/math.hpp"
#include "core/target.hpp"
#include "kernel/fields.hpp"
#include "kernel/operations.hpp"

// The program of a fragment, as a value. It knows neither graphs nor GLSL.

namespace trigon::detail::kernel {

struct Instr {
  Operation operation;
  core::Type type = core::Type::f;  ///< of the value
  Lane lane = Lane::uniform;
  BlockNumber block = 0;

  template <class T>
  bool is() const {
    return std::holds_alternative<T>(operation);
  }
  /// The operation; null if it is another one.
  template <class T>
  const T* as() const {
    return std::get_if<T>(&operation);
  }
  template <class T>
  const T& get() const {
    return std::get<T>(operation);
  }
  bool is_index() const { return operation.index() <= number_of<TripsIf>; }
  bool is_value() const { return operation.index() > number_of<Load>; }

  friend bool operator==(const Instr& a, const Instr& b);
};

/// Calls f with each valid number of type T, such as Operand, in an instruction's operation, in the
/// order of the fields.
template <class T, class AnyInstr, class F>
void each(AnyInstr& instr, F&& f) {
  const auto given = [&f](auto& number) {
    if (number >= 0) f(number);
  };
  std::visit([&given](auto& operation) { each_field<T>(operation, given); }, instr.operation);
}
/// The first operand, or none.
Operand first_operand(const Instr& instr);
/// The op that an instruction calls or applies; none for others.
OpNumber op_number(const Instr& instr);
/// The carried value that it is; null for others.
const CarriedValue* carried_value(const Instr& instr);

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
  std::int32_t trips = -1;    ///< their number, an index of an outer block; for a branch its mask
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
/// Bytes that an instruction takes beyond its own size.
std::size_t list_bytes(const Instr& instr);

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
