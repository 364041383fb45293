// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/affine.hpp"
#include "core/target.hpp"
#include "kernel/code_builder.hpp"

namespace trigon::detail::kernel {

/// Index arithmetic. An index stays an Affine, simplified by its terms' ranges, until an
/// instruction needs its value.
class IndexBuilder : public CodeBuilder {
 public:
  using CodeBuilder::CodeBuilder;

  /// The index that an instruction computes.
  core::Affine variable(std::int32_t id) const { return core::Affine{{{id, 1}}, 0}; }
  /// An index instruction without operands, in [low, high).
  std::int32_t base_index(Operation operation, std::int64_t low, std::int64_t high);
  /// The finished trips of `block`, which are fewer than `trips`.
  core::Affine counter(std::int32_t block, std::int64_t trips);
  /// Four times the finished trips, plus 0, 1, 2 and 3 in the lanes. Less than `end`.
  core::Affine counter4(std::int32_t block, std::int64_t end);
  /// The value of an integer uniform.
  core::Affine scalar(const IntExpr& value);
  /// The same as an index, which may exceed the shader's integers.
  core::Affine scalar_index(const IntExpr& value);
  struct Split {
    core::Affine quotient, remainder;
  };
  /// index / divisor and index % divisor, for index >= 0.
  Split split(const core::Affine& index, std::int64_t divisor);
  /// The index along each axis of the element with C-order number `linear`.
  std::vector<core::Affine> unravel(const core::Affine& linear, std::span<const std::int64_t> dims);
  /// A value as an index below `size`: counted from the end if negative, then clamped.
  core::Affine clamp_index(std::int32_t value, std::int64_t size);
  struct Bounds {
    std::int64_t low, high;  ///< both included
  };
  Bounds bounds(const core::Affine& index) const;
  Lane lane(const core::Affine& index) const;
  /// Whether the lanes are consecutive and lane 0 is a multiple of four: the elements of one texel.
  bool aligned(const core::Affine& index) const;
  /// The same index, assumed to be less than `end`. The caller promises not to use values past it.
  core::Affine assume_below(const core::Affine& index, std::int64_t end);
  /// Until the scope is closed, the index along each axis is assumed to be in [0, size). The caller
  /// masks values built in it where that is wrong. Equal assumptions give the same scope.
  void open_scope(const core::Indices& inside, const Shape& sizes);
  void close_scope();
  /// The innermost open scope.
  std::int32_t scope() const { return scopes_.back(); }
  /// Whether an instruction built in that scope, which may be closed, may be used here: its
  /// assumptions still hold, and it stands in no closed branch.
  bool holds(std::int32_t id, std::int32_t scope) const;
  /// The instruction that computes an index. Raises DeviceError if it may exceed the range of the
  /// shader's integers.
  std::int32_t materialise(const core::Affine& index);
  /// The same for a number: past the shader's integers it is rounded if they are floats.
  std::int32_t number_of(const core::Affine& index);
  /// Whether it may exceed the shader's integers. Such an index is only split and compared.
  bool is_wide(const core::Affine& index) const { return is_past(bounds(index)); }
  /// The deepest block that holds a term of the index.
  std::int32_t block_of(const core::Affine& index) const;
  using CodeBuilder::set_trips;
  /// `trips`: an index of an outer block.
  void set_trips(std::int32_t block, const core::Affine& trips, std::int64_t most);

 protected:
  /// The index with each quotient * divisor + remainder replaced by their dividend.
  core::Affine normalize(core::Affine index) const;
  /// The bounds under the assumptions of the open scopes.
  Bounds assumed_bounds(const core::Affine& index) const;
  /// An index with consecutive lanes, as a vector of four.
  core::Affine spread(const core::Affine& e);
  /// Raises DeviceError past the range of the shader's integers.
  void check_integer(std::int64_t most_used) const;
  // For indices past that range.
  bool is_past(const Bounds& range) const;
  bool ends_past(const Bounds& range) const;
  std::int64_t unit_of(const Bounds& range) const;
  Split split_digits(const core::Affine& index, std::int64_t unit);

 private:
  struct Scope {
    std::int32_t parent;
    core::Indices inside;
    Shape sizes;
    friend bool operator==(const Scope&, const Scope&) = default;
  };
  struct Assumption {
    core::Affine index;  ///< without its constant
    Bounds range;
    std::int32_t scope;
  };

  std::int32_t push_index(Instr instr, Info info);
  std::int32_t push_sum(const core::Affine& sum, const Bounds& range, bool is_number = false);
  [[noreturn]] void throw_past(std::int64_t most_used) const;
  static Bounds bounds(const IntExpr& value);
  /// Assumes the index to be in that range, within the scope.
  void assume(const core::Affine& index, const Bounds& range);
  std::pair<core::Affine, core::Affine> digits_of(const core::Affine& index, std::int64_t unit);
  Split split_wide(const core::Affine& index, std::int64_t divisor);
  std::int32_t materialise_wide(const core::Affine& index, const Bounds& range);

  std::vector<Assumption> assumptions_;
  std::vector<std::int32_t> scopes_{0};  ///< the open ones
  std::vector<Scope> known_scopes_{{}};  ///< by number; the first one is never closed
};

}  // namespace trigon::detail::kernel
