// SPDX-License-Identifier: MIT
#include "lower/values.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/called.hpp"
#include "core/hash.hpp"
#include "core/item.hpp"
#include "entries/entries.hpp"

namespace trigon::detail::lower {
namespace {

[[noreturn]] void throw_not_exact(double value) {
  core::fail_on_device("eval",
                       "integer is not exact on the device: {:.0f}; profile webgl1 computes with "
                       "floats, so integers must be in [-16777216, 16777216]",
                       value);
}

}  // namespace

std::size_t Values::Hash::operator()(const Key& key) const {
  std::uint64_t seed = static_cast<std::uint64_t>(key.entry);
  for (const core::Affine& index : key.index) {
    seed = core::mix(seed, static_cast<std::uint64_t>(index.constant));
    for (const auto& [id, factor] : index.terms) {
      seed = core::mix(core::mix(seed, static_cast<std::uint64_t>(id)),
                       static_cast<std::uint64_t>(factor));
    }
  }
  return seed;
}

const Place& place_of(const Scene& scene, const Copies& copies, std::int32_t entry) {
  for (const auto& [copied, place] : copies) {
    if (copied == entry) return place;
  }
  return scene.place(entry);
}

/// The scalar as a start in [0, high] along an axis of `size` elements.
core::Affine Values::scalar(std::int64_t number, std::int64_t high, std::int64_t size) {
  const auto [at, fresh] = scalars_.try_emplace({number, high, size});
  if (fresh) {
    at->second = b_.scalar_index(
        {.scalar = static_cast<std::int32_t>(number), .low = 0, .high = high, .size = size});
  }
  return at->second;
}

/// The number of finished trips, at most `high`.
core::Affine Values::trip(std::int64_t high) {
  const core::Affine& trip = inside_.trip;
  return b_.bounds(trip).high <= high ? trip : b_.assume_below(trip, high + 1);
}

void Values::through_view(const ir::Graph::Entry& entry, core::Indices& index) {
  const Shape& source = scene_.at(entry.inputs[0]).shape;
  if (entry.kind == ir::Kind::reshape) {
    index = b_.unravel(core::linear(entry.shape, index), {source.begin(), source.end()});
    return;
  }
  core::Indices moved(entry.view.size());
  for (std::size_t k = 0; k < moved.size(); ++k) {
    const ir::ViewAxis& axis = entry.view[k];
    core::Affine& sum = moved[k];
    for (std::size_t o = 0; o < index.size(); ++o) {
      sum.add(index[o], axis.factors[o]);
    }
    for (const auto& [number, factor, high, size] : axis.terms) {
      const bool is_trip = number == ir::ViewAxis::Term::iteration;
      sum.add(is_trip ? trip(high) : scalar(number, high, size), factor);
    }
    sum.constant += axis.start;
  }
  index = std::move(moved);
}

void Values::through_take(const ir::Graph::Entry& entry, core::Indices& index) {
  const int axis = entry.as<core::TakeAttrs>().axis;
  const auto rank = static_cast<std::ptrdiff_t>(scene_.at(entry.inputs[1]).shape.rank());
  const auto first = index.begin() + axis;
  core::Indices where(first, first + rank);
  const std::int32_t row = value(entry.inputs[1], std::move(where));
  const std::int64_t size = scene_.at(entry.inputs[0]).shape[axis];
  index.erase(first, first + rank);
  index.insert(index.begin() + axis, b_.clamp_index(row, size));
}

void Values::through_take_along(const ir::Graph::Entry& entry, core::Indices& index) {
  const int axis = entry.as<core::TakeAttrs>().axis;
  const std::int32_t row = value(entry.inputs[1], index);
  item(index, axis) = b_.clamp_index(row, scene_.at(entry.inputs[0]).shape[axis]);
}

std::int32_t Values::value(std::int32_t entry, core::Indices index) {
  if (const auto at = fixed_.find(entry); at != fixed_.end()) return at->second;
  // Stop once the kernel is too large: entries read at many indices can lead to too many others.
  if (b_.is_too_large()) return typed_constant(0, scene_.at(entry).dtype);
  Key key{entry, index};
  if (const auto at = known_.find(key); at != known_.end()) {
    const auto [id, scope] = at->second;
    if (b_.holds(id, scope)) return id;
  }
  const std::int32_t id = compute(entry, index);
  known_.insert_or_assign(std::move(key), Known<std::int32_t>{id, b_.scope()});
  return id;
}

std::int32_t Values::loaded(const ir::Graph::Entry& entry, const Place& place,
                            const core::Indices& index) {
  core::Affine e;
  for (std::size_t k = 0; k < index.size(); ++k) {
    if (entry.shape[static_cast<int>(k)] != 1) e.add(index[k], place.layout.strides[k]);
  }
  const std::int32_t id = b_.load(b_.input(place.slot, place.layout), place.layout, e);
  const core::Type type = core::register_type(b_.target(), entry.dtype);
  return b_.type(id) == type ? id : b_.convert(id, type);
}

std::int32_t Values::compute(std::int32_t number_of_entry, core::Indices& index) {
  std::int32_t at = number_of_entry;
  for (;;) {
    if (const auto known = fixed_.find(at); known != fixed_.end()) return known->second;
    const ir::Graph::Entry& entry = scene_.at(at);
    if (const Place& place = place_of(scene_, copies_, at); place.slot >= 0)
      return loaded(entry, place, index);
    if (entry.kind == ir::Kind::output && inside_.loop) return inside_.loop(entry, index);
    switch (entry.kind) {
      case ir::Kind::constant:
      case ir::Kind::scalar: return number(entry);
      case ir::Kind::iota: return index_value(index[0], entry.dtype);
      case ir::Kind::table: return table(entry, index[0]);
      case ir::Kind::map: {
        const int side = side_of(scene_, at);
        if (side == 0) return map(entry, index);
        const std::int32_t id = value(item(entry.inputs, side), index);
        const core::Type type = core::register_type(b_.target(), entry.dtype);
        return b_.type(id) == type ? id : b_.convert(id, type);
      }
      case ir::Kind::kernel: return kernel(entry, index);
      case ir::Kind::cast: {
        const std::int32_t x = value(entry.inputs[0], index);
        const bool rounds = entry.attrs == ir::Attrs(core::CastAttrs{.rounds = true});
        return cast(x, rounds ? DType::float32 : scene_.at(entry.inputs[0]).dtype, entry.dtype);
      }
      case ir::Kind::pad: return pad(entry, index);
      case ir::Kind::write: return write(entry, index);
      case ir::Kind::reduce: return reduction(at, index);
      case ir::Kind::contract: return product(entry, index);
      case ir::Kind::parameter: return inside_.parameter(entry, index);
      case ir::Kind::take: through_take(entry, index); break;
      case ir::Kind::take_along: through_take_along(entry, index); break;
      case ir::Kind::view:
      case ir::Kind::reshape: through_view(entry, index); break;
      default: throw std::logic_error("trigon::lower: a kernel reads what no kernel stored");
    }
    at = entry.inputs[0];
  }
}

/// A product in a loop's body, term by term.
std::int32_t Values::product(const ir::Graph::Entry& entry, const core::Indices& index) {
  const core::Type type = core::register_type(b_.target(), entry.dtype);
  const auto apply = [&](const Op& op, std::int32_t a, std::int32_t b) {
    return b_.apply(op, type, {a, b});
  };
  std::int32_t sum = -1;
  const std::int64_t count = scene_.at(entry.inputs[0]).shape.back();
  for (std::int64_t k = 0; k < count; ++k) {
    core::Indices a = index, b = index;
    a.back() = {{}, k};
    item(b, b.size() - 2) = {{}, k};
    const std::int32_t left = value(entry.inputs[0], std::move(a));
    const std::int32_t term =
        apply(entries::named<"multiply">(), left, value(entry.inputs[1], std::move(b)));
    sum = sum < 0 ? term : apply(entries::named<"add">(), sum, term);
  }
  return sum < 0 ? typed_constant(0, entry.dtype) : sum;
}

std::int32_t Values::index_value(const core::Affine& index, DType dtype) {
  return b_.add(kernel::IndexValue{b_.number_of(index)}, core::register_type(b_.target(), dtype));
}

namespace {

kernel::IntExpr whole_number(double value) {
  return {.base = static_cast<std::int64_t>(value), .scale = 0, .low = 0, .high = 0};
}

/// The plan's scalar with that number.
kernel::IntExpr whole_scalar(std::int32_t scalar) {
  constexpr std::int64_t limit = std::numeric_limits<std::int32_t>::max();
  return {.scalar = scalar, .low = -limit - 1, .high = limit};
}

}  // namespace

std::int32_t Values::typed_constant(double value, DType dtype) {
  if (core::register_type(b_.target(), dtype) == core::Type::f) {
    if (is_integer(dtype) && std::abs(value) > 16'777'216) throw_not_exact(value);
    return b_.constant(value);
  }
  return index_value(b_.scalar(whole_number(value)), dtype);
}

std::int32_t Values::number(const ir::Graph::Entry& entry) {
  if (entry.kind == ir::Kind::constant) return typed_constant(entry.value, entry.dtype);
  const std::int32_t scalar = entry.as<core::ScalarNumber>().number;
  if (core::register_type(b_.target(), entry.dtype) == core::Type::f) {
    return b_.float_uniform({.scalar = scalar});
  }
  return index_value(b_.scalar(whole_scalar(scalar)), entry.dtype);
}

const ir::Graph::Entry& Values::below_views(std::int32_t entry, core::Indices& index) {
  for (;;) {
    const ir::Graph::Entry& at = scene_.at(entry);
    if (!is_view(at.kind)) return at;
    through_view(at, index);
    entry = at.inputs[0];
  }
}

/// The position and the number that a mask compares, as masks of joined tensors do.
std::optional<Values::Compared> Values::compared(const ir::Graph::Entry& mask,
                                                 const core::Indices& index) {
  if (mask.kind != ir::Kind::map || !entries::is_less(*mask.op)) return std::nullopt;
  core::Indices at = index, other = index;
  const ir::Graph::Entry& position = below_views(mask.inputs[0], at);
  const ir::Graph::Entry& number = below_views(mask.inputs[1], other);
  if (position.kind != ir::Kind::iota || number.kind != ir::Kind::constant) return std::nullopt;
  return Compared{at[0], number.value};
}

/// The value of such a mask if the bounds of the index decide it.
std::optional<bool> Values::known_mask(std::int32_t entry, core::Indices index) {
  const ir::Graph::Entry& mask = below_views(entry, index);
  const auto found = compared(mask, index);
  if (!found) return std::nullopt;
  const auto [low, high] = b_.bounds(found->position);
  if (static_cast<double>(high) < found->number) return true;
  if (static_cast<double>(low) >= found->number) return false;
  return std::nullopt;
}

/// Such a mask if the position exceeds the shader's integers: it is exact only as an index. -1 for
/// other masks.
std::int32_t Values::wide_mask(const ir::Graph::Entry& mask, const core::Indices& index) {
  const auto is_wide = [&](const core::Affine& one) { return b_.is_wide(one); };
  if (std::none_of(index.begin(), index.end(), is_wide)) return -1;
  const auto found = compared(mask, index);
  if (!found || !is_wide(found->position)) return -1;
  // Numbers beyond all positions act like the nearest one. No position is below NaN.
  const auto [low, high] = b_.bounds(found->position);
  const auto lowest = static_cast<double>(low);
  const double limit = std::isnan(found->number) ? lowest
                                                 : std::clamp(std::ceil(found->number), lowest,
                                                              static_cast<double>(high) + 1);
  return b_.below(found->position, whole_number(limit));
}

std::int32_t Values::table(const ir::Graph::Entry& entry, const core::Affine& index) {
  const core::Type type = core::register_type(b_.target(), entry.dtype);
  std::vector<kernel::FloatExpr> reals;
  std::vector<kernel::IntExpr> whole;
  for (const auto& [scalar, value] : entry.as<ir::TableAttrs>().elements) {
    if (type == core::Type::f) reals.push_back({.value = value, .scalar = scalar.number});
    if (type != core::Type::f)
      whole.push_back(scalar.is_given() ? whole_scalar(scalar.number) : whole_number(value));
  }
  return type == core::Type::f ? b_.table(reals, index) : b_.table(whole, type, index);
}

std::int32_t Values::map(const ir::Graph::Entry& entry, const core::Indices& index) {
  const Op& op = *entry.op;
  if (op.family == Family::kernel) return kernel(entry, index);
  if (const std::int32_t mask = wide_mask(entry, index); mask >= 0) return mask;
  if (entries::chooses(op)) {
    if (const auto mask = known_mask(entry.inputs[0], index)) {
      const std::int32_t id = value(entry.inputs[*mask ? 1 : 2], index);
      if (b_.type(id) == core::register_type(b_.target(), entry.dtype)) return id;
    }
    const std::int32_t id = core::is_branch(entry.attrs) ? branch(entry, index) : -1;
    if (id >= 0) return id;
  }
  const bool whole = op.family == Family::binary && op.binary().integers_only;
  if (whole && b_.target().dialect == core::Dialect::es100) {
    core::fail_on_device(
        op.name, "not available in GLSL ES 1.00, which has no integers; use profile webgl2");
  }
  std::array<kernel::Operand, 3> operands;
  for (std::size_t k = 0; k < entry.inputs.size(); ++k) {
    operands.at(k) = value(entry.inputs[k], index);
  }
  const std::int32_t id = b_.apply(op, core::register_type(b_.target(), entry.dtype), operands);
  if (!is_integer(entry.dtype)) return id;
  if (b_.target().dialect == core::Dialect::es100) return integer_of(id, op, entry.dtype);
  return entry.dtype == DType::uint8 ? b_.convert(id, core::Type::u, kernel::Conversion::byte) : id;
}

/// Makes the result of a float op in GLSL ES 1.00 an integer of the dtype.
std::int32_t Values::integer_of(std::int32_t id, const Op& op, DType dtype) {
  const bool leaves = op.family == Family::binary && op.binary().leaves_integers;
  if (leaves) id = b_.convert(id, core::Type::f, kernel::Conversion::truncate);
  return wrapped(id, dtype);
}

/// Wraps a whole number to an unsigned dtype, if registers are floats.
std::int32_t Values::wrapped(std::int32_t id, DType dtype) {
  if (dtype == DType::uint8) return b_.convert(id, core::Type::f, kernel::Conversion::byte);
  return dtype == DType::uint32 ? b_.convert(id, core::Type::f, kernel::Conversion::word) : id;
}

std::int32_t Values::cast(std::int32_t value, DType from, DType to) {
  const core::Type type = core::register_type(b_.target(), to);
  const core::Type source = b_.type(value);
  if (to == DType::boolean) {
    return from == DType::boolean ? value
                                  : b_.convert(value, core::Type::f, kernel::Conversion::truth);
  }
  if (to == DType::float16 && from != DType::float16) {
    const std::int32_t as_float = type == source ? value : b_.convert(value, core::Type::f);
    return b_.convert(as_float, core::Type::f, kernel::Conversion::half);
  }
  if (b_.target().dialect == core::Dialect::es100) {
    // All registers are floats.
    if (!is_integer(to) || from == to || from == DType::boolean) return value;
    const bool cuts = is_float(from);
    return wrapped(cuts ? b_.convert(value, core::Type::f, kernel::Conversion::truncate) : value,
                   to);
  }
  std::int32_t id = value;
  if (type != source) {
    const bool wraps = type == core::Type::u && source == core::Type::f && to != DType::uint32 &&
                       !is_integer(from);
    id = b_.convert(value, type, wraps ? kernel::Conversion::wrap : kernel::Conversion::plain);
  }
  const bool narrows = to == DType::uint8 && from != DType::uint8 && from != DType::boolean;
  return narrows ? b_.convert(id, core::Type::u, kernel::Conversion::byte) : id;
}

std::int32_t Values::pad(const ir::Graph::Entry& entry, const core::Indices& index) {
  const Shape& source = scene_.at(entry.inputs[0]).shape;
  const std::vector<std::int64_t>& before = entry.as<core::PadAttrs>().before;
  core::Indices inner(index.size());
  std::int32_t mask = -1;
  for (std::size_t k = 0; k < index.size(); ++k) {
    inner[k] = index[k] + -before[k];
    const auto [low, high] = b_.bounds(inner[k]);
    if (high < 0 || low >= source[static_cast<int>(k)]) {
      return typed_constant(entry.value, entry.dtype);
    }
    mask = b_.both(mask, b_.inside(inner[k], source[static_cast<int>(k)]));
  }
  if (mask < 0) return value(entry.inputs[0], std::move(inner));
  b_.open_scope(inner, source);
  const std::int32_t id = value(entry.inputs[0], std::move(inner));
  b_.close_scope();
  return b_.select(mask, id, typed_constant(entry.value, entry.dtype));
}

std::int32_t Values::write(const ir::Graph::Entry& entry, const core::Indices& index) {
  const Shape& written = scene_.at(entry.inputs[1]).shape;
  const auto& box = entry.as<core::RegionAttrs>();
  core::Indices inner(index.size());
  std::int32_t mask = -1;
  for (std::size_t k = 0; k < index.size(); ++k) {
    const auto axis = static_cast<int>(k);
    const auto& [start, step, run_time_start] = box.axes[k];
    core::Affine from_start = index[k] + -start;
    if (run_time_start.is_given()) {
      const std::int64_t room =
          std::max<std::int64_t>(entry.shape[axis] - written[axis] - start, 0);
      from_start = from_start + scalar(run_time_start.number, room, entry.shape[axis]) * -1;
    }
    const std::int64_t extent = (written[axis] - 1) * step + 1;
    const auto [low_end, high_end] = b_.bounds(from_start);
    if (high_end < 0 || low_end >= extent) return value(entry.inputs[0], index);
    mask = b_.both(mask, b_.inside(from_start, extent));
    if (step == 1) {
      inner[k] = from_start;
      continue;
    }
    // Before the start the quotient is not used, but the division must not see negative numbers.
    const std::int64_t low = std::min<std::int64_t>(b_.bounds(from_start).low, 0);
    const std::int64_t shift = (-low + step - 1) / step;
    const auto split = b_.split(from_start + shift * step, step);
    inner[k] = split.quotient + -shift;
    mask = b_.both(mask, b_.is_zero(split.remainder));
  }
  const std::int32_t v = value(entry.inputs[1], std::move(inner));
  return mask < 0 ? v : b_.select(mask, v, value(entry.inputs[0], index));
}

}  // namespace trigon::detail::lower
