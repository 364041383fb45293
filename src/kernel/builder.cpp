// SPDX-License-Identifier: MIT
#include "kernel/builder.hpp"

#include <algorithm>
#include <utility>

#include <trigon/op.hpp>

#include "core/item.hpp"

namespace trigon::detail::kernel {
namespace {

// By one loop: a kernel with more is too large.
constexpr std::size_t most_carried = 127;

}  // namespace

KernelBuilder::KernelBuilder(const core::Target& target) : target_(target) {
  kernel_.dialect = target.dialect;
  kernel_.sampled = target.sampler_fetch || target.dialect == core::Dialect::es100;
  kernel_.blocks.emplace_back();
}

std::int32_t KernelBuilder::push(const Instr& instr, Info info) {
  const auto found = known_.find(instr);
  if (found != known_.end()) return found->second;
  if (branches_.empty()) return push_new(instr, std::move(info));
  Instr inner = instr;
  for (const std::int32_t branch : branches_for(instr)) {
    inner.block = branch;
    const auto same = known_.find(inner);
    if (same != known_.end()) return same->second;
  }
  return push_new(inner, std::move(info));
}

std::int32_t KernelBuilder::push_new(const Instr& instr, Info info) {
  // A kernel that passes the limit is discarded in the end.
  too_large_ = too_large_ || kernel_.code.size() >= most_instructions_;
  info.scope = scopes_.back();
  const auto id = static_cast<std::int32_t>(kernel_.code.size());
  kernel_.code.push_back(instr);
  info_.push_back(std::move(info));
  known_.emplace(instr, id);
  return id;
}

std::int32_t KernelBuilder::deeper(std::int32_t a, std::int32_t b) const {
  return item(depths_, a) >= item(depths_, b) ? a : b;
}

std::int32_t KernelBuilder::add(Operation operation, core::Type type, Lane lane) {
  Instr instr{std::move(operation), type, lane};
  each<Operand>(std::as_const(instr), [&](Operand operand) {
    const Instr& source = kernel_[operand];
    instr.block = deeper(instr.block, source.block);
    // A value made of uniform values is uniform itself.
    if (instr.is_value() && source.lane != Lane::uniform) instr.lane = Lane::vector;
  });
  return push(instr, {});
}

std::int32_t KernelBuilder::apply(const Op& op, core::Type type,
                                  const std::array<Operand, 3>& operands) {
  return add(Apply{op.id, operands}, type);
}

std::int32_t KernelBuilder::base_index(Operation operation, std::int64_t low, std::int64_t high) {
  Instr instr{std::move(operation), core::Type::i};
  const bool lanes = instr.is<FragColumn4>() || instr.is<LaneNumber>();
  instr.lane = lanes ? Lane::consecutive : Lane::uniform;
  return push(instr, {.low = low, .high = high - 1, .aligned = lanes});
}

core::Affine KernelBuilder::counter(std::int32_t block, std::int64_t trips) {
  const Instr instr{Counter{block}, core::Type::i, Lane::uniform, block};
  return variable(push(instr, {.low = 0, .high = trips - 1}));
}

core::Affine KernelBuilder::counter4(std::int32_t block, std::int64_t end) {
  const Instr instr{Counter4{block}, core::Type::i, Lane::consecutive, block};
  return variable(push(instr, {.low = 0, .high = end - 1, .aligned = true}));
}

core::Affine KernelBuilder::scalar(const IntExpr& value) {
  const Instr instr{IntScalar{int_slot(value)}, core::Type::i};
  const Bounds range = bounds(value);
  return variable(push(instr, {.low = range.low, .high = range.high}));
}

std::int32_t KernelBuilder::int_slot(const IntExpr& value) {
  // Constants are not merged: which ones are equal depends on shapes, and so would the program.
  if (value.scalar >= 0) {
    const auto known = std::find(ints_.begin(), ints_.end(), value);
    if (known != ints_.end()) return static_cast<std::int32_t>(known - ints_.begin());
  }
  ints_.push_back(value);
  return static_cast<std::int32_t>(ints_.size()) - 1;
}

std::int32_t KernelBuilder::float_uniform(const FloatExpr& value, core::Type type) {
  floats_.push_back(value);
  return push({Uniform{static_cast<std::int32_t>(floats_.size()) - 1}, type}, {});
}

std::int32_t KernelBuilder::constant(double value) { return float_uniform({.value = value}); }

std::int32_t KernelBuilder::table(std::span<const FloatExpr> numbers, const core::Affine& index) {
  const auto first = static_cast<std::int32_t>(floats_.size());
  floats_.insert(floats_.end(), numbers.begin(), numbers.end());
  return from_table(core::Type::f, first, static_cast<std::int32_t>(numbers.size()), index);
}

std::int32_t KernelBuilder::table(std::span<const IntExpr> numbers, core::Type type,
                                  const core::Affine& index) {
  const auto first = static_cast<std::int32_t>(ints_.size());
  ints_.insert(ints_.end(), numbers.begin(), numbers.end());
  return from_table(type, first, static_cast<std::int32_t>(numbers.size()), index);
}

std::int32_t KernelBuilder::from_table(core::Type type, std::int32_t first, std::int32_t count,
                                       const core::Affine& index) {
  const auto at = [&](std::int32_t counter) {
    return add(Table{counter, first, first + count - 1}, type);
  };
  const std::int32_t id = materialise(index);
  const bool any_index = target_.dialect == core::Dialect::es300 && lane(index) == Lane::uniform;
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
  return add(Inside{materialise(index), from_zero, to_end ? int_slot({.base = size}) : -1},
             core::Type::f, lane(index));
}

std::int32_t KernelBuilder::below(const core::Affine& index, const IntExpr& limit) {
  if (ends_past(bounds(index))) {
    return inside_wide(index, limit.scalar < 0 ? core::Affine{{}, limit.base} : scalar_index(limit),
                       false, true);
  }
  return add(Inside{materialise(index), false, int_slot(limit)}, core::Type::f, lane(index));
}

std::int32_t KernelBuilder::is_element(const core::Affine& index, std::int64_t size) {
  if (ends_past(bounds(index))) return inside_wide(index, {{}, size}, true, true);
  return add(Inside{materialise(index), true, int_slot({.base = size})}, core::Type::f,
             lane(index));
}

std::int32_t KernelBuilder::is_zero(const core::Affine& index) {
  return add(IsZero{materialise(index)}, core::Type::f, lane(index));
}

std::int32_t KernelBuilder::input(std::int32_t slot, const core::Layout& layout) {
  for (std::size_t k = 0; k < input_slots_.size(); ++k) {
    if (input_slots_[k] == slot) return static_cast<std::int32_t>(k);
  }
  too_large_ = too_large_ || static_cast<std::int64_t>(input_slots_.size()) >= target_.samplers;
  input_slots_.push_back(slot);
  input_layouts_.push_back(layout);
  size_slots_.push_back(-1);
  kernel_.inputs.push_back({core::texel_type(target_, layout.dtype), layout.layers > 1});
  return static_cast<std::int32_t>(input_slots_.size()) - 1;
}

std::int32_t KernelBuilder::open_block(std::int32_t outer) {
  const auto block = static_cast<std::int32_t>(kernel_.blocks.size());
  if (!branches_.empty()) outer = deeper(outer, branches_.back());
  kernel_.blocks.push_back({.parent = outer});
  depths_.push_back(item(depths_, outer) + 1);
  most_trips_.push_back(0);
  loops_.push_back(block);
  is_closed_.push_back(false);
  return block;
}

std::int32_t KernelBuilder::block_of(const core::Affine& index) const {
  std::int32_t block = 0;
  for (const auto& term : index.terms) block = deeper(block, kernel_[term.id].block);
  return block;
}

void KernelBuilder::set_trips(std::int32_t block, const core::Affine& trips, std::int64_t most) {
  set_trips(block, materialise(trips), most);
}

void KernelBuilder::set_trips(std::int32_t block, std::int32_t id, std::int64_t most) {
  item(kernel_.blocks, block).trips = id;
  item(most_trips_, block) = most;
}

std::int32_t KernelBuilder::carry(std::int32_t block, std::int32_t before) {
  auto& all = item(kernel_.blocks, block).carried;
  all.push_back({before, -1});
  // A kernel that passes the limit is discarded in the end.
  too_large_ = too_large_ || all.size() > most_carried;
  const CarriedValue value{block, static_cast<std::int32_t>(all.size()) - 1};
  return push({Carried{value}, type(before), Lane::vector, block}, {});
}

void KernelBuilder::set_carried(std::int32_t block, std::int32_t number, std::int32_t at_end) {
  auto& loop = item(kernel_.blocks, block);
  item(loop.carried, number)[1] = at_end;
}

std::int32_t KernelBuilder::result(std::int32_t block, std::int32_t number) {
  const Block& loop = item(kernel_.blocks, block);
  const core::Type type = this->type(item(loop.carried, number)[0]);
  return push({Result{{block, number}}, type, Lane::vector, loop.parent}, {});
}

void KernelBuilder::output(std::int32_t value, core::Type type) {
  kernel_.outputs.push_back({value, type});
}

}  // namespace trigon::detail::kernel
