// SPDX-License-Identifier: MIT
#include "kernel/builder.hpp"

#include <cassert>

#include <trigon/op.hpp>

#include "core/item.hpp"
#include "core/list.hpp"

namespace trigon::detail::kernel {
std::int32_t KernelBuilder::apply(const Op& op, core::Type type,
                                  const std::array<Operand, 3>& operands) {
  return add(Apply{op.id, operands}, type);
}

std::int32_t KernelBuilder::float_uniform(const FloatExpr& value, core::Type type) {
  floats_.push_back(value);
  return push({Uniform{static_cast<std::int32_t>(floats_.size()) - 1}, type}, {});
}

std::int32_t KernelBuilder::constant(double value) { return float_uniform({.value = value}); }

std::int32_t KernelBuilder::table(std::span<const FloatExpr> numbers, const core::Affine& index) {
  const auto first = static_cast<std::int32_t>(floats_.size());
  core::append(floats_, numbers);
  return from_table(core::Type::f, first, static_cast<std::int32_t>(numbers.size()), index);
}

std::int32_t KernelBuilder::table(std::span<const IntExpr> numbers, core::Type type,
                                  const core::Affine& index) {
  const auto first = static_cast<std::int32_t>(ints_.size());
  core::append(ints_, numbers);
  return from_table(type, first, static_cast<std::int32_t>(numbers.size()), index);
}

std::int32_t KernelBuilder::from_table(core::Type type, std::int32_t first, std::int32_t count,
                                       const core::Affine& index) {
  const auto at = [&](std::int32_t counter) {
    return add(Table{counter, first, first + count - 1}, type);
  };
  const std::int32_t id = materialise(index);
  const bool any_index = target_.dialect != core::Dialect::es100 && lane(index) == Lane::uniform;
  if (kernel_[id].is<Counter>() || any_index) return at(id);
  // GLSL ES 1.00 indexes uniforms only by the counter of a loop, and neither dialect by an index
  // per lane.
  const std::int32_t block = open_block(kernel_[id].block);
  const core::Affine counter = this->counter(block, count);
  const std::int32_t zero = constant(0);
  const std::int32_t found = carry(block, type == core::Type::f ? zero : convert(zero, type));
  const core::Affine rest = variable(id) + counter * -1;
  const std::int32_t mask = is_zero(rest);
  set_carried(block, 0, select(mask, at(materialise(counter)), found));
  set_trips(block, scalar({.base = count}), count);
  return result(block, 0);
}

std::int32_t KernelBuilder::convert(std::int32_t value, core::Type type, Conversion how) {
  return add(Convert{value, how}, type);
}

std::int32_t KernelBuilder::swizzle(std::int32_t value, Swizzle how) {
  return add(Reorder{value, how}, type(value));
}

std::int32_t KernelBuilder::both(std::int32_t a, std::int32_t b) {
  if (a < 0 || b < 0) return a < 0 ? b : a;
  return add(Both{a, b}, core::Type::f);
}

std::int32_t KernelBuilder::select(std::int32_t mask, std::int32_t a, std::int32_t b) {
  if (mask < 0) return a;
  return add(Select{mask, a, b}, type(a));
}

std::int32_t KernelBuilder::inside(const core::Affine& index, std::int64_t size) {
  const Bounds range = bounds(index);
  const bool from_zero = range.low < 0, to_end = range.high >= size;
  if (!from_zero && !to_end) return -1;
  if (is_past(range)) return inside_wide(index, {{}, size}, from_zero, to_end);
  return add(Inside{materialise(index), from_zero, to_end ? int_uniform({.base = size}) : -1},
             core::Type::f, lane(index));
}

std::int32_t KernelBuilder::below(const core::Affine& index, const IntExpr& limit) {
  if (ends_past(bounds(index))) {
    return inside_wide(index, limit.scalar < 0 ? core::Affine{{}, limit.base} : scalar_index(limit),
                       false, true);
  }
  return add(Inside{materialise(index), false, int_uniform(limit)}, core::Type::f, lane(index));
}

std::int32_t KernelBuilder::is_element(const core::Affine& index, std::int64_t size) {
  if (ends_past(bounds(index))) return inside_wide(index, {{}, size}, true, true);
  return add(Inside{materialise(index), true, int_uniform({.base = size})}, core::Type::f,
             lane(index));
}

std::int32_t KernelBuilder::is_zero(const core::Affine& index) {
  return add(IsZero{materialise(index)}, core::Type::f, lane(index));
}

std::int32_t KernelBuilder::input(std::int32_t slot, const core::Layout& layout) {
  for (std::size_t k = 0; k < input_slots_.size(); ++k) {
    if (input_slots_[k] == slot) return static_cast<std::int32_t>(k);
  }
  const core::EncodingInfo* const row = core::encoding_of(target_, layout);
  assert(row == nullptr || row->elements_per_texel == layout.elements_per_texel);
  const bool fits = static_cast<std::int64_t>(input_slots_.size()) < target_.samplers;
  too_large_ = too_large_ || !fits || row == nullptr;
  input_slots_.push_back(slot);
  input_layouts_.push_back(layout);
  size_uniforms_.push_back(-1);
  const core::Type type = row == nullptr ? core::Type::f : core::texel_type(row->format);
  kernel_.inputs.push_back({type, layout.layers > 1});
  return static_cast<std::int32_t>(input_slots_.size()) - 1;
}

EncodingNumber KernelBuilder::encoding_of(const core::Layout& layout) const {
  const core::EncodingInfo* const row = core::encoding_of(target_, layout);
  return row == nullptr || row->decode.empty() ? -1 : core::number_of(*row);
}

std::int32_t KernelBuilder::inside_wide(const core::Affine& index, const core::Affine& size,
                                        bool from_zero, bool to_end) {
  // The sign of a number is the sign of its high digit.
  const auto compare = [&](const core::Affine& number, bool is_negative) {
    const core::Affine high = split_digits(number, unit_of(bounds(number))).quotient;
    return add(Inside{materialise(high), !is_negative, is_negative ? int_uniform({.base = 0}) : -1},
               core::Type::f, lane(high));
  };
  const std::int32_t low = from_zero ? compare(index, false) : -1;
  return both(low, to_end ? compare(index + size * -1, true) : -1);
}

}  // namespace trigon::detail::kernel
