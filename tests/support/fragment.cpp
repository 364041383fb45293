// SPDX-License-Identifier: MIT
#include "support/fragment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>

#include <trigon/op.hpp>

#include "graph/build.hpp"
#include "kernel/by_operation.hpp"

namespace trigon::support {
namespace {

using core::Type;
using kernel::by_operation;
using kernel::Instr;
using kernel::Lane;

const Elements no_elements{};

std::uint32_t low_bits(double x) {
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(x) & 0xffffffff);
}

/// A list as a value; null is poison.
Number list(const Elements* elements) {
  return {.value = 0, .is_poison = elements == nullptr, .elements = elements};
}

/// The elements of a list by position; empty and false where positions are not 0 ... n - 1.
bool in_order(const Elements* list, std::vector<double>& values) {
  std::vector<const Elements*> open{list}, found;
  while (!open.empty()) {
    const Elements* some = open.back();
    open.pop_back();
    if (some == &no_elements) continue;
    if (some->first == nullptr) {
      found.push_back(some);
      continue;
    }
    open.push_back(some->first);
    open.push_back(some->second);
  }
  values.assign(found.size(), 0);
  std::vector<bool> seen(found.size(), false);
  for (const Elements* one : found) {
    const auto at = static_cast<std::size_t>(one->position);
    if (one->position < 0 || at >= found.size() || seen[at]) return false;
    seen[at] = true;
    values[at] = one->value;
  }
  return true;
}

}  // namespace

Fragment::Fragment(const DrawContext& draw, Quad& quad)
    : draw_(draw),
      quad_(quad),
      registers_(draw.kernel().code.size()),
      stamps_(draw.kernel().code.size(), -1),
      loops_(draw.kernel().blocks.size()) {}

void Fragment::move_to(std::int64_t x, std::int64_t y) {
  x_ = x;
  y_ = y;
  trips_ = 0;
  loops_[0].epoch = ++clock_;
}

const Lanes& Fragment::value(std::int32_t id) {
  const auto k = static_cast<std::size_t>(id);
  const Instr& instr = draw_.kernel().code.at(k);
  const std::int64_t epoch = loops_[static_cast<std::size_t>(instr.block)].epoch;
  if (epoch < 0) throw std::logic_error("a value is read outside of its loop");
  if (stamps_[k] != epoch) {
    registers_[k] = compute(instr);
    stamps_[k] = epoch;
  }
  return registers_[k];
}

Lanes Fragment::compute(const Instr& instr) {
  Lanes result;
  if (instr.is_index() || instr.is<kernel::TexelCoordinate>()) {
    const std::size_t lanes = instr.lane == Lane::vector ? 4 : 1;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const auto* coordinate = instr.as<kernel::TexelCoordinate>();
      result[lane] = coordinate != nullptr ? place(*coordinate, lane) : compute_index(instr, lane);
    }
    return result;
  }
  if (const auto* texels = instr.as<kernel::Load>()) return load(*texels);
  if (const kernel::CarriedValue* one = carried_value(instr)) {
    if (instr.is<kernel::Result>()) run_loop(one->block);
    return item(item(loops_, one->block).carried, one->number);
  }
  for (std::size_t lane = 0; lane < 4; ++lane) result[lane] = lane_value(instr, lane);
  return result;
}

Number Fragment::trips_of(const kernel::Block& block) {
  if (block.runs == kernel::Runs::trips) return index(block.trips, 0);
  const Number mask = value(block.trips)[0];
  if (mask.is_poison) return mask;
  return number((mask.value != 0) == (block.runs == kernel::Runs::if_set) ? 1 : 0);
}

void Fragment::run_loop(std::int32_t number_of_block) {
  const kernel::Block& block = draw_.kernel().blocks[static_cast<std::size_t>(number_of_block)];
  Loop& loop = loops_[static_cast<std::size_t>(number_of_block)];
  const std::int64_t around = loops_[static_cast<std::size_t>(block.parent)].epoch;
  if (loop.done == around) return;
  const Number trips = trips_of(block);
  std::vector<Lanes> carried;
  for (const auto& [before, at_end] : block.carried) carried.push_back(value(before));
  loop.carried = carried;
  if (trips.is_poison) loop.carried.assign(carried.size(), Lanes{});
  for (loop.trip = 0; !trips.is_poison && static_cast<double>(loop.trip) < trips.value;) {
    const bool counts = block.runs == kernel::Runs::trips;
    if (counts && ++trips_ > draw_.step.trips)
      throw std::logic_error("more trips than the step says");
    loop.epoch = ++clock_;
    if (block.goes_on >= 0) {
      const Lanes mask = value(block.goes_on);
      if (std::none_of(mask.begin(), mask.end(),
                       [](const Number& lane) { return lane.value != 0; }))
        break;
    }
    for (std::size_t k = 0; k < carried.size(); ++k) carried[k] = value(block.carried[k][1]);
    loop.carried = carried;
    ++loop.trip;
  }
  loop.epoch = -1;
  loop.done = around;
}

// ---- Indices ------------------------------------------------------------------------------------

Number Fragment::whole(double value) const {
  const auto most = static_cast<double>(core::largest_index(draw_.interpreter.target()));
  return std::abs(value) <= most ? number(value) : Number{};
}

Number Fragment::index(std::int32_t id, std::size_t lane) {
  const Lanes& lanes = value(id);
  if (at(id).lane == Lane::vector) return lanes[lane];
  Number first = lanes[0];
  if (at(id).lane == Lane::consecutive) first.value += static_cast<double>(lane);
  return first;
}

Number Fragment::compute_index(const Instr& instr, std::size_t lane) {
  const auto x = static_cast<double>(x_);
  const auto y = static_cast<double>(y_);
  return by_operation(
      instr, [&](const kernel::FragColumn&) { return number(x); },
      [&](const kernel::FragColumn4& of) { return number(4 * (x - int_of(of.begin))); },
      [&](const kernel::FragRow& of) {
        return number(y - int_of(of.begin) + int_of(of.rows_before));
      },
      [&](const kernel::Counter& of) { return number(trip_of(of.block)); },
      [&](const kernel::Counter4& of) { return number(4 * trip_of(of.block)); },
      [&](const kernel::LaneNumber&) { return number(0); },
      [&](const kernel::QuadColumn&) { return number(std::floor(x / 2)); },
      [&](const kernel::QuadRow&) { return number(std::floor(y / 2)); },
      [&](const kernel::MemberColumn&) { return number(static_cast<double>(x_ & 1)); },
      [&](const kernel::MemberRow&) { return number(static_cast<double>(y_ & 1)); },
      [&](const kernel::OverlayNumber&) { return number(static_cast<double>(draw_.overlay)); },
      [&](const kernel::IntScalar& of) {
        return draw_.is_es100() ? whole(int_of(of.value)) : number(int_of(of.value));
      },
      [&](const kernel::Sum& of) { return affine(of, lane); },
      [&](const kernel::Quotient& of) { return divided(of, lane); },
      [&](const kernel::Remainder& of) {
        const std::size_t own = instr.lane == Lane::vector ? lane : 0;
        const Number a = index(of.dividend, own), q = index(of.quotient, own);
        if (a.is_poison || q.is_poison) return Number{};
        return whole(a.value - q.value * int_of(of.divisor));
      },
      [&](const kernel::ClampIndex& of) { return gathered(of, lane); },
      [&](const kernel::TripsIf& of) {
        const Number count = index(of.trips, 0), limited = index(of.index, 0);
        if (limited.is_poison) return Number{};
        return limited.value < int_of(of.end) ? count : number(0);
      },
      []<class T>(const T&) -> Number requires(!kernel::IndexOperation<T>) {
        throw std::logic_error("an index has no meaning");
      });
}

Number Fragment::affine(const kernel::Sum& of, std::size_t lane) {
  double sum = 0;
  for (const auto& [value, factor] : of.terms) {
    const Number term = index(value, lane);
    if (term.is_poison) return {};
    const double scaled = factor >= 0 ? term.value * int_of(factor) : term.value;
    // A term may pass the largest index where a register holds it.
    if (draw_.is_es100() ? static_cast<float>(scaled) != scaled : std::abs(scaled) > 2147483647)
      return {};
    sum += scaled;
  }
  sum += int_of(of.constant);
  if (!of.is_number) return whole(sum);
  return number(draw_.is_es100() ? static_cast<float>(sum) : sum);
}

Number Fragment::divided(const kernel::Quotient& of, std::size_t lane) {
  constexpr double small = 1048576, floats = 16777216;
  const Number a = index(of.dividend, lane);
  const bool is_exact = !a.is_poison && a.value >= 0 && (!of.is_small || a.value < small) &&
                        (!draw_.is_es100() || a.value < floats);
  return is_exact ? number(std::floor(a.value / int_of(of.divisor))) : Number{};
}

Number Fragment::gathered(const kernel::ClampIndex& of, std::size_t lane) {
  const Number& source = value(of.value)[lane];
  if (!is_usable(source)) return {};
  const Number at = draw_.is_es100() ? whole(source.value) : fitted(source.value, Type::i);
  if (at.is_poison) return {};
  const double size = int_of(of.size);
  return number(std::clamp(at.value < 0 ? at.value + size : at.value, 0.0, size - 1));
}

// ---- Texels -------------------------------------------------------------------------------------

Number Fragment::place(const kernel::TexelCoordinate& of, std::size_t lane) {
  const Number at = index(of.index, lane);
  if (at.is_poison) return {};
  const double texel = of.is_row ? at.value : std::floor(at.value / of.elements_per_texel);
  if (!draw_.kernel().sampled) return number(texel);
  return number((texel + 0.5) * item(draw_.floats, of.inverse));
}

Lanes Fragment::texel(const kernel::Load& of, std::size_t lane) {
  const HostTexture& texture = *item(draw_.inputs, of.input);
  Number x = index(of.x, lane), y = index(of.y, lane);
  const Number layer = of.layer >= 0 ? index(of.layer, lane) : number(0);
  const Number offset = of.encoding >= 0 ? index(of.offset, lane) : number(0);
  if (x.is_poison || y.is_poison || layer.is_poison || offset.is_poison) return {};
  if (draw_.kernel().sampled) {
    x.value = std::floor(x.value * static_cast<double>(texture.pooled_width()));
    y.value = std::floor(y.value * static_cast<double>(texture.pooled_height()));
  }
  if (!texture.contains(x.value, y.value, layer.value)) return {};
  const auto at = [](const Number& one) { return static_cast<std::int64_t>(one.value); };
  return texture.at(at(x), at(y), at(layer), at(offset) / 4 % texture.groups());
}

Number Fragment::component(const kernel::Load& of, std::size_t lane) {
  const Lanes found = texel(of, lane);
  if (of.component >= 0) return item(found, of.component);
  const Number offset = index(of.offset, lane);
  if (offset.is_poison) return {};
  return found[static_cast<std::size_t>(static_cast<std::int64_t>(offset.value) & 3)];
}

Lanes Fragment::load(const kernel::Load& of) {
  switch (of.fetch) {
    case kernel::Fetch::row: return texel(of, 0);
    case kernel::Fetch::splat: {
      const Number one = component(of, 0);
      return {one, one, one, one};
    }
    default: return {component(of, 0), component(of, 1), component(of, 2), component(of, 3)};
  }
}

// ---- Values -------------------------------------------------------------------------------------

Number Fragment::lane_value(const Instr& instr, std::size_t lane) {
  return by_operation(
      instr, [&](const kernel::Uniform& of) { return number(item(draw_.floats, of.value)); },
      [&](const kernel::Table& of) { return table(of, instr.type); },
      [&](const kernel::IndexValue& of) {
        const Number at = index(of.index, lane);
        return at.is_poison || instr.type == Type::f ? at : fitted(at.value, instr.type);
      },
      [&](const kernel::Inside& of) {
        const Number at = index(of.index, instr.lane == Lane::uniform ? 0 : lane);
        if (at.is_poison) return Number{};
        const bool low = !of.from_zero || at.value >= 0;
        return number(low && (of.end < 0 || at.value < int_of(of.end)) ? 1 : 0);
      },
      [&](const kernel::IsZero& of) {
        const Number at = index(of.index, instr.lane == Lane::uniform ? 0 : lane);
        return at.is_poison ? Number{} : number(at.value == 0 ? 1 : 0);
      },
      [&](const kernel::Select& of) {
        const Number& mask = value(of.mask)[lane];
        if (!is_usable(mask)) return Number{};
        return value(mask.value != 0 ? of.yes : of.no)[lane];
      },
      [&](const kernel::Apply& of) { return apply(of, instr.type, lane); },
      [&](const kernel::Both& of) {
        // Masks are 0 or 1.
        for (const kernel::Operand one : {of.a, of.b}) {
          const Number& mask = value(one)[lane];
          if (is_usable(mask) && mask.value == 0) return number(0);
        }
        return is_usable(value(of.a)[lane]) ? value(of.b)[lane] : Number{};
      },
      [&](const kernel::Convert& of) { return converted(of, instr.type, lane); },
      [&](const kernel::Product& of) { return product(of, lane); },
      [&](const kernel::Exchange& of) { return exchanged(of, lane); },
      [&](const kernel::Neighbour& of) { return other_of(of.pair).value(of.value)[lane]; },
      [&](const kernel::Lift& of) { return reduced(of, lane); },
      [&](const kernel::Combine& of) { return reduced(of, lane); },
      [&](const kernel::Finish& of) { return list(tuple(of.accumulators, lane)); },
      [&](const kernel::Extract& of) { return extracted(of, instr.type, lane); },
      [&](const auto&) { return moved(instr, lane); });
}

Number Fragment::table(const kernel::Table& of, Type type) {
  const Number at = index(of.index, 0);
  const double index = of.first + at.value;
  if (at.is_poison || at.value < 0 || index > of.last) return {};
  const auto uniform = static_cast<std::size_t>(index);
  if (type == Type::f) return number(draw_.floats[uniform]);
  return fitted(static_cast<double>(draw_.ints[uniform]), type);
}

/// The value that an operation on lanes puts into `lane`.
Number Fragment::moved(const Instr& instr, std::size_t lane) {
  return by_operation(
      instr,
      [&](const kernel::Reorder& of) {
        static constexpr std::array<std::array<std::size_t, 4>, 6> orders{
            {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}}};
        return value(of.value)[item(orders, of.order)[lane]];
      },
      [&](const kernel::Pack& of) {
        return of.values[lane] >= 0 ? value(of.values[lane])[0] : number(0);
      },
      [&](const kernel::Column& of) { return item(value(of.texels[lane]), of.lane); },
      [&](const kernel::Shift& of) {
        const std::size_t at = lane + static_cast<std::size_t>(of.by);
        return at < 4 ? value(of.low)[at] : value(of.high)[at - 4];
      },
      [&](const kernel::Keep& of) {
        const Number& mask = item(value(of.mask), of.lane);
        if (!is_usable(mask)) return Number{};
        return mask.value != 0 ? value(of.value)[lane] : number(0);
      },
      [](const auto&) -> Number { throw std::logic_error("an instruction has no meaning"); });
}

Number Fragment::apply(const kernel::Apply& of, Type type, std::size_t lane) {
  const Op& op = op_of(of.op);
  const auto arg = [&](std::size_t k) -> const Number& { return value(of.operands[k])[lane]; };
  if (op.family == Family::ternary && op.ternary().condition_first) {
    if (!is_usable(arg(0))) return {};
    return arg(0).value != 0 ? arg(1) : arg(2);
  }
  std::array<double, 3> x{};
  for (std::size_t k = 0; k < of.count(); ++k) {
    if (!is_usable(arg(k))) return {};
    x[k] = arg(k).value;
  }
  const bool by_bits = type != Type::f;
  switch (op.family) {
    case Family::unary: {
      const UnarySpec& spec = op.unary();
      return fitted(by_bits && spec.ref_bits != nullptr ? spec.ref_bits(low_bits(x[0]))
                                                        : spec.ref.get()(x[0]),
                    type);
    }
    case Family::binary: {
      const BinarySpec& spec = op.binary();
      return fitted(by_bits && spec.ref_bits != nullptr
                        ? spec.ref_bits(low_bits(x[0]), low_bits(x[1]))
                        : spec.ref.get()(x[0], x[1]),
                    type);
    }
    default: return fitted(op.ternary().ref.get()(x[0], x[1], x[2]), type);
  }
}

Number Fragment::converted(const kernel::Convert& of, Type type, std::size_t lane) {
  const Number& x = value(of.value)[lane];
  if (!is_usable(x)) return {};
  const Type from = at(of.value).type;
  switch (of.how) {
    case kernel::Conversion::truth: return number(x.value != 0 ? 1 : 0);
    case kernel::Conversion::half: return number(graph::round_to_half(x.value));
    case kernel::Conversion::truncate:
      return number(std::isfinite(x.value) ? std::trunc(x.value) : 0);
    case kernel::Conversion::word: return number(low_bits(x.value));
    case kernel::Conversion::byte: return number(low_bits(x.value) & 255U);
    case kernel::Conversion::wrap: return fitted(x.value, Type::u);
    default: break;
  }
  if (type == Type::f) return number(from == Type::f ? x.value : static_cast<float>(x.value));
  if (from != Type::f) return fitted(x.value, type);
  // GLSL does not define the conversion of a float out of range.
  const double low = type == Type::u ? -1 : -2147483649.0;
  const double high = type == Type::u ? 4294967296.0 : 2147483648.0;
  return x.value > low && x.value < high ? fitted(x.value, type) : Number{};
}

Number Fragment::product(const kernel::Product& of, std::size_t lane) {
  const Number& sum = value(of.sum)[lane];
  if (!is_usable(sum)) return {};
  double total = sum.value;
  const Lanes& left = value(of.left);
  for (std::size_t k = 0; k < 4; ++k) {
    const bool by_rows = of.form == kernel::Product::Form::rows;
    const Number& right = by_rows ? value(of.right[k])[lane] : value(of.right[lane])[k];
    if (!is_usable(left[k]) || !is_usable(right)) return {};
    total += left[k].value * right.value;
  }
  return number(total);
}

Number Fragment::exchanged(const kernel::Exchange& of, std::size_t lane) {
  const bool is_second = ((of.pair == kernel::Pair::horizontal ? x_ : y_) & 1) == 1;
  const kernel::Operand sum = is_second ? of.second : of.first;
  const Number& own = value(sum)[lane];
  const Number& others = other_of(of.pair).value(sum)[lane];
  return is_usable(own) && is_usable(others) ? number(own.value + others.value) : Number{};
}

// ---- Reductions ---------------------------------------------------------------------------------

/// The list of a tuple of accumulators; null where they do not belong together.
const Elements* Fragment::tuple(std::span<const kernel::Operand> accumulators, std::size_t lane) {
  const Elements* list = nullptr;
  for (std::size_t k = 0; k < accumulators.size(); ++k) {
    const Number& one = value(accumulators[k])[lane];
    if (one.is_poison || one.elements == nullptr || one.value != static_cast<double>(k)) {
      return nullptr;
    }
    if (k > 0 && one.elements != list) return nullptr;
    list = one.elements;
  }
  return list;
}

Number Fragment::reduced(const kernel::Lift& of, std::size_t lane) {
  if (of.value < 0) return list(&no_elements);
  const Number& x = value(of.value)[lane];
  const Number& position = value(of.position)[lane];
  if (!is_usable(x) || !is_usable(position)) return {};
  return list(draw_.interpreter.keep({.position = position.value, .value = x.value}));
}

Number Fragment::reduced(const kernel::Combine& of, std::size_t lane) {
  const std::span<const kernel::Operand> both = of.accumulators;
  const Elements* a = tuple(both.first(both.size() / 2), lane);
  const Elements* b = tuple(both.last(both.size() / 2), lane);
  if (a == nullptr || b == nullptr) return {};
  if (a == &no_elements) return list(b);
  if (b == &no_elements) return list(a);
  return list(draw_.interpreter.keep({.first = a, .second = b}));
}

/// A result of one of the library's own kernels.
Number Fragment::called(const kernel::Call& call, const kernel::Extract& extract, Type type,
                        std::size_t lane) {
  const KernelSpec& spec = op_of(call.op).kernel();
  if (spec.is_of_user()) throw std::logic_error("a kernel of a user has no reference");
  std::vector<double> inputs, outputs(spec.outputs.size());
  for (const kernel::Operand id : call.arguments) {
    const Number& one = value(id)[lane];
    if (!is_usable(one)) return {};
    inputs.push_back(one.value);
  }
  spec.ref(inputs, outputs);
  return fitted(item(outputs, extract.number), type);
}

Number Fragment::extracted(const kernel::Extract& of, Type type, std::size_t lane) {
  const Instr& source = at(of.tuple);
  if (const auto* call = source.as<kernel::Call>()) return called(*call, of, type, lane);
  Number result = value(of.tuple)[lane];
  if (result.is_poison) return {};
  const auto* finish = source.as<kernel::Finish>();
  if (finish == nullptr) {
    result.value = of.number;
    return result;
  }
  const ReduceSpec& spec = op_of(finish->op).reduce();
  std::vector<double> values;
  if (!in_order(result.elements, values)) return {};
  if (spec.ref_bits != nullptr && source.type != Type::f) {
    std::vector<std::uint32_t> bits(values.size());
    std::transform(values.begin(), values.end(), bits.begin(), low_bits);
    return fitted(spec.ref_bits(bits), source.type);
  }
  std::array<double, 4> outputs{};
  spec.ref.get()(values, outputs.data());
  return fitted(item(outputs, of.number), source.type);
}

}  // namespace trigon::support
