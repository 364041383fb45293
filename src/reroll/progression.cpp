// SPDX-License-Identifier: MIT
#include "reroll/progression.hpp"

#include <bit>
#include <cmath>

#include "entries/entries.hpp"

namespace trigon::detail::reroll {
namespace {

constexpr std::int64_t largest = std::int64_t{1} << 22;

bool is_small(double number) { return std::abs(number) <= static_cast<double>(largest); }

double rounded(double number) { return static_cast<double>(static_cast<float>(number)); }

bool is_exact_on_devices(double number) {
  // Devices may flush denormals to 0.
  return number == 0 || std::isnormal(static_cast<float>(number));
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

std::optional<Progression> Progression::of(DType dtype, double first, double second) {
  if (!is_integer(dtype) && dtype != DType::float32) return std::nullopt;
  const bool whole = is_integer(dtype);
  const Progression found(dtype, whole ? first : rounded(first),
                          whole ? second - first : rounded(rounded(second) - rounded(first)));
  if (!std::isfinite(found.step_) || !found.has(0, first) || !found.has(1, second)) {
    return std::nullopt;
  }
  return found;
}

bool Progression::has(std::int64_t k, double number) const {
  if (k > largest) return false;
  const auto counter = static_cast<double>(k);
  const double product = step_ * counter;
  if (is_integer(dtype_)) {
    return is_small(product) && is_small(number) && start_ + product == number;
  }
  // The device may round the product before the sum, or only the sum.
  const double in_two = rounded(start_ + rounded(product));
  const auto in_one = static_cast<double>(
      std::fma(static_cast<float>(step_), static_cast<float>(counter), static_cast<float>(start_)));
  const double value = start_ == 0 ? rounded(product) : in_two;
  return is_exact_on_devices(product) && is_exact_on_devices(value) &&
         same_bits(value, rounded(number)) && (start_ == 0 || same_bits(in_one, value));
}

std::int32_t Progression::value(ir::GraphBuilder& b, std::int32_t k) const {
  const DType computed = is_integer(dtype_) ? DType::int32 : DType::float32;
  const Shape shape = b[k].shape;
  const auto number = [&](double value) {
    const std::int32_t constant =
        b.add({.kind = ir::Kind::constant, .dtype = computed, .value = value});
    return b.view(constant, {}, shape);
  };
  const auto both = [&](const Op& op, std::int32_t x, double y) {
    const std::int32_t constant = number(y);
    return b.add({.kind = ir::Kind::map,
                  .dtype = computed,
                  .shape = shape,
                  .op = &op,
                  .inputs = {x, constant}});
  };
  std::int32_t value =
      b.add({.kind = ir::Kind::cast, .dtype = computed, .shape = shape, .inputs = {k}});
  if (step_ != 1) value = both(entries::named<"multiply">(), value, step_);
  if (start_ != 0) value = both(entries::named<"add">(), value, start_);
  return b.add({.kind = ir::Kind::cast, .dtype = dtype_, .shape = shape, .inputs = {value}});
}

}  // namespace trigon::detail::reroll
