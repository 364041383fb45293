// SPDX-License-Identifier: MIT
#include "support/fragment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>

#include <trigon/op.hpp>

#include "graph/build.hpp"

namespace trigon::support {
namespace {

using core::Type;
using kernel::Code;
using kernel::Instr;
using kernel::Lane;

const Elements no_elements{};

std::uint32_t low_bits(double x) {
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(x) & 0xffffffff);
}

/// The elements of a list by position; empty and false where positions are not 0 ... n - 1.
bool in_order(const Elements* list, std::vector<double>& values) {
  std::vector<const Elements*> open{list}, found;
  while (!open.empty()) {
    const Elements* part = open.back();
    open.pop_back();
    if (part == &no_elements) continue;
    if (part->first == nullptr) {
      found.push_back(part);
      continue;
    }
    open.push_back(part->first);
    open.push_back(part->second);
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
  if (instr.code <= kernel::last_index_code || instr.code == Code::texel_coordinate) {
    const bool is_vector = instr.lane == Lane::vector;
    for (std::size_t lane = 0; lane < (is_vector ? 4U : 1U); ++lane) {
      result[lane] = instr.code == Code::texel_coordinate ? place(instr, lane)
                                                          : compute_index(instr, lane, is_vector);
    }
    return result;
  }
  if (instr.code == Code::load) return load(instr);
  if (instr.code == Code::carried || instr.code == Code::result) {
    if (instr.code == Code::result) run_loop(instr.inner);
    return loops_[static_cast<std::size_t>(instr.inner)]
        .carried[static_cast<std::size_t>(instr.mode)];
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

Number Fragment::compute_index(const Instr& instr, std::size_t lane, bool is_vector) {
  const auto x = static_cast<double>(x_);
  const auto y = static_cast<double>(y_);
  const auto trip = [&] {
    return static_cast<double>(loops_[static_cast<std::size_t>(instr.inner)].trip);
  };
  switch (instr.code) {
    case Code::frag_x: return number(instr.mode == 1 ? x - int_of(instr) : x);
    case Code::frag_x4: return number(4 * (instr.mode == 1 ? x - int_of(instr) : x));
    case Code::frag_y:
      return number(instr.mode == 0 ? y : instr.mode == 1 ? y - int_of(instr) : y + int_of(instr));
    case Code::counter: return number(trip());
    case Code::counter4: return number(4 * trip());
    case Code::lanes: return number(0);
    case Code::pair_x: return number(std::floor(x / 2));
    case Code::pair_y: return number(std::floor(y / 2));
    case Code::member_x: return number(static_cast<double>(x_ & 1));
    case Code::member_y: return number(static_cast<double>(y_ & 1));
    case Code::part: return number(static_cast<double>(draw_.part));
    case Code::scalar: return draw_.is_es100() ? whole(int_of(instr)) : number(int_of(instr));
    case Code::affine: return affine(instr, lane);
    case Code::quotient: return divided(instr, lane);
    case Code::remainder: {
      const Number a = index(instr.args[0], is_vector ? lane : 0);
      const Number q = index(instr.args[1], is_vector ? lane : 0);
      return a.is_poison || q.is_poison ? Number{} : whole(a.value - q.value * int_of(instr));
    }
    case Code::clamp_index: return gathered(instr, lane);
    default: {
      const Number count = index(instr.args[0], 0);
      const Number limited = index(instr.args[1], 0);
      if (limited.is_poison) return {};
      return limited.value < int_of(instr) ? count : number(0);
    }
  }
}

Number Fragment::affine(const Instr& instr, std::size_t lane) {
  double sum = 0;
  for (std::size_t k = 0; k < instr.args.size(); ++k) {
    const Number term = index(instr.args[k], lane);
    if (term.is_poison) return {};
    const double scaled = instr.ints[k] >= 0 ? term.value * int_of(instr, k) : term.value;
    // A term may pass the largest index where a register holds it.
    if (draw_.is_es100() ? static_cast<float>(scaled) != scaled : std::abs(scaled) > 2147483647)
      return {};
    sum += scaled;
  }
  if (instr.ints.back() >= 0) sum += int_of(instr, instr.ints.size() - 1);
  if (instr.mode == 0) return whole(sum);
  return number(draw_.is_es100() ? static_cast<float>(sum) : sum);
}

Number Fragment::divided(const Instr& instr, std::size_t lane) {
  constexpr double small = 1048576, floats = 16777216;
  const Number a = index(instr.args[0], lane);
  const bool is_exact = !a.is_poison && a.value >= 0 && (instr.mode != 1 || a.value < small) &&
                        (!draw_.is_es100() || a.value < floats);
  return is_exact ? number(std::floor(a.value / int_of(instr))) : Number{};
}

Number Fragment::gathered(const Instr& instr, std::size_t lane) {
  const Number& source = value(instr.args[0])[lane];
  if (!is_usable(source)) return {};
  const Number at = draw_.is_es100() ? whole(source.value) : fitted(source.value, Type::i);
  if (at.is_poison) return {};
  const double size = int_of(instr);
  return number(std::clamp(at.value < 0 ? at.value + size : at.value, 0.0, size - 1));
}

// ---- Texels -------------------------------------------------------------------------------------

Number Fragment::place(const Instr& instr, std::size_t lane) {
  const Number at = index(instr.args[0], lane);
  if (at.is_poison) return {};
  const double texel = instr.mode == 0 ? std::floor(at.value / 4) : at.value;
  if (!draw_.kernel().sampled) return number(texel);
  return number((texel + 0.5) * draw_.floats[static_cast<std::size_t>(instr.ints[0])]);
}

Lanes Fragment::texel(const Instr& instr, std::size_t lane) {
  const HostTexture& texture = *draw_.inputs[static_cast<std::size_t>(instr.input)];
  Number x = index(instr.args[0], lane);
  Number y = index(instr.args[1], lane);
  const Number layer = instr.args[2] >= 0 ? index(instr.args[2], lane) : number(0);
  if (x.is_poison || y.is_poison || layer.is_poison) return {};
  if (draw_.kernel().sampled) {
    x.value = std::floor(x.value * static_cast<double>(texture.pooled_width()));
    y.value = std::floor(y.value * static_cast<double>(texture.pooled_height()));
  }
  if (!texture.contains(x.value, y.value, layer.value)) return {};
  return texture.at(static_cast<std::int64_t>(x.value), static_cast<std::int64_t>(y.value),
                    static_cast<std::int64_t>(layer.value));
}

Number Fragment::component(const Instr& instr, std::size_t lane) {
  const Lanes found = texel(instr, lane);
  if (instr.component >= 0) return found[static_cast<std::size_t>(instr.component)];
  const Number offset = index(instr.args[3], lane);
  if (offset.is_poison) return {};
  return found[static_cast<std::size_t>(static_cast<std::int64_t>(offset.value) & 3)];
}

Lanes Fragment::load(const Instr& instr) {
  switch (static_cast<kernel::Fetch>(instr.mode)) {
    case kernel::Fetch::row: return texel(instr, 0);
    case kernel::Fetch::splat: {
      const Number one = component(instr, 0);
      return {one, one, one, one};
    }
    default:
      return {component(instr, 0), component(instr, 1), component(instr, 2), component(instr, 3)};
  }
}

// ---- Values -------------------------------------------------------------------------------------

Number Fragment::lane_value(const Instr& instr, std::size_t lane) {
  const auto arg = [&](std::size_t k) -> const Number& { return value(instr.args[k])[lane]; };
  switch (instr.code) {
    case Code::uniform: return number(draw_.floats[static_cast<std::size_t>(instr.ints[0])]);
    case Code::table: {
      const Number at = index(instr.args[0], 0);
      const double slot = instr.ints[0] + at.value;
      if (at.is_poison || at.value < 0 || slot > instr.ints[1]) return {};
      const auto uniform = static_cast<std::size_t>(slot);
      if (instr.type == Type::f) return number(draw_.floats[uniform]);
      return fitted(static_cast<double>(draw_.ints[uniform]), instr.type);
    }
    case Code::index: {
      const Number at = index(instr.args[0], lane);
      if (at.is_poison || instr.type == Type::f) return at;
      return fitted(at.value, instr.type);
    }
    case Code::inside: return inside(instr, lane);
    case Code::select: {
      if (!is_usable(arg(0))) return {};
      return arg(0).value != 0 ? arg(1) : arg(2);
    }
    case Code::apply: return apply(instr, lane);
    case Code::both: {
      // Masks are 0 or 1, whatever they were made from.
      for (std::size_t k = 0; k < 2; ++k) {
        if (is_usable(arg(k)) && arg(k).value == 0) return number(0);
      }
      return is_usable(arg(0)) ? arg(1) : Number{};
    }
    case Code::convert: return converted(instr, arg(0));
    case Code::rows:
    case Code::dots: return product(instr, lane);
    case Code::exchange: return exchanged(instr, lane);
    case Code::neighbour: return neighbours(instr, lane);
    case Code::lift:
    case Code::combine:
    case Code::finish: return reduced(instr, lane);
    case Code::extract: return extracted(instr, lane);
    default: return moved(instr, lane);
  }
}

/// Lanes that go elsewhere.
Number Fragment::moved(const Instr& instr, std::size_t lane) {
  const auto mode = static_cast<std::size_t>(instr.mode);
  switch (instr.code) {
    case Code::swizzle: {
      static constexpr std::array<std::array<std::size_t, 4>, 6> orders{
          {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}}};
      return value(instr.args[0])[orders[mode][lane]];
    }
    case Code::pack: return lane < instr.args.size() ? value(instr.args[lane])[0] : number(0);
    case Code::column: return value(instr.args[lane])[mode];
    case Code::shift:
      return lane + mode < 4 ? value(instr.args[0])[lane + mode]
                             : value(instr.args[1])[lane + mode - 4];
    case Code::keep: {
      const Number& mask = value(instr.args[0])[mode];
      if (!is_usable(mask)) return {};
      return mask.value != 0 ? value(instr.args[1])[lane] : number(0);
    }
    default: throw std::logic_error("an instruction has no meaning");
  }
}

Number Fragment::inside(const Instr& instr, std::size_t lane) {
  const Number at = index(instr.args[0], instr.lane == Lane::uniform ? 0 : lane);
  if (at.is_poison) return {};
  bool holds = true;
  if ((instr.mode & 1) != 0) holds = holds && at.value >= 0;
  if ((instr.mode & 2) != 0) holds = holds && at.value < int_of(instr);
  if ((instr.mode & 4) != 0) holds = holds && at.value == 0;
  return number(holds ? 1 : 0);
}

Number Fragment::apply(const Instr& instr, std::size_t lane) {
  const Op& op = op_of(instr.op);
  const auto arg = [&](std::size_t k) -> const Number& { return value(instr.args[k])[lane]; };
  if (op.family == Family::ternary && op.ternary().condition_first) {
    if (!is_usable(arg(0))) return {};
    return arg(0).value != 0 ? arg(1) : arg(2);
  }
  std::array<double, 3> x{};
  for (std::size_t k = 0; k < instr.args.size(); ++k) {
    if (!is_usable(arg(k))) return {};
    x[k] = arg(k).value;
  }
  const bool by_bits = instr.type != Type::f;
  switch (op.family) {
    case Family::unary: {
      const UnarySpec& spec = op.unary();
      return fitted(by_bits && spec.ref_bits != nullptr ? spec.ref_bits(low_bits(x[0]))
                                                        : spec.ref.get()(x[0]),
                    instr.type);
    }
    case Family::binary: {
      const BinarySpec& spec = op.binary();
      return fitted(by_bits && spec.ref_bits != nullptr
                        ? spec.ref_bits(low_bits(x[0]), low_bits(x[1]))
                        : spec.ref.get()(x[0], x[1]),
                    instr.type);
    }
    default: return fitted(op.ternary().ref.get()(x[0], x[1], x[2]), instr.type);
  }
}

Number Fragment::converted(const Instr& instr, const Number& x) const {
  if (!is_usable(x)) return {};
  const Type from = at(instr.args[0]).type;
  switch (static_cast<kernel::Conversion>(instr.mode)) {
    case kernel::Conversion::truth: return number(x.value != 0 ? 1 : 0);
    case kernel::Conversion::half: return number(graph::round_to_half(x.value));
    case kernel::Conversion::truncate:
      return number(std::isfinite(x.value) ? std::trunc(x.value) : 0);
    case kernel::Conversion::word: return number(low_bits(x.value));
    case kernel::Conversion::byte: return number(low_bits(x.value) & 255U);
    case kernel::Conversion::wrap: return fitted(x.value, Type::u);
    default: break;
  }
  if (instr.type == Type::f) return number(from == Type::f ? x.value : static_cast<float>(x.value));
  if (from != Type::f) return fitted(x.value, instr.type);
  // GLSL leaves open what a float out of range becomes.
  const double low = instr.type == Type::u ? -1 : -2147483649.0;
  const double high = instr.type == Type::u ? 4294967296.0 : 2147483648.0;
  return x.value > low && x.value < high ? fitted(x.value, instr.type) : Number{};
}

Number Fragment::product(const Instr& instr, std::size_t lane) {
  const Number& sum = value(instr.args[0])[lane];
  if (!is_usable(sum)) return {};
  double total = sum.value;
  const Lanes& left = value(instr.args[1]);
  for (std::size_t k = 0; k < 4; ++k) {
    const Number& right =
        instr.code == Code::rows ? value(instr.args[2 + k])[lane] : value(instr.args[2 + lane])[k];
    if (!is_usable(left[k]) || !is_usable(right)) return {};
    total += left[k].value * right.value;
  }
  return number(total);
}

Number Fragment::neighbours(const Instr& instr, std::size_t lane) {
  Fragment& other = instr.mode == 0 ? quad_.at(x_ ^ 1, y_) : quad_.at(x_, y_ ^ 1);
  return other.value(instr.args[0])[lane];
}

Number Fragment::exchanged(const Instr& instr, std::size_t lane) {
  const bool along_x = instr.mode == 0;
  const bool is_second = ((along_x ? x_ : y_) & 1) == 1;
  const std::int32_t sum = instr.args[is_second ? 1 : 0];
  Fragment& other = along_x ? quad_.at(x_ ^ 1, y_) : quad_.at(x_, y_ ^ 1);
  const Number& own = value(sum)[lane];
  const Number& others = other.value(sum)[lane];
  return is_usable(own) && is_usable(others) ? number(own.value + others.value) : Number{};
}

// ---- Reductions ---------------------------------------------------------------------------------

/// The list of a tuple of accumulators; null where they do not belong together.
const Elements* Fragment::tuple(const Instr& instr, std::size_t first, std::size_t count,
                                std::size_t lane) {
  const Elements* list = nullptr;
  for (std::size_t k = 0; k < count; ++k) {
    const Number& one = value(instr.args[first + k])[lane];
    if (one.is_poison || one.elements == nullptr || one.value != static_cast<double>(k)) {
      return nullptr;
    }
    if (k > 0 && one.elements != list) return nullptr;
    list = one.elements;
  }
  return list;
}

Number Fragment::reduced(const Instr& instr, std::size_t lane) {
  const auto list = [](const Elements* elements) {
    return Number{.value = 0, .is_poison = elements == nullptr, .elements = elements};
  };
  const auto count = static_cast<std::size_t>(op_of(instr.op).reduce().accumulators.get());
  if (instr.code == Code::finish) return list(tuple(instr, 0, count, lane));
  if (instr.code == Code::combine) {
    const Elements* a = tuple(instr, 0, count, lane);
    const Elements* b = tuple(instr, count, count, lane);
    if (a == nullptr || b == nullptr) return {};
    if (a == &no_elements) return list(b);
    if (b == &no_elements) return list(a);
    return list(draw_.interpreter.keep({.first = a, .second = b}));
  }
  if (instr.args.empty()) return list(&no_elements);
  const Number& x = value(instr.args[0])[lane];
  const Number& position = value(instr.args[1])[lane];
  if (!is_usable(x) || !is_usable(position)) return {};
  return list(draw_.interpreter.keep({.position = position.value, .value = x.value}));
}

/// A result of one of the library's own kernels.
Number Fragment::called(const Instr& call, const Instr& extract, std::size_t lane) {
  const KernelSpec& spec = op_of(call.op).kernel();
  if (spec.is_of_user()) throw std::logic_error("a kernel of a user has no reference");
  std::vector<double> inputs, outputs(spec.outputs.size());
  for (const std::int32_t id : call.args) {
    const Number& one = value(id)[lane];
    if (!is_usable(one)) return {};
    inputs.push_back(one.value);
  }
  spec.ref(inputs, outputs);
  return fitted(outputs[static_cast<std::size_t>(extract.mode)], extract.type);
}

Number Fragment::extracted(const Instr& instr, std::size_t lane) {
  const Instr& source = at(instr.args[0]);
  if (source.code == Code::call) return called(source, instr, lane);
  Number result = value(instr.args[0])[lane];
  if (result.is_poison) return {};
  if (source.code != Code::finish) {
    result.value = instr.mode;
    return result;
  }
  const ReduceSpec& spec = op_of(source.op).reduce();
  std::vector<double> values;
  if (!in_order(result.elements, values)) return {};
  if (spec.ref_bits != nullptr && source.type != Type::f) {
    std::vector<std::uint32_t> bits(values.size());
    std::transform(values.begin(), values.end(), bits.begin(), low_bits);
    return fitted(spec.ref_bits(bits), source.type);
  }
  std::array<double, 4> outputs{};
  spec.ref.get()(values, outputs.data());
  return fitted(outputs[static_cast<std::size_t>(instr.mode)], source.type);
}

}  // namespace trigon::support
