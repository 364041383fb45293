// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/affine.hpp"
#include "core/layout.hpp"
#include "core/target.hpp"
#include "kernel/index_builder.hpp"
#include "kernel/kernel.hpp"

namespace trigon::detail::kernel {

/// Builds a Kernel. Values are numbers of instructions. A kernel too large for the target is still
/// built to its end; then `finish` returns false. So it is if the target lacks an input's encoding.
class KernelBuilder : public IndexBuilder {
 public:
  using IndexBuilder::IndexBuilder;

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
  /// The number of the input that reads a plan's slot.
  std::int32_t input(std::int32_t slot, const core::Layout& layout);

  /// Moves the kernel with its inputs, uniforms and costs into `bound`, without unused
  /// instructions. False if the kernel is too large for the target.
  bool finish(Bound& bound);

 private:
  struct RawAccess {
    std::int32_t input;
    bool by_number;
    core::Layout layout;
    std::int32_t id;
  };
  /// The value at an index of a table of uniforms that begins at `first`.
  std::int32_t from_table(core::Type type, std::int32_t first, std::int32_t count,
                          const core::Affine& index);
  std::int32_t texel_coordinate(const core::Affine& index, std::int32_t input, bool row,
                                bool each_lane);
  struct Address {
    core::Affine x, y, layer;
  };
  Address address(const core::Layout& layout, const core::Affine& e);
  /// Unaligned lanes, from two neighbouring texels of a row; -1 if they may lie elsewhere.
  std::int32_t load_shifted(std::int32_t input, const core::Layout& layout, const core::Affine& e);
  std::int32_t load_texel(std::int32_t input, const core::Layout& layout, const Address& at,
                          Fetch fetch, std::int8_t component = -1);
  /// None for plain texels, and for encodings that the target lacks.
  EncodingNumber encoding_of(const core::Layout& layout) const;
  /// For indices past the shader's integers.
  std::int32_t inside_wide(const core::Affine& index, const core::Affine& size, bool from_zero,
                           bool to_end);
  void drop_unused();
  std::int64_t loop_trips(const Instr& instr) const;
  void count_costs(Bound& bound) const;

  std::vector<FloatExpr> floats_;
  std::vector<std::int32_t> input_slots_;
  std::vector<core::Layout> input_layouts_;
  std::vector<RawAccess> raws_;
  std::vector<std::int32_t> size_uniforms_;  ///< of each input: 1 / width, 1 / height; -1: none yet
};

}  // namespace trigon::detail::kernel
