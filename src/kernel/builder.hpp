// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/layout.hpp"
#include "core/target.hpp"
#include "index/affine.hpp"
#include "kernel/kernel.hpp"

namespace trigon::plan {

/// Builds a Kernel's instruction list: equal instructions are one, each stands in the outermost
/// block that its operands allow, index arithmetic is simplified from the known ranges before it
/// becomes code. Past the caps of the target it goes on, and `finish` says so.
class KernelBuilder {
 public:
  explicit KernelBuilder(const Target& target);

  // Indices.
  Affine variable(std::int32_t id) const { return Affine{{{id, 1}}, 0}; }
  /// A base index with the range [low, high).
  std::int32_t base_index(Code code, std::int64_t low, std::int64_t high, std::int8_t mode = 0,
                          std::int32_t slot = -1);
  /// The trips that `block` has done, below `trips`.
  Affine counter(std::int32_t block, std::int64_t trips);
  /// Four times that, with the lanes added; below `end`.
  Affine counter4(std::int32_t block, std::int64_t end);
  Affine scalar(const IntExpr& value);
  struct Split {
    Affine quotient, remainder;
  };
  /// index / divisor and index % divisor, for index >= 0.
  Split split(const Affine& index, std::int64_t divisor);
  /// The index along each axis of the element with C-order number `linear`.
  std::vector<Affine> unravel(const Affine& linear, std::span<const std::int64_t> dims);
  Affine gather(std::int32_t value, std::int64_t size);
  struct Bounds {
    std::int64_t low, high;  ///< both included
  };
  Bounds bounds(const Affine& index) const;
  Lane lane(const Affine& index) const;
  /// Whether lane 0 is a multiple of four and the lanes are consecutive.
  bool aligned(const Affine& index) const;
  /// The index, known to be below `end` wherever it matters, whatever its parts may add up to.
  Affine assume_below(const Affine& index, std::int64_t end);
  /// What is built until the scope ends is masked where the assumptions made in it do not hold.
  void open_scope();
  void close_scope();
  /// Within the scope the index counts as one of [0, size).
  void assume_inside(const Affine& index, std::int64_t size);
  /// The index as an instruction.
  std::int32_t materialise(const Affine& index);

  // Values.
  std::int32_t add(Instr instr);
  std::int32_t add(Code code, Type type, std::vector<std::int32_t> args, std::int8_t mode = 0);
  std::int32_t constant(double value);
  std::int32_t float_uniform(const FloatExpr& value, Type type = Type::f);
  std::int32_t convert(std::int32_t value, Type type, Conversion how = Conversion::plain);
  std::int32_t swizzle(std::int32_t value, Swizzle how);
  /// Where both masks hold; -1 stands for everywhere.
  std::int32_t both(std::int32_t a, std::int32_t b);
  std::int32_t select(std::int32_t mask, std::int32_t a, std::int32_t b);
  /// 1 where 0 <= index < size, or -1 when the ranges prove it.
  std::int32_t inside(const Affine& index, std::int64_t size);
  /// 1 where index < limit.
  std::int32_t below(const Affine& index, const IntExpr& limit);
  /// The input's element at offset `e`.
  std::int32_t load(std::int32_t input, const Layout& layout, const Affine& e);
  /// How `load` would fetch.
  Fetch fetch_of(const Affine& e) const;

  std::int32_t int_slot(const IntExpr& value);
  std::int32_t input(std::int32_t slot, const Layout& layout);
  /// Whether an input is this slot.
  bool reads(std::int32_t slot) const;
  Type type(std::int32_t id) const { return kernel_[id].type; }
  const Target& target() const { return target_; }

  // Loops.
  /// A new loop whose body may depend on `outer`, a block.
  std::int32_t open_block(std::int32_t outer);
  /// The deepest block that the terms of an index stand in.
  std::int32_t block_of(const Affine& index) const;
  void set_trips(std::int32_t block, const Affine& trips, std::int64_t most);
  void set_trips(std::int32_t block, std::int32_t id, std::int64_t most);
  /// A value that the loop carries on, within it; `before` is what it starts as. They are numbered
  /// from 0.
  std::int32_t carry(std::int32_t block, std::int32_t before);
  void set_carried(std::int32_t block, std::int32_t number, std::int32_t at_end);
  /// A carried value after the loop.
  std::int32_t result(std::int32_t block, std::int32_t number);

  void output(std::int32_t value, Type type);

  /// The kernel, its inputs, uniforms and costs, without unused instructions; false when it passes
  /// the caps of the target.
  bool finish(Bound& bound);

 private:
  struct Info {
    std::int64_t low = 0, high = 0;  ///< both included
    bool aligned = false;
    Affine of{};               ///< what was split
    std::int64_t divisor = 0;  ///< of a quotient or remainder
    std::int32_t partner = -1;
    bool is_quotient = false;
    std::int32_t scope = 0;  ///< in which its range holds
  };
  struct Hash {
    std::size_t operator()(const Instr& instr) const { return content_hash(instr); }
  };
  struct Assumption {
    Affine index;  ///< without its constant
    Bounds range;
    std::int32_t scope;
  };

  std::int32_t push(const Instr& instr, Info info);
  Bounds assumed_bounds(const Affine& index) const;
  Affine normalize(Affine index) const;
  std::int32_t place(const Affine& index, std::int32_t input, bool row, bool each_lane);
  struct Address {
    Affine x, y, layer;
  };
  Address address(const Layout& layout, const Affine& e);
  std::int32_t load_shifted(std::int32_t input, const Layout& layout, const Affine& e);
  std::int32_t load_texel(std::int32_t input, const Layout& layout, const Address& at,
                          const Instr& how);
  std::int32_t deeper(std::int32_t a, std::int32_t b) const;
  void drop_unused();
  void count_costs(Bound& bound) const;

  Target target_;
  Kernel kernel_;
  bool too_large_ = false;
  std::vector<Info> info_;
  std::vector<std::int64_t> most_trips_{1};  ///< of each block
  std::vector<std::int32_t> depths_{0};
  std::vector<Assumption> assumptions_;
  std::vector<std::int32_t> scopes_{0};
  std::int32_t next_scope_ = 1;
  std::unordered_map<Instr, std::int32_t, Hash> known_;
  std::vector<IntExpr> ints_;
  std::vector<FloatExpr> floats_;
  std::vector<std::int32_t> input_slots_;
  std::vector<Layout> input_layouts_;
  std::vector<std::int32_t> size_slots_;
};

}  // namespace trigon::plan
