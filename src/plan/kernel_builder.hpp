// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "plan/layout.hpp"
#include "plan/plan.hpp"

namespace trigon::plan {

/// An index as an affine function of the kernel's index instructions.
struct Affine {
  struct Term {
    std::int32_t id;
    std::int64_t factor;
    friend bool operator==(const Term&, const Term&) = default;
  };
  std::vector<Term> terms{};  ///< by id
  std::int64_t constant = 0;

  friend bool operator==(const Affine&, const Affine&) = default;
};

Affine operator+(const Affine& a, const Affine& b);
Affine operator+(const Affine& a, std::int64_t constant);
Affine operator*(const Affine& a, std::int64_t factor);

/// Raised when a kernel passes the caps of the target; the scheduler then cuts the graph further
/// down.
struct KernelTooLarge {};

/// Builds a Kernel's instruction list: equal instructions are one, each stands as early as its
/// operands allow, index arithmetic is simplified from the known ranges before it becomes code.
class KernelBuilder {
 public:
  explicit KernelBuilder(const Target& target);

  // Indices.
  Affine variable(std::int32_t id) const { return Affine{{{id, 1}}, 0}; }
  /// A base index with the range [low, high).
  std::int32_t base_index(Code code, std::int64_t low, std::int64_t high, std::int8_t mode = 0,
                          std::int32_t slot = -1);
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
  Affine within(const Affine& index, std::int64_t end);
  /// The index as an instruction.
  std::int32_t materialise(const Affine& index);

  // Values.
  std::int32_t add(Instr instr);
  std::int32_t constant(double value);
  std::int32_t float_uniform(const FloatExpr& value, Type type = Type::f);
  std::int32_t text(Type type, const char* text, std::vector<std::int32_t> args);
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
  Type type(std::int32_t id) const { return kernel_.code[static_cast<std::size_t>(id)].type; }
  const Target& target() const { return kernel_.target; }

  // The loop.
  void set_trips(const Affine& trips, std::int64_t most);
  void set_trips(std::int32_t id, std::int64_t most);
  std::int32_t carry(std::int32_t before, Type type);
  void set_carried(std::int32_t number, std::int32_t at_end);
  std::int32_t result(std::int32_t number, Type type);

  void output(std::int32_t value, Type type);

  /// Moves the kernel, its uniforms, inputs and cost into `step`; unused instructions are dropped.
  void finish(Step& step);

  std::int64_t multiply_adds_in_loop = 0;

 private:
  struct Info {
    std::int64_t low = 0, high = 0;  ///< both included
    bool aligned = false;
    Affine of{};               ///< what was split
    std::int64_t divisor = 0;  ///< of a quotient or remainder
    std::int32_t partner = -1;
    bool is_quotient = false;
  };
  struct Key {
    std::size_t operator()(const Instr& instr) const;
  };

  std::int32_t push(const Instr& instr, const Info& info);
  Affine normalize(Affine index) const;
  std::int32_t place(const Affine& index, std::int32_t input, bool row, bool each_lane);
  struct Address {
    Affine x, y, layer;
  };
  Address address(const Layout& layout, const Affine& e);
  void drop_unused();

  Kernel kernel_;
  std::vector<Info> info_;
  std::unordered_map<Instr, std::int32_t, Key> known_;
  std::vector<IntExpr> ints_;
  std::vector<FloatExpr> floats_;
  std::vector<std::int32_t> input_slots_;
  std::vector<Layout> input_layouts_;
  std::vector<std::int32_t> size_slots_;
  std::int64_t most_trips_ = 0;
};

}  // namespace trigon::plan
