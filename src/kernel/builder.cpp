// SPDX-License-Identifier: MIT
#include "kernel/builder.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <trigon/error.hpp>

#include "core/item.hpp"
#include "core/math.hpp"

namespace trigon::plan {
namespace {

constexpr std::size_t most_carried = 127;  // by one loop

// For n below this, floor((n + 0.5) / d) is right even where a division is off by 2.5 ulp.
constexpr std::int64_t exact_by_one_division = std::int64_t{1} << 20;

/// Indices of GLSL ES 1.00 are floats, which hold every whole number up to 2^24.
std::int64_t largest_index(const Target& target) {
  return target.dialect == Dialect::es100 ? std::int64_t{1} << 24
                                          : std::numeric_limits<std::int32_t>::max();
}

/// The terms that are multiples of the unit, and the rest, whose constant is in [0, unit).
std::pair<Affine, Affine> parted(const Affine& index, std::int64_t unit) {
  Affine multiple, rest;
  for (const auto& term : index.terms) {
    auto& part = term.factor % unit == 0 ? multiple : rest;
    part = part + Affine{{term}, 0};
  }
  multiple.constant = floor_div(index.constant, unit) * unit;
  rest.constant = index.constant - multiple.constant;
  return {multiple, rest};
}

Affine divided(Affine index, std::int64_t unit) {
  for (auto& term : index.terms) term.factor /= unit;
  index.constant /= unit;
  return index;
}

}  // namespace

KernelBuilder::KernelBuilder(const Target& target) : target_(target) {
  kernel_.dialect = target.dialect;
  kernel_.sampled = target.sampler_fetch || target.dialect == Dialect::es100;
  kernel_.blocks.emplace_back();
}

std::int32_t KernelBuilder::push(const Instr& instr, Info info) {
  const auto found = known_.find(instr);
  if (found != known_.end()) return found->second;
  if (branches_.empty()) return push_new(instr, std::move(info));
  Instr inner = instr;
  for (const std::int32_t branch : branches_for(instr)) {
    inner.block = static_cast<std::int16_t>(branch);
    const auto same = known_.find(inner);
    if (same != known_.end()) return same->second;
  }
  return push_new(inner, std::move(info));
}

std::int32_t KernelBuilder::push_new(const Instr& instr, Info info) {
  // Whatever is built past the cap is thrown away in the end.
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

std::int32_t KernelBuilder::add(Instr instr) {
  for (std::int32_t arg : instr.args) {
    if (arg < 0) continue;
    const Instr& source = kernel_[arg];
    instr.block = static_cast<std::int16_t>(deeper(instr.block, source.block));
    // A value made of uniform values is uniform itself.
    if (instr.code > Code::load && source.lane != Lane::uniform) instr.lane = Lane::vector;
  }
  return push(instr, {});
}

std::int32_t KernelBuilder::add(Code code, Type type, std::vector<std::int32_t> args,
                                std::int8_t mode) {
  Instr instr{.code = code, .type = type, .mode = mode};
  instr.args = std::move(args);
  return add(std::move(instr));
}

std::int32_t KernelBuilder::base_index(Code code, std::int64_t low, std::int64_t high,
                                       std::int8_t mode, std::int32_t slot) {
  Instr instr{.code = code, .type = Type::i, .mode = mode};
  if (slot >= 0) instr.ints = {slot};
  const bool lanes = code == Code::frag_x4 || code == Code::lanes;
  instr.lane = lanes ? Lane::consecutive : Lane::uniform;
  return push(instr, {.low = low, .high = high - 1, .aligned = lanes});
}

Affine KernelBuilder::counter(std::int32_t block, std::int64_t trips) {
  Instr instr{.code = Code::counter, .type = Type::i};
  instr.block = instr.inner = static_cast<std::int16_t>(block);
  return variable(push(instr, {.low = 0, .high = trips - 1}));
}

Affine KernelBuilder::counter4(std::int32_t block, std::int64_t end) {
  Instr instr{.code = Code::counter4, .type = Type::i, .lane = Lane::consecutive};
  instr.block = instr.inner = static_cast<std::int16_t>(block);
  return variable(push(instr, {.low = 0, .high = end - 1, .aligned = true}));
}

Affine KernelBuilder::scalar(const IntExpr& value) {
  Instr instr{.code = Code::scalar, .type = Type::i, .ints = {int_slot(value)}};
  const std::int64_t a = value.base + value.scale * value.low;
  const std::int64_t b = value.base + value.scale * value.high;
  return variable(push(instr, {.low = std::min(a, b), .high = std::max(a, b)}));
}

KernelBuilder::Bounds KernelBuilder::bounds(const Affine& index) const {
  Bounds sum{index.constant, index.constant};
  for (const auto& [id, factor] : index.terms) {
    const Info& info = item(info_, id);
    sum.low += factor * (factor > 0 ? info.low : info.high);
    sum.high += factor * (factor > 0 ? info.high : info.low);
  }
  return sum;
}

KernelBuilder::Bounds KernelBuilder::assumed_bounds(const Affine& index) const {
  const Bounds known = bounds(index);
  for (auto at = assumptions_.rbegin(); at != assumptions_.rend(); ++at) {
    if (at->index.terms != index.terms) continue;
    const std::int64_t shift = index.constant - at->index.constant;
    return {std::max(known.low, at->range.low + shift),
            std::min(known.high, at->range.high + shift)};
  }
  return known;
}

void KernelBuilder::open_scope() { scopes_.push_back(next_scope_++); }

void KernelBuilder::close_scope() {
  while (!assumptions_.empty() && assumptions_.back().scope == scopes_.back()) {
    assumptions_.pop_back();
  }
  scopes_.pop_back();
}

bool KernelBuilder::holds(std::int32_t id, std::int32_t scope) const {
  return is_visible(id) && std::find(scopes_.begin(), scopes_.end(), scope) != scopes_.end();
}

void KernelBuilder::assume_inside(const Affine& index, std::int64_t size) {
  const Affine sum = normalize(index);
  if (sum.terms.empty()) return;
  assumptions_.push_back({sum, {0, size - 1}, scopes_.back()});
}

Lane KernelBuilder::lane(const Affine& index) const {
  Lane result = Lane::uniform;
  for (const auto& [id, factor] : index.terms) {
    const Lane one = kernel_[id].lane;
    if (one == Lane::uniform) continue;
    const bool clean = result == Lane::uniform && one == Lane::consecutive && factor == 1;
    result = clean ? Lane::consecutive : Lane::vector;
  }
  return result;
}

bool KernelBuilder::aligned(const Affine& index) const {
  if (lane(index) != Lane::consecutive || index.constant % 4 != 0) return false;
  return std::all_of(index.terms.begin(), index.terms.end(), [&](const Affine::Term& term) {
    if (kernel_[term.id].lane == Lane::consecutive) return item(info_, term.id).aligned;
    return term.factor % 4 == 0;
  });
}

Affine KernelBuilder::normalize(Affine index) const {
  // quotient * (f * d) + remainder * f of one split is f times what was split.
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [id, factor] : index.terms) {
      const Info& info = item(info_, id);
      if (!info.is_quotient || info.partner < 0 || factor % info.divisor != 0) continue;
      const std::int64_t unit = factor / info.divisor;
      const Affine::Term rest{info.partner, unit};
      if (std::find(index.terms.begin(), index.terms.end(), rest) == index.terms.end()) continue;
      const Affine parts = variable(id) * factor + variable(info.partner) * unit;
      index = index + parts * -1 + info.of * unit;
      changed = true;
      break;
    }
  }
  return index;
}

KernelBuilder::Split KernelBuilder::split(const Affine& index, std::int64_t divisor) {
  if (divisor == 1) return {index, {}};
  auto [multiple, rest] = parted(normalize(index), divisor);
  Bounds range = assumed_bounds(rest);
  if (range.low < 0) {
    const std::int64_t shift = floor_div(range.low, divisor) * divisor;
    multiple.constant += shift;
    rest.constant -= shift;
    range = assumed_bounds(rest);
  }
  const Affine quotient = divided(multiple, divisor);
  if (range.low >= 0 && range.high < divisor) return {quotient, rest};
  if (range.high >= largest_index(target_)) {
    // floor((u a + b) / (u d)) is floor(a / d) where 0 <= b < u: row numbers are divided alone.
    for (const auto& [id, unit] : rest.terms) {
      if (unit <= 1 || divisor % unit != 0) continue;
      const auto [rows, columns] = parted(rest, unit);
      if (const Bounds in = assumed_bounds(columns); in.low < 0 || in.high >= unit) continue;
      const Split by_row = split(divided(rows, unit), divisor / unit);
      return {quotient + by_row.quotient, by_row.remainder * unit + columns};
    }
    check_integer(std::max(range.high, largest_index(target_) + 1));
  }
  const std::int32_t source = materialise(rest);
  const bool keeps_lanes = aligned(rest) && divisor % 4 == 0;
  const bool uniform = lane(rest) == Lane::uniform;
  const std::int16_t block = kernel_[source].block;
  const std::int32_t slot = int_slot({.base = divisor});
  Instr high{.code = Code::quotient, .type = Type::i, .block = block};
  high.lane = keeps_lanes || uniform ? Lane::uniform : Lane::vector;
  high.args = {source};
  high.ints = {slot};
  high.mode = range.low >= 0 && range.high < exact_by_one_division ? 1 : 0;
  // The same division is one instruction, whatever slot holds its divisor.
  for (std::size_t k = 0; k < info_.size(); ++k) {
    const Info& info = info_[k];
    const auto id = static_cast<std::int32_t>(k);
    if (info.is_quotient && info.divisor == divisor && kernel_.code[k].args[0] == source &&
        holds(id, info.scope)) {
      return {quotient + variable(id), variable(info.partner)};
    }
  }
  Info info{.low = floor_div(std::max<std::int64_t>(range.low, 0), divisor),
            .high = range.high / divisor};
  info.of = rest;
  info.divisor = divisor;
  info.is_quotient = true;
  const std::int32_t q = push(high, info);
  Instr low{.code = Code::remainder, .type = Type::i, .block = block};
  low.lane = uniform ? Lane::uniform : keeps_lanes ? Lane::consecutive : Lane::vector;
  low.args = {source, q};
  low.ints = {slot};
  const std::int32_t r = push(low, {.low = 0, .high = divisor - 1, .aligned = keeps_lanes});
  item(info_, q).partner = r;
  return {quotient + variable(q), variable(r)};
}

std::vector<Affine> KernelBuilder::unravel(const Affine& linear,
                                           std::span<const std::int64_t> dims) {
  std::vector<Affine> index(dims.size());
  Affine rest = linear;
  for (std::size_t k = dims.size(); k-- > 0;) {
    if (dims[k] == 1) continue;
    const bool outermost = std::all_of(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(k),
                                       [](std::int64_t dim) { return dim == 1; });
    if (outermost) {
      index[k] = rest;
      break;
    }
    Split parts = split(rest, dims[k]);
    index[k] = std::move(parts.remainder);
    rest = std::move(parts.quotient);
  }
  return index;
}

Affine KernelBuilder::clamp_index(std::int32_t value, std::int64_t size) {
  const Instr& source = kernel_[value];
  Instr instr{
      .code = Code::clamp_index, .type = Type::i, .lane = source.lane, .block = source.block};
  instr.args = {value};
  instr.ints = {int_slot({.base = size})};
  return variable(push(instr, {.low = 0, .high = size - 1}));
}

void KernelBuilder::check_integer(std::int64_t most_used) const {
  if (most_used <= largest_index(target_)) return;
  throw DeviceError(
      fmt::format("trigon::eval: too many elements for the shader's integers: an index reaches "
                  "{}; at most {}; compute parts of the tensor on their own",
                  most_used, largest_index(target_)));
}

std::int32_t KernelBuilder::materialise(const Affine& index) {
  const Affine sum = normalize(index);
  if (sum.terms.size() == 1 && sum.terms[0].factor == 1 && sum.constant == 0) {
    return sum.terms[0].id;
  }
  Instr instr{.code = Code::affine, .type = Type::i, .lane = lane(sum)};
  // Equal sums are one instruction: compared here, before their numbers become uniforms.
  for (std::size_t k = 0; k < info_.size(); ++k) {
    const auto id = static_cast<std::int32_t>(k);
    if (kernel_.code[k].code == Code::affine && info_[k].of == sum && is_visible(id)) return id;
  }
  for (const auto& [id, factor] : sum.terms) {
    instr.args.push_back(id);
    instr.ints.push_back(factor == 1 ? -1 : int_slot({.base = factor}));
    instr.block = static_cast<std::int16_t>(deeper(instr.block, kernel_[id].block));
  }
  instr.ints.push_back(sum.constant == 0 ? -1 : int_slot({.base = sum.constant}));
  const Bounds range = bounds(sum);
  check_integer(std::max(range.high, -range.low));
  Info info{.low = range.low, .high = range.high, .aligned = aligned(sum)};
  info.of = sum;
  return push(instr, info);
}

Affine KernelBuilder::assume_below(const Affine& index, std::int64_t end) {
  const std::int32_t id = materialise(index);
  auto& high = item(info_, id).high;
  high = std::min(high, end - 1);
  return variable(id);
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

std::int32_t KernelBuilder::float_uniform(const FloatExpr& value, Type type) {
  floats_.push_back(value);
  Instr instr{.code = Code::uniform, .type = type};
  instr.ints = {static_cast<std::int32_t>(floats_.size()) - 1};
  return push(instr, {});
}

std::int32_t KernelBuilder::constant(double value) { return float_uniform({.value = value}); }

std::int32_t KernelBuilder::table(std::span<const FloatExpr> numbers, const Affine& index) {
  const auto first = static_cast<std::int32_t>(floats_.size());
  floats_.insert(floats_.end(), numbers.begin(), numbers.end());
  return from_table(Type::f, first, static_cast<std::int32_t>(numbers.size()), index);
}

std::int32_t KernelBuilder::table(std::span<const IntExpr> numbers, Type type,
                                  const Affine& index) {
  const auto first = static_cast<std::int32_t>(ints_.size());
  ints_.insert(ints_.end(), numbers.begin(), numbers.end());
  return from_table(type, first, static_cast<std::int32_t>(numbers.size()), index);
}

std::int32_t KernelBuilder::from_table(Type type, std::int32_t first, std::int32_t count,
                                       const Affine& index) {
  const auto at = [&](std::int32_t counter) {
    Instr instr{.code = Code::table, .type = type};
    instr.args = {counter};
    instr.ints = {first, first + count - 1};
    return add(std::move(instr));
  };
  const std::int32_t id = materialise(index);
  const bool any_index = target_.dialect == Dialect::es300 && lane(index) == Lane::uniform;
  if (kernel_[id].code == Code::counter || any_index) return at(id);
  // GLSL ES 1.00 has no other index into uniforms than the counter of a loop; nor has any an index
  // for each lane.
  const std::int32_t block = open_block(kernel_[id].block);
  const Affine counter = this->counter(block, count);
  const std::int32_t zero = constant(0);
  const std::int32_t found = carry(block, type == Type::f ? zero : convert(zero, type));
  const Affine rest = variable(id) + counter * -1;
  Instr hit{.code = Code::inside, .lane = lane(rest), .mode = 4};
  hit.args = {materialise(rest)};
  const std::int32_t mask = add(std::move(hit));
  set_carried(block, 0, select(mask, at(materialise(counter)), found));
  set_trips(block, scalar({.base = count}), count);
  return result(block, 0);
}

std::int32_t KernelBuilder::convert(std::int32_t value, Type type, Conversion how) {
  return add(Code::convert, type, {value}, static_cast<std::int8_t>(how));
}

std::int32_t KernelBuilder::swizzle(std::int32_t value, Swizzle how) {
  return add(Code::swizzle, type(value), {value}, static_cast<std::int8_t>(how));
}

std::int32_t KernelBuilder::both(std::int32_t a, std::int32_t b) {
  if (a < 0 || b < 0) return a < 0 ? b : a;
  return add(Code::both, Type::f, {a, b});
}

std::int32_t KernelBuilder::select(std::int32_t mask, std::int32_t a, std::int32_t b) {
  if (mask < 0) return a;
  Instr instr{.code = Code::select, .type = type(a)};
  instr.args = {mask, a, b};
  return add(std::move(instr));
}

std::int32_t KernelBuilder::inside(const Affine& index, std::int64_t size) {
  const Bounds range = bounds(index);
  const int mode = (range.low < 0 ? 1 : 0) | (range.high >= size ? 2 : 0);
  if (mode == 0) return -1;
  Instr instr{.code = Code::inside, .lane = lane(index), .mode = static_cast<std::int8_t>(mode)};
  instr.args = {materialise(index)};
  if ((mode & 2) != 0) instr.ints = {int_slot({.base = size})};
  return add(std::move(instr));
}

std::int32_t KernelBuilder::below(const Affine& index, const IntExpr& limit) {
  Instr instr{.code = Code::inside, .lane = lane(index), .mode = 2};
  instr.args = {materialise(index)};
  instr.ints = {int_slot(limit)};
  return add(std::move(instr));
}

std::int32_t KernelBuilder::is_element(const Affine& index, std::int64_t size) {
  Instr instr{.code = Code::inside, .lane = lane(index), .mode = 3};
  instr.args = {materialise(index)};
  instr.ints = {int_slot({.base = size})};
  return add(std::move(instr));
}

std::int32_t KernelBuilder::input(std::int32_t slot, const Layout& layout) {
  for (std::size_t k = 0; k < input_slots_.size(); ++k) {
    if (input_slots_[k] == slot) return static_cast<std::int32_t>(k);
  }
  too_large_ = too_large_ || static_cast<std::int64_t>(input_slots_.size()) >= target_.samplers;
  input_slots_.push_back(slot);
  input_layouts_.push_back(layout);
  size_slots_.push_back(-1);
  kernel_.inputs.push_back({texel_type(target_, layout.dtype), layout.layers > 1});
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

std::int32_t KernelBuilder::block_of(const Affine& index) const {
  std::int32_t block = 0;
  for (const auto& term : index.terms) block = deeper(block, kernel_[term.id].block);
  return block;
}

void KernelBuilder::set_trips(std::int32_t block, const Affine& trips, std::int64_t most) {
  set_trips(block, materialise(trips), most);
}

void KernelBuilder::set_trips(std::int32_t block, std::int32_t id, std::int64_t most) {
  item(kernel_.blocks, block).trips = id;
  item(most_trips_, block) = most;
}

std::int32_t KernelBuilder::carry(std::int32_t block, std::int32_t before) {
  auto& all = item(kernel_.blocks, block).carried;
  all.push_back({before, -1});
  // The number is a mode. Whatever is built past the cap is thrown away in the end.
  too_large_ = too_large_ || all.size() > most_carried;
  Instr instr{.code = Code::carried, .type = type(before), .lane = Lane::vector};
  instr.mode = static_cast<std::int8_t>(std::min(all.size(), most_carried) - 1);
  instr.block = instr.inner = static_cast<std::int16_t>(block);
  return push(instr, {});
}

void KernelBuilder::set_carried(std::int32_t block, std::int32_t number, std::int32_t at_end) {
  auto& loop = item(kernel_.blocks, block);
  item(loop.carried, number)[1] = at_end;
}

std::int32_t KernelBuilder::result(std::int32_t block, std::int32_t number) {
  const Block& loop = item(kernel_.blocks, block);
  Instr instr{.code = Code::result, .lane = Lane::vector};
  instr.type = type(item(loop.carried, number)[0]);
  instr.mode =
      static_cast<std::int8_t>(std::min(number, static_cast<std::int32_t>(most_carried) - 1));
  instr.inner = static_cast<std::int16_t>(block);
  instr.block = static_cast<std::int16_t>(loop.parent);
  return push(instr, {});
}

void KernelBuilder::output(std::int32_t value, Type type) {
  kernel_.outputs.push_back({value, type});
}

}  // namespace trigon::plan
