// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/item.hpp"
#include "core/math.hpp"
#include "kernel/index_builder.hpp"

// Indices past the shader's integers. They are never one number: high * unit + low is compared and
// divided digit by digit, and the integers hold both digits.

namespace trigon::detail::kernel {
namespace {

/// high * unit + low; each factor of `high` is the nearest.
std::pair<core::Affine, core::Affine> digits(const core::Affine& index, std::int64_t unit) {
  core::Affine high, low;
  for (const auto& [id, factor] : index.terms) {
    const std::int64_t nearest = core::floor_div(2 * factor + unit, 2 * unit);
    if (nearest != 0) high.terms.push_back({id, nearest});
    if (factor != nearest * unit) low.terms.push_back({id, factor - nearest * unit});
  }
  high.constant = core::floor_div(index.constant, unit);
  low.constant = index.constant - high.constant * unit;
  return {high, low};
}

}  // namespace

IndexBuilder::Bounds IndexBuilder::bounds(const IntExpr& value) {
  const std::int64_t a = value.base + value.scale * value.low;
  const std::int64_t b = value.base + value.scale * value.high;
  return {std::min(a, b), std::max(a, b)};
}

bool IndexBuilder::is_past(const Bounds& range) const {
  return std::max(range.high, -range.low) > largest_index(target_);
}

/// Whether the number after the end of a range, to which its indices are compared, is past them.
bool IndexBuilder::ends_past(const Bounds& range) const {
  return is_past({range.low, range.high + 1});
}

/// A power of two. The high digits of numbers in that range leave room to add three more of them.
std::int64_t IndexBuilder::unit_of(const Bounds& range) const {
  const std::int64_t size = std::max(range.high, -range.low);
  std::int64_t unit = 4;
  while (size / unit >= core::largest_index(target_) / 4) unit *= 2;
  return unit;
}

std::pair<core::Affine, core::Affine> IndexBuilder::digits_of(const core::Affine& index,
                                                              std::int64_t unit) {
  auto [high, low] = digits(index, unit);
  const Bounds range = bounds(low);
  if (range.high - range.low + unit < core::largest_index(target_)) return {high, low};
  // Terms that are too large for the low digit are split into digits themselves.
  core::Affine rest{{}, low.constant};
  for (const auto& [id, factor] : low.terms) {
    const Info& info = item(info_, id);
    check_integer(info.high - info.low + unit);
    const Split found = split(variable(id), unit);
    high = high + found.quotient * factor;
    rest = rest + found.remainder * factor;
  }
  return {high, rest};
}

IndexBuilder::Split IndexBuilder::split_digits(const core::Affine& index, std::int64_t unit) {
  const auto [high, low] = digits_of(index, unit);
  const Bounds range = bounds(low);
  check_integer(range.high - range.low + unit + 1);
  const Split carry = split(low, unit);
  return {high + carry.quotient, carry.remainder};
}

void IndexBuilder::assume(const core::Affine& index, const Bounds& range) {
  if (!index.terms.empty()) assumptions_.push_back({index, range, scopes_.back()});
}

core::Affine IndexBuilder::scalar_index(const IntExpr& value) {
  const Bounds range = bounds(value);
  if (!is_past(range)) return scalar(value);
  const std::int64_t unit = unit_of(range);
  const auto digit = [&](std::int64_t of, std::int64_t low, std::int64_t high) {
    IntExpr scaled = value;
    scaled.unit = of;
    const Instr instr{IntScalar{int_uniform(scaled)}, core::Type::i};
    return variable(push_index(instr, {.low = low, .high = high}));
  };
  return digit(unit, core::floor_div(range.low, unit), core::floor_div(range.high, unit)) * unit +
         digit(-unit, 0, unit - 1);
}

IndexBuilder::Split IndexBuilder::split_wide(const core::Affine& index, std::int64_t divisor) {
  // Sums of the numbers below fit into 64 bits.
  constexpr std::int64_t most_size = std::int64_t{1} << 60;
  if (const std::int64_t size = bounds(index).high; size > most_size) throw_past(size);
  if (const auto [multiple, rest] = digits(index, divisor); !multiple.terms.empty()) {
    const Split found = split(rest + multiple.constant * divisor, divisor);
    return {multiple + -multiple.constant + found.quotient, found.remainder};
  }
  // Guess n / (d + 1) from the high digits n and d (Knuth's algorithm D). It never exceeds the
  // quotient and is less than 1 + (n + d + 1) / (d (d + 1)) below it.
  const Bounds range = assumed_bounds(index);
  const std::int64_t unit = unit_of(range);
  const std::int64_t leading = divisor / unit;
  if (leading == 0) throw_past(range.high);
  const std::int64_t most = range.high / unit;
  const core::Affine high = split_digits(index, unit).quotient;
  assume(high, {0, most});
  const core::Affine guess = variable(materialise(split(high, leading + 1).quotient));
  const std::int64_t error = unit * core::ceil_div(most + leading + 1, leading);
  const core::Affine rest = index + guess * -divisor;
  assume(rest, {0, divisor + error - 1});
  if (divisor + error <= core::largest_index(target_)) {
    const Split found = split(variable(materialise(rest)), divisor);
    return {guess + found.quotient, found.remainder};
  }
  // For such large divisors, the quotient is the guess or one more.
  if (error > divisor) throw_past(range.high);
  const std::int64_t half = core::ceil_div(divisor, unit);
  const core::Affine sign = split_digits(rest + (half * unit - divisor), unit).quotient;
  assume(sign, {0, 2 * half - 1});
  const core::Affine quotient = guess + split(sign, half).quotient;
  const core::Affine remainder = index + quotient * -divisor;
  assume(remainder, {0, divisor - 1});
  return {quotient, remainder};
}

/// A sum whose terms exceed the integers, while its value, in that range, does not.
std::int32_t IndexBuilder::materialise_wide(const core::Affine& index, const Bounds& range) {
  const std::int64_t unit = unit_of(bounds(index));
  const auto [high, low] = digits_of(index, unit);
  const core::Affine sum = variable(materialise(high)) * unit + variable(materialise(low));
  for (std::size_t k = 0; k < info_.size(); ++k) {
    const auto id = static_cast<std::int32_t>(k);
    const bool is_same = kernel_.code[k].is<Sum>() && info_[k].of == sum;
    if (is_same && holds(id, info_[k].scope)) return id;
  }
  return push_sum(sum, range);
}

std::int32_t IndexBuilder::number_of(const core::Affine& index) {
  core::Affine sum = normalize(index);
  const Bounds range = bounds(sum);
  if (!is_past(range) || !is_past(assumed_bounds(sum))) return materialise(sum);
  const bool is_computed = sum.terms.size() == 1 && sum == variable(sum.terms[0].id);
  if (is_computed) return sum.terms[0].id;
  // Each lane is rounded separately.
  if (lane(sum) == Lane::consecutive) sum = spread(sum);
  const bool is_exact = target_.dialect != core::Dialect::es100;
  if (is_exact && range.high > std::numeric_limits<std::int32_t>::max()) check_integer(range.high);
  const std::int64_t unit = unit_of(range);
  const Split found = split_digits(sum, unit);
  const core::Affine number =
      variable(materialise(found.quotient)) * unit + variable(materialise(found.remainder));
  return push_sum(number, range, true);
}

}  // namespace trigon::detail::kernel
