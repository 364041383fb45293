// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/affine.hpp"
#include "core/item.hpp"
#include "core/layout.hpp"
#include "core/target.hpp"
#include "kernel/kernel.hpp"

namespace trigon::detail::kernel {

/// Builds a Kernel. Equal instructions become one. Each stands in the outermost block that its
/// operands allow, or in an open branch. Index arithmetic stays an Affine, simplified by its terms'
/// ranges, until an instruction needs its value. A kernel too large for the target is still built
/// to its end; then `finish` returns false.
class KernelBuilder {
 public:
  explicit KernelBuilder(const core::Target& target);

  // ---- Indices ----

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

  // ---- Values: numbers of instructions ----

  /// Adds an instruction, in the deepest block of its operands. `lane`: of an index or an address;
  /// a value differs between the lanes if one of its operands does.
  std::int32_t add(Operation operation, core::Type type, Lane lane = Lane::uniform);
  std::int32_t apply(const Op& op, core::Type type, const std::array<Operand, 3>& operands);
  std::int32_t constant(double value);
  std::int32_t float_uniform(const FloatExpr& value, core::Type type = core::Type::f);
  /// The number at an index of a table. Any `index` that is not a counter is searched for in a loop
  /// over the table.
  std::int32_t table(std::span<const FloatExpr> numbers, const core::Affine& index);
  /// The same for integers, as a value of that type.
  std::int32_t table(std::span<const IntExpr> numbers, core::Type type, const core::Affine& index);
  std::int32_t convert(std::int32_t value, core::Type type, Conversion how = Conversion::plain);
  std::int32_t swizzle(std::int32_t value, Swizzle how);
  /// A mask: where both are set. For masks, -1 means everywhere.
  std::int32_t both(std::int32_t a, std::int32_t b);
  /// a where the mask is set, b elsewhere.
  std::int32_t select(std::int32_t mask, std::int32_t a, std::int32_t b);
  /// A mask: where 0 <= index < size; -1 if the ranges prove it.
  std::int32_t inside(const core::Affine& index, std::int64_t size);
  /// A mask: where index < limit.
  std::int32_t below(const core::Affine& index, const IntExpr& limit);
  /// A mask: where 0 <= index < size. It is computed even if the ranges prove it, since they do not
  /// hold past the elements of a target.
  std::int32_t is_element(const core::Affine& index, std::int64_t size);
  /// A mask: where the index is 0.
  std::int32_t is_zero(const core::Affine& index);
  /// The elements of an input at offset e, one per lane.
  std::int32_t load(std::int32_t input, const core::Layout& layout, const core::Affine& e);
  /// Access to all elements of an input, by their number or by one index per axis: an argument of a
  /// call. Raises DeviceError if there are more of them than the shader's integers hold.
  std::int32_t raw(std::int32_t input, const core::Layout& layout, bool by_number);
  /// The fetches that `load` would use.
  Fetch fetch_of(const core::Affine& e) const;

  /// The number of the integer uniform with this value.
  std::int32_t int_slot(const IntExpr& value);
  /// The number of the input that reads a plan's slot.
  std::int32_t input(std::int32_t slot, const core::Layout& layout);
  /// The register type of an instruction's value.
  core::Type type(std::int32_t id) const { return kernel_[id].type; }
  const core::Target& target() const { return target_; }
  /// Kernels with more instructions than this are too large, since they would take long to compile.
  /// Default: 1,500.
  void set_most_instructions(std::size_t most) { most_instructions_ = most; }
  /// Whether finish() will return false, so that more instructions are useless.
  bool is_too_large() const { return too_large_; }

  // ---- Loops ----

  /// A new loop within the block `outer`.
  std::int32_t open_block(std::int32_t outer);
  /// The deepest block that holds a term of the index.
  std::int32_t block_of(const core::Affine& index) const;
  /// `trips`: an index of an outer block, or its instruction; at most `most`.
  void set_trips(std::int32_t block, const core::Affine& trips, std::int64_t most);
  void set_trips(std::int32_t block, std::int32_t id, std::int64_t most);
  /// Ends the loop once the mask, computed within it, is 0 in all lanes. Carried values stay as
  /// they were before that trip.
  void set_goes_on(std::int32_t block, std::int32_t mask) {
    item(kernel_.blocks, block).goes_on = mask;
  }
  /// A value that the loop carries from trip to trip, as seen within a trip; `before` in the first
  /// one. The carried values of a loop are numbered from 0 in the order of these calls.
  std::int32_t carry(std::int32_t block, std::int32_t before);
  /// Sets its value for the next trip.
  void set_carried(std::int32_t block, std::int32_t number, std::int32_t at_end);
  /// A carried value after the loop, or the value of a branch.
  std::int32_t result(std::int32_t block, std::int32_t number);

  // ---- Branches ----

  /// A new branch within the block `outer`, which runs if lane 0 of the mask is set, or if it is
  /// not. Until it is closed, new instructions stand in it. Those that do not depend on the loop
  /// around it stand before that loop.
  std::int32_t open_branch(std::int32_t outer, std::int32_t mask, Runs runs);
  /// The value after the branch: `value`, computed within it, if it ran, otherwise `before`.
  std::int32_t close_branch(std::int32_t value, std::int32_t before);
  /// Whether an instruction may be used here: it stands in no closed branch.
  bool is_visible(std::int32_t id) const;

  /// Adds a target of the draw.
  void output(std::int32_t value, core::Type type);

  /// Moves the kernel with its inputs, uniforms and costs into `bound`, without unused
  /// instructions. False if the kernel is too large for the target.
  bool finish(Bound& bound);

 private:
  /// The value at an index of a table of uniforms that begins at `first`.
  std::int32_t from_table(core::Type type, std::int32_t first, std::int32_t count,
                          const core::Affine& index);
  struct Info {
    std::int64_t low = 0, high = 0;  ///< both included
    bool aligned = false;
    core::Affine of{};          ///< the dividend of a quotient; the sum of an affine code
    std::int64_t divisor = 0;   ///< of a quotient or remainder
    std::int32_t partner = -1;  ///< of a quotient: the remainder
    bool is_quotient = false;
    std::int32_t scope = 0;  ///< the range holds in this scope
  };
  struct Hash {
    std::size_t operator()(const Instr& instr) const { return content_hash(instr); }
  };
  struct RawAccess {
    std::int32_t input;
    bool by_number;
    core::Layout layout;
    std::int32_t id;
  };
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

  std::int32_t push(const Instr& instr, Info info);
  std::int32_t push_new(const Instr& instr, Info info);
  /// The open branches that may hold an instruction of this block, outermost first.
  std::vector<std::int32_t> branches_for(const Instr& instr) const;
  /// The bounds under the assumptions of the open scopes.
  Bounds assumed_bounds(const core::Affine& index) const;
  /// The index with each quotient * divisor + remainder replaced by their dividend.
  core::Affine normalize(core::Affine index) const;
  std::int32_t texel_coordinate(const core::Affine& index, std::int32_t input, bool row,
                                bool each_lane);
  struct Address {
    core::Affine x, y, layer;
  };
  Address address(const core::Layout& layout, const core::Affine& e);
  /// An index with consecutive lanes, as a vector of four.
  core::Affine spread(const core::Affine& e);
  /// Unaligned lanes, from two neighbouring texels of a row; -1 if they may lie elsewhere.
  std::int32_t load_shifted(std::int32_t input, const core::Layout& layout, const core::Affine& e);
  std::int32_t load_texel(std::int32_t input, const core::Layout& layout, const Address& at,
                          Fetch fetch, std::int8_t component = -1);
  std::int32_t deeper(std::int32_t a, std::int32_t b) const;
  /// Raises DeviceError past the range of the shader's integers.
  void check_integer(std::int64_t most_used) const;
  [[noreturn]] void throw_past(std::int64_t most_used) const;
  std::int32_t push_sum(const core::Affine& sum, const Bounds& range, bool is_number = false);
  // For indices past that range.
  static Bounds bounds(const IntExpr& value);
  bool is_past(const Bounds& range) const;
  bool ends_past(const Bounds& range) const;
  std::int64_t unit_of(const Bounds& range) const;
  /// Assumes the index to be in that range, within the scope.
  void assume(const core::Affine& index, const Bounds& range);
  std::pair<core::Affine, core::Affine> digits_of(const core::Affine& index, std::int64_t unit);
  Split split_digits(const core::Affine& index, std::int64_t unit);
  Split split_wide(const core::Affine& index, std::int64_t divisor);
  std::int32_t materialise_wide(const core::Affine& index, const Bounds& range);
  std::int32_t inside_wide(const core::Affine& index, const core::Affine& size, bool from_zero,
                           bool to_end);
  void drop_unused();
  std::int64_t loop_trips(const Instr& instr) const;
  void count_costs(Bound& bound) const;

  core::Target target_;
  Kernel kernel_;
  bool too_large_ = false;
  std::size_t most_instructions_ = 1500;
  std::vector<Info> info_;
  std::vector<std::int64_t> most_trips_{1};  ///< of each block
  std::vector<std::int32_t> depths_{0};
  std::vector<std::int32_t> loops_{0};  ///< of each block: the loop around it, or itself
  std::vector<std::int32_t> branches_;  ///< the open ones
  std::vector<bool> is_closed_{false};  ///< of each block: whether it is a closed branch
  std::vector<Assumption> assumptions_;
  std::vector<std::int32_t> scopes_{0};  ///< the open ones
  std::vector<Scope> known_scopes_{{}};  ///< by number; the first one is never closed
  std::unordered_map<Instr, std::int32_t, Hash> known_;
  std::vector<IntExpr> ints_;
  std::vector<FloatExpr> floats_;
  std::vector<std::int32_t> input_slots_;
  std::vector<core::Layout> input_layouts_;
  std::vector<RawAccess> raws_;
  std::vector<std::int32_t> size_slots_;  ///< of each input: 1 / width, 1 / height; -1: none yet
};

}  // namespace trigon::detail::kernel
