// SPDX-License-Identifier: MIT
#include "plan/fuse.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <trigon/error.hpp>

namespace trigon::plan {

using graph::Kind;
using graph::Node;

std::size_t Fuser::Hash::operator()(const Key& key) const {
  std::size_t seed = static_cast<std::size_t>(key.node);
  const auto mix = [&seed](std::int64_t number) {
    seed ^= static_cast<std::size_t>(number) + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2);
  };
  for (const Affine& index : key.index) {
    mix(index.constant);
    for (const auto& [id, factor] : index.terms) mix(id), mix(factor);
  }
  return seed;
}

Affine linear(const Shape& shape, const std::vector<Affine>& index) {
  Affine sum;
  std::int64_t stride = 1;
  for (int k = shape.rank() - 1; k >= 0; --k) {
    sum = sum + index[static_cast<std::size_t>(k)] * stride;
    stride *= shape[k];
  }
  return sum;
}

std::int32_t scalar_number(const Graph& graph, std::int32_t node) {
  const auto at = std::find(graph.scalars.begin(), graph.scalars.end(), node);
  return static_cast<std::int32_t>(at - graph.scalars.begin());
}

Affine Fuser::scalar(std::int32_t node, std::int64_t high) {
  const auto [at, fresh] = scalars_.try_emplace({node, high});
  if (fresh) {
    at->second = b_.scalar({.scalar = scalar_number(graph_, node), .low = 0, .high = high});
  }
  return at->second;
}

void Fuser::through_slice(const Graph::Entry& entry, std::vector<Affine>& index) {
  const Node& node = *entry.node;
  const Shape& source = node.inputs[0]->shape;
  for (int k = 0; k < source.rank(); ++k) {
    const auto [start, step, input] = graph::slice_attr(node, k);
    Affine& at = index[static_cast<std::size_t>(k)];
    at = at * step + start;
    if (input > 0) {
      const std::int64_t room = source[k] - node.shape[k] - start;
      at = at +
           scalar(entry.inputs[static_cast<std::size_t>(input)], std::max<std::int64_t>(room, 0));
    }
  }
}

void Fuser::through_take(const Graph::Entry& entry, std::vector<Affine>& index) {
  const Node& node = *entry.node;
  const auto axis = static_cast<std::ptrdiff_t>(node.attrs[0]);
  const auto rank = static_cast<std::ptrdiff_t>(node.inputs[1]->shape.rank());
  const auto first = index.begin() + axis;
  std::vector<Affine> where(first, first + rank);
  const std::int32_t row = value(entry.inputs[1], std::move(where));
  const Affine gathered = b_.gather(row, node.inputs[0]->shape[static_cast<int>(axis)]);
  index.erase(first, first + rank);
  index.insert(index.begin() + axis, gathered);
}

std::int32_t Fuser::through_view(std::int32_t number, std::vector<Affine>& index) {
  const Graph::Entry& entry = graph_[number];
  const Node& node = *entry.node;
  switch (node.kind) {
    case Kind::barrier: break;
    case Kind::reshape: {
      const Shape& source = node.inputs[0]->shape;
      index = b_.unravel(linear(node.shape, index), {source.begin(), source.end()});
      break;
    }
    case Kind::permute: {
      std::vector<Affine> moved(index.size());
      for (std::size_t k = 0; k < index.size(); ++k) {
        moved[static_cast<std::size_t>(node.attrs[k])] = std::move(index[k]);
      }
      index = std::move(moved);
      break;
    }
    case Kind::slice: through_slice(entry, index); break;
    case Kind::broadcast: {
      const Shape& source = node.inputs[0]->shape;
      index.erase(index.begin(), index.end() - source.rank());
      for (int k = 0; k < source.rank(); ++k) {
        if (source[k] == 1) index[static_cast<std::size_t>(k)] = {};
      }
      break;
    }
    case Kind::take: through_take(entry, index); break;
    default: return -1;
  }
  return entry.inputs[0];
}

std::int32_t Fuser::value(std::int32_t node, std::vector<Affine> index) {
  if (const auto at = fixed_.find(node); at != fixed_.end()) return at->second;
  Key key{node, index};
  if (const auto at = known_.find(key); at != known_.end()) return at->second;
  const std::int32_t id = compute(node, index);
  known_.emplace(std::move(key), id);
  return id;
}

std::int32_t Fuser::compute(std::int32_t number_of_node, std::vector<Affine>& index) {
  std::int32_t at = number_of_node;
  for (;;) {
    if (const auto known = fixed_.find(at); known != fixed_.end()) return known->second;
    const Stored& place = stored_[static_cast<std::size_t>(at)];
    const Graph::Entry& entry = graph_[at];
    const Node& node = *entry.node;
    if (place.slot >= 0) {
      Affine e;
      for (std::size_t k = 0; k < index.size(); ++k) {
        if (node.shape[static_cast<int>(k)] != 1) e = e + index[k] * place.layout.strides[k];
      }
      const std::int32_t id = b_.load(b_.input(place.slot, place.layout), place.layout, e);
      const bool stored_bool = node.dtype == DType::boolean && b_.type(id) == Type::u;
      return stored_bool ? b_.text(Type::f, "vec4($0)", {id}) : id;
    }
    switch (node.kind) {
      case Kind::constant:
      case Kind::scalar: return number(entry, at);
      case Kind::iota: return index_value(index[0], node.dtype);
      case Kind::map: return map(entry, index);
      case Kind::cast:
        return cast(value(entry.inputs[0], index), node.inputs[0]->dtype, node.dtype);
      case Kind::pad: return pad(entry, index);
      case Kind::write: return write(entry, index);
      default:
        at = through_view(at, index);
        if (at < 0) throw std::logic_error("trigon::plan: a kernel reads what no kernel stored");
    }
  }
}

bool Fuser::offset(std::int32_t at, std::vector<Affine> index, std::int32_t& base, Affine& e) {
  while (stored_[static_cast<std::size_t>(at)].slot < 0) {
    if (graph_[at].node->kind == Kind::take) return false;
    at = through_view(at, index);
    if (at < 0) return false;
  }
  base = at;
  e = {};
  const Layout& layout = stored_[static_cast<std::size_t>(at)].layout;
  for (std::size_t k = 0; k < index.size(); ++k) {
    if (layout.shape[static_cast<int>(k)] != 1) e = e + index[k] * layout.strides[k];
  }
  return true;
}

std::int32_t Fuser::index_value(const Affine& index, DType dtype) {
  Instr instr{.code = Code::index, .type = register_type(b_.target(), dtype)};
  instr.args = {b_.materialise(index)};
  return b_.add(std::move(instr));
}

std::int32_t Fuser::typed_constant(double value, DType dtype) {
  if (register_type(b_.target(), dtype) == Type::f) return b_.constant(value);
  const auto whole = static_cast<std::int64_t>(value);
  return index_value(b_.scalar({.base = whole, .scale = 0, .low = 0, .high = 0}), dtype);
}

std::int32_t Fuser::number(const Graph::Entry& entry, std::int32_t node) {
  if (entry.node->kind == Kind::constant) {
    return typed_constant(entry.node->value, entry.node->dtype);
  }
  const std::int32_t scalar = scalar_number(graph_, node);
  if (register_type(b_.target(), entry.node->dtype) == Type::f) {
    return b_.float_uniform({.scalar = scalar});
  }
  constexpr std::int64_t limit = std::numeric_limits<std::int32_t>::max();
  const Affine index = b_.scalar({.scalar = scalar, .low = -limit - 1, .high = limit});
  return index_value(index, entry.node->dtype);
}

std::int32_t Fuser::map(const Graph::Entry& entry, const std::vector<Affine>& index) {
  Instr instr{.code = Code::apply, .type = register_type(b_.target(), entry.node->dtype)};
  instr.op = entry.node->op;
  const bool whole = instr.op->family == Family::binary && instr.op->binary().integers_only;
  if (whole && b_.target().dialect == Dialect::es100) {
    throw DeviceError(fmt::format(
        "trigon::{}: not available in GLSL ES 1.00, which has no integers; use profile webgl2",
        instr.op->name));
  }
  for (std::int32_t input : entry.inputs) instr.args.push_back(value(input, index));
  const std::int32_t id = b_.add(std::move(instr));
  const bool wraps = entry.node->dtype == DType::uint8 && b_.type(id) == Type::u;
  return wraps ? b_.text(Type::u, "$0 & 255u", {id}) : id;
}

std::int32_t Fuser::cast(std::int32_t value, DType from, DType to) {
  const Type type = register_type(b_.target(), to);
  const Type source = b_.type(value);
  if (to == DType::boolean) {
    if (from == DType::boolean) return value;
    // NaN is true: it differs from zero.
    const char* text = source == Type::i   ? "vec4(notEqual($0, ivec4(0)))"
                       : source == Type::u ? "vec4(notEqual($0, uvec4(0u)))"
                                           : "1.0 - vec4(equal($0, vec4(0.0)))";
    return b_.text(Type::f, text, {value});
  }
  if (to == DType::float16 && from != DType::float16 && b_.target().dialect == Dialect::es300) {
    const std::int32_t as_float = type == source ? value : b_.text(Type::f, "vec4($0)", {value});
    return b_.text(Type::f,
                   "vec4(unpackHalf2x16(packHalf2x16($0.xy)), unpackHalf2x16(packHalf2x16($0.zw)))",
                   {as_float});
  }
  if (b_.target().dialect == Dialect::es100) {
    // All registers are floats: only the fraction has to go.
    const bool whole = is_integer(to) && is_float(from);
    return whole ? b_.text(Type::f, "sign($0) * floor(abs($0))", {value}) : value;
  }
  std::int32_t id = value;
  if (type != source) {
    const char* text = type == Type::f                         ? "vec4($0)"
                       : type == Type::i                       ? "ivec4($0)"
                       : source == Type::i || is_integer(from) ? "uvec4($0)"
                                                               : "uvec4(ivec4($0))";
    if (to == DType::uint32 && source == Type::f) text = "uvec4($0)";
    id = b_.text(type, text, {value});
  }
  const bool narrows = to == DType::uint8 && from != DType::uint8 && from != DType::boolean;
  return narrows ? b_.text(Type::u, "$0 & 255u", {id}) : id;
}

std::int32_t Fuser::pad(const Graph::Entry& entry, const std::vector<Affine>& index) {
  const Node& node = *entry.node;
  const Shape& source = node.inputs[0]->shape;
  std::vector<Affine> inner(index.size());
  std::int32_t mask = -1;
  for (std::size_t k = 0; k < index.size(); ++k) {
    inner[k] = index[k] + -node.attrs[k];
    const std::int32_t one = b_.inside(inner[k], source[static_cast<int>(k)]);
    if (one >= 0) mask = mask < 0 ? one : b_.text(Type::f, "$0 * $1", {mask, one});
  }
  const std::int32_t id = value(entry.inputs[0], std::move(inner));
  return mask < 0 ? id : b_.select(mask, id, typed_constant(node.value, node.dtype));
}

std::int32_t Fuser::write(const Graph::Entry& entry, const std::vector<Affine>& index) {
  const Node& node = *entry.node;
  const Shape& part = node.inputs[1]->shape;
  std::vector<Affine> inner(index.size());
  std::int32_t mask = -1;
  const auto require = [&](std::int32_t one) {
    if (one >= 0) mask = mask < 0 ? one : b_.text(Type::f, "$0 * $1", {mask, one});
  };
  for (std::size_t k = 0; k < index.size(); ++k) {
    const auto axis = static_cast<int>(k);
    const auto [start, step, input] = graph::slice_attr(node, axis);
    Affine from_start = index[k] + -start;
    if (input > 0) {
      const std::int64_t room = std::max<std::int64_t>(node.shape[axis] - part[axis] - start, 0);
      from_start = from_start + scalar(entry.inputs[static_cast<std::size_t>(input)], room) * -1;
    }
    require(b_.inside(from_start, (part[axis] - 1) * step + 1));
    if (step == 1) {
      inner[k] = from_start;
      continue;
    }
    // Below the start the division is never used, but must not see a negative number.
    const std::int64_t low = std::min<std::int64_t>(b_.bounds(from_start).low, 0);
    const std::int64_t shift = (-low + step - 1) / step;
    const auto split = b_.split(from_start + shift * step, step);
    inner[k] = split.quotient + -shift;
    Instr hit{.code = Code::inside, .lane = b_.lane(split.remainder), .mode = 4};
    hit.args = {b_.materialise(split.remainder)};
    require(b_.add(std::move(hit)));
  }
  const std::int32_t v = value(entry.inputs[1], std::move(inner));
  return mask < 0 ? v : b_.select(mask, v, value(entry.inputs[0], index));
}

}  // namespace trigon::plan
