// SPDX-License-Identifier: MIT
#include "kernel/index_builder.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/called.hpp"
#include "core/item.hpp"
#include "core/list.hpp"
#include "core/math.hpp"

// Indices: sums that stay symbolic until an instruction needs their value.

namespace trigon::detail::kernel {
namespace {

// For n below this, floor((n + 0.5) / d) is correct even if a division is off by 2.5 ulp.
constexpr std::int64_t exact_by_one_division = std::int64_t{1} << 20;

/// Splits off the terms that are multiples of the unit. The constant of the rest is in [0, unit).
std::pair<core::Affine, core::Affine> multiples_and_rest(const core::Affine& index,
                                                         std::int64_t unit) {
  core::Affine multiple, rest;
  for (const auto& term : index.terms) {
    (term.factor % unit == 0 ? multiple : rest).terms.push_back(term);
  }
  multiple.constant = core::floor_div(index.constant, unit) * unit;
  rest.constant = index.constant - multiple.constant;
  return {std::move(multiple), std::move(rest)};
}

core::Affine divided(core::Affine index, std::int64_t unit) {
  for (auto& term : index.terms) term.factor /= unit;
  index.constant /= unit;
  return index;
}

}  // namespace

std::int32_t IndexBuilder::push_index(Instr instr, Info info) {
  info.scope = scope();
  return push(std::move(instr), std::move(info));
}

std::int32_t IndexBuilder::base_index(Operation operation, std::int64_t low, std::int64_t high) {
  Instr instr{std::move(operation), core::Type::i};
  const bool lanes = instr.is<FragColumn4>() || instr.is<LaneNumber>();
  instr.lane = lanes ? Lane::consecutive : Lane::uniform;
  return push_index(instr, {.low = low, .high = high - 1, .aligned = lanes});
}

core::Affine IndexBuilder::counter(std::int32_t block, std::int64_t trips) {
  const Instr instr{Counter{block}, core::Type::i, Lane::uniform, block};
  return variable(push_index(instr, {.low = 0, .high = trips - 1}));
}

core::Affine IndexBuilder::counter4(std::int32_t block, std::int64_t end) {
  const Instr instr{Counter4{block}, core::Type::i, Lane::consecutive, block};
  return variable(push_index(instr, {.low = 0, .high = end - 1, .aligned = true}));
}

core::Affine IndexBuilder::scalar(const IntExpr& value) {
  const Instr instr{IntScalar{int_uniform(value)}, core::Type::i};
  const Bounds range = bounds(value);
  return variable(push_index(instr, {.low = range.low, .high = range.high}));
}

std::int32_t IndexBuilder::block_of(const core::Affine& index) const {
  std::int32_t block = 0;
  for (const auto& term : index.terms) block = deeper(block, kernel_[term.id].block);
  return block;
}

void IndexBuilder::set_trips(std::int32_t block, const core::Affine& trips, std::int64_t most) {
  set_trips(block, materialise(trips), most);
}

IndexBuilder::Bounds IndexBuilder::bounds(const core::Affine& index) const {
  Bounds sum{index.constant, index.constant};
  for (const auto& [id, factor] : index.terms) {
    const Info& info = item(info_, id);
    sum.low += factor * (factor > 0 ? info.low : info.high);
    sum.high += factor * (factor > 0 ? info.high : info.low);
  }
  return sum;
}

IndexBuilder::Bounds IndexBuilder::assumed_bounds(const core::Affine& index) const {
  const Bounds known = bounds(index);
  for (auto at = assumptions_.rbegin(); at != assumptions_.rend(); ++at) {
    if (at->index.terms != index.terms) continue;
    const std::int64_t shift = index.constant - at->index.constant;
    return {std::max(known.low, at->range.low + shift),
            std::min(known.high, at->range.high + shift)};
  }
  return known;
}

void IndexBuilder::open_scope(const core::Indices& inside, const Shape& sizes) {
  Scope scope{scopes_.back(), inside, sizes};
  const auto known = std::find(known_scopes_.begin() + 1, known_scopes_.end(), scope);
  scopes_.push_back(static_cast<std::int32_t>(known - known_scopes_.begin()));
  if (known == known_scopes_.end()) known_scopes_.push_back(std::move(scope));
  for (std::size_t k = 0; k < inside.size(); ++k) {
    assume(normalize(inside[k]), {0, sizes[static_cast<int>(k)] - 1});
  }
}

void IndexBuilder::close_scope() {
  while (!assumptions_.empty() && assumptions_.back().scope == scopes_.back()) {
    assumptions_.pop_back();
  }
  scopes_.pop_back();
}

bool IndexBuilder::holds(std::int32_t id, std::int32_t scope) const {
  return is_visible(id) && core::contains(scopes_, scope);
}

Lane IndexBuilder::lane(const core::Affine& index) const {
  Lane result = Lane::uniform;
  for (const auto& [id, factor] : index.terms) {
    const Lane one = kernel_[id].lane;
    if (one == Lane::uniform) continue;
    const bool clean = result == Lane::uniform && one == Lane::consecutive && factor == 1;
    result = clean ? Lane::consecutive : Lane::vector;
  }
  return result;
}

bool IndexBuilder::aligned(const core::Affine& index) const {
  if (lane(index) != Lane::consecutive || index.constant % 4 != 0) return false;
  return std::all_of(index.terms.begin(), index.terms.end(), [&](const core::Affine::Term& term) {
    if (kernel_[term.id].lane == Lane::consecutive) return item(info_, term.id).aligned;
    return term.factor % 4 == 0;
  });
}

core::Affine IndexBuilder::normalize(core::Affine index) const {
  // For one split, quotient * (f * d) + remainder * f is f times the dividend.
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [id, factor] : index.terms) {
      const Info& info = item(info_, id);
      if (!info.is_quotient || info.partner < 0 || factor % info.divisor != 0) continue;
      const std::int64_t unit = factor / info.divisor;
      const core::Affine::Term rest{info.partner, unit};
      if (!core::contains(index.terms, rest)) continue;
      const core::Affine both = variable(id) * factor + variable(info.partner) * unit;
      index = index + both * -1 + info.of * unit;
      changed = true;
      break;
    }
  }
  return index;
}

IndexBuilder::Split IndexBuilder::split(const core::Affine& index, std::int64_t divisor) {
  if (divisor == 1) return {index, {}};
  auto [multiple, rest] = multiples_and_rest(normalize(index), divisor);
  Bounds range = assumed_bounds(rest);
  if (range.low < 0) {
    const std::int64_t shift = core::floor_div(range.low, divisor) * divisor;
    multiple.constant += shift;
    rest.constant -= shift;
    range = assumed_bounds(rest);
  }
  const core::Affine quotient = divided(multiple, divisor);
  if (range.low >= 0 && range.high < divisor) return {quotient, rest};
  if (range.high >= core::largest_index(target_)) {
    // floor((u a + b) / (u d)) is floor(a / d) if 0 <= b < u, so only the row numbers are divided.
    for (const auto& [id, unit] : rest.terms) {
      if (unit <= 1 || divisor % unit != 0) continue;
      const auto [rows, columns] = multiples_and_rest(rest, unit);
      if (const Bounds in = assumed_bounds(columns); in.low < 0 || in.high >= unit) continue;
      const Split by_row = split(divided(rows, unit), divisor / unit);
      return {quotient + by_row.quotient, by_row.remainder * unit + columns};
    }
    const Split found = split_wide(rest, divisor);
    return {quotient + found.quotient, found.remainder};
  }
  const std::int32_t source = materialise(rest);
  const bool keeps_lanes = aligned(rest) && divisor % 4 == 0;
  const bool uniform = lane(rest) == Lane::uniform;
  const BlockNumber block = kernel_[source].block;
  const std::int32_t uniform_index = int_uniform({.base = divisor});
  const bool is_small = range.low >= 0 && range.high < exact_by_one_division;
  // Equal divisions are one instruction, whatever uniform holds the divisor.
  for (std::size_t k = 0; k < info_.size(); ++k) {
    const Info& info = info_[k];
    const auto id = static_cast<std::int32_t>(k);
    if (info.is_quotient && info.divisor == divisor &&
        kernel_.code[k].get<Quotient>().dividend == source && holds(id, info.scope)) {
      return {quotient + variable(id), variable(info.partner)};
    }
  }
  Info info{.low = core::floor_div(std::max<std::int64_t>(range.low, 0), divisor),
            .high = range.high / divisor};
  info.of = rest;
  info.divisor = divisor;
  info.is_quotient = true;
  const Lane high_lane = keeps_lanes || uniform ? Lane::uniform : Lane::vector;
  const std::int32_t q =
      push_index({Quotient{source, uniform_index, is_small}, core::Type::i, high_lane, block},
                 std::move(info));
  const Lane low_lane = uniform ? Lane::uniform : keeps_lanes ? Lane::consecutive : Lane::vector;
  const Instr low{Remainder{source, q, uniform_index}, core::Type::i, low_lane, block};
  const std::int32_t r = push_index(low, {.low = 0, .high = divisor - 1, .aligned = keeps_lanes});
  item(info_, q).partner = r;
  return {quotient + variable(q), variable(r)};
}

std::vector<core::Affine> IndexBuilder::unravel(const core::Affine& linear,
                                                std::span<const std::int64_t> dims) {
  std::vector<core::Affine> index(dims.size());
  core::Affine rest = linear;
  for (std::size_t k = dims.size(); k-- > 0;) {
    if (dims[k] == 1) continue;
    const bool outermost = std::all_of(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(k),
                                       [](std::int64_t dim) { return dim == 1; });
    if (outermost) {
      index[k] = rest;
      break;
    }
    Split found = split(rest, dims[k]);
    index[k] = std::move(found.remainder);
    rest = std::move(found.quotient);
  }
  return index;
}

core::Affine IndexBuilder::clamp_index(std::int32_t value, std::int64_t size) {
  check_integer(size);
  const Instr& source = kernel_[value];
  const Instr instr{ClampIndex{value, int_uniform({.base = size})}, core::Type::i, source.lane,
                    source.block};
  return variable(push_index(instr, {.low = 0, .high = size - 1}));
}

void IndexBuilder::check_integer(std::int64_t most_used) const {
  if (most_used > largest_index(target_)) throw_past(most_used);
}

void IndexBuilder::throw_past(std::int64_t most_used) const {
  core::fail_on_device("eval",
                       "too many elements for the shader's integers: an index reaches "
                       "{}; at most {}; compute parts of the tensor on their own",
                       most_used, core::largest_index(target_));
}

std::int32_t IndexBuilder::materialise(const core::Affine& index) {
  const core::Affine sum = normalize(index);
  if (sum.terms.size() == 1 && sum.terms[0].factor == 1 && sum.constant == 0) {
    return sum.terms[0].id;
  }
  // Equal sums are one instruction. They are compared before their numbers become uniforms.
  for (std::size_t k = 0; k < info_.size(); ++k) {
    const auto id = static_cast<std::int32_t>(k);
    if (kernel_.code[k].is<Sum>() && info_[k].of == sum && is_visible(id)) return id;
  }
  const Bounds range = bounds(sum);
  if (is_past(range)) {
    const Bounds in = assumed_bounds(sum);
    if (!is_past(in)) return materialise_wide(sum, in);
  }
  check_integer(std::max(range.high, -range.low));
  return push_sum(sum, range);
}

std::int32_t IndexBuilder::push_sum(const core::Affine& sum, const Bounds& range, bool is_number) {
  Sum operation{.is_number = is_number};
  operation.terms.reserve(sum.terms.size());
  for (const auto& [id, factor] : sum.terms) {
    operation.terms.push_back({id, factor == 1 ? -1 : int_uniform({.base = factor})});
  }
  if (sum.constant != 0) operation.constant = int_uniform({.base = sum.constant});
  Instr instr{std::move(operation), core::Type::i, lane(sum), block_of(sum)};
  Info info{.low = range.low, .high = range.high, .aligned = aligned(sum)};
  info.of = sum;
  return push_index(std::move(instr), std::move(info));
}

core::Affine IndexBuilder::spread(const core::Affine& e) {
  if (is_wide(e)) {
    // Exactly one term has consecutive lanes.
    const auto term = std::find_if(
        e.terms.begin(), e.terms.end(),
        [&](const core::Affine::Term& each) { return kernel_[each.id].lane == Lane::consecutive; });
    const core::Affine first = variable(term->id);
    return e + first * -1 + spread(first);
  }
  const std::int32_t first = materialise(e);
  const Bounds range = bounds(e);
  Instr lanes{Sum{.terms = {{first}}}, core::Type::i, Lane::vector, kernel_[first].block};
  Info info{.low = range.low, .high = range.high + 3};
  info.of.constant = std::numeric_limits<std::int64_t>::min();  // equals no sum
  return variable(push_index(std::move(lanes), std::move(info)));
}

core::Affine IndexBuilder::assume_below(const core::Affine& index, std::int64_t end) {
  const core::Affine sum = normalize(index);
  if (const Bounds range = bounds(sum); is_past(range)) {
    assume(sum, {range.low, end - 1});
    return sum;
  }
  const std::int32_t id = materialise(index);
  auto& high = item(info_, id).high;
  high = std::min(high, end - 1);
  return variable(id);
}

}  // namespace trigon::detail::kernel
