// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>

#include "core/hash.hpp"
#include "core/item.hpp"
#include "ir/graph.hpp"

namespace trigon::detail::ir {
namespace {

std::uint64_t hash_of(const Graph::Entry& entry) {
  std::uint64_t seed = static_cast<std::uint64_t>(entry.kind) |
                       static_cast<std::uint64_t>(entry.dtype) << 8 |
                       static_cast<std::uint64_t>(static_cast<std::uint32_t>(entry.leaf)) << 32;
  seed = core::mix(seed, reinterpret_cast<std::uintptr_t>(entry.op));
  seed = core::mix(seed, std::bit_cast<std::uint64_t>(entry.value));
  for (std::int64_t dim : entry.shape) seed = core::mix(seed, static_cast<std::uint64_t>(dim));
  core::for_each_word(entry.attrs, [&](std::uint64_t word) { seed = core::mix(seed, word); });
  for (std::int32_t input : entry.inputs) seed = core::mix(seed, static_cast<std::uint64_t>(input));
  if (entry.body != nullptr) seed = core::mix(seed, entry.body->entries.size());
  for (const ViewAxis& axis : entry.view) {
    seed = core::mix(seed, static_cast<std::uint64_t>(axis.start));
    for (std::int64_t factor : axis.factors)
      seed = core::mix(seed, static_cast<std::uint64_t>(factor));
    for (const auto& term : axis.terms)
      seed = core::mix(seed, static_cast<std::uint64_t>(term.scalar));
  }
  return seed;
}

bool is_identity(const View& view, const Shape& from, const Shape& shape) {
  if (!(from == shape)) return false;
  for (int k = 0; k < from.rank(); ++k) {
    const ViewAxis& axis = item(view, k);
    if (axis.start != 0 || !axis.terms.empty()) return false;
    for (int o = 0; o < Shape::max_rank; ++o) {
      const std::int64_t want = o == k && from[k] != 1 ? 1 : 0;
      if (item(axis.factors, o) != want) return false;
    }
  }
  return true;
}

// A double holds the sum and the product of two floats closely enough to round as the device does.
bool folds_exactly(const Op& op) {
  return (op.family == Family::unary && op.unary().folds_exactly) ||
         (op.family == Family::binary && op.binary().folds_exactly);
}

}  // namespace

bool operator==(const Graph::Entry& a, const Graph::Entry& b) {
  return a.kind == b.kind && a.dtype == b.dtype && a.shape == b.shape && a.op == b.op &&
         std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value) &&
         a.leaf == b.leaf && a.attrs == b.attrs && a.inputs == b.inputs && a.view == b.view &&
         (a.body == b.body ||
          (a.body != nullptr && b.body != nullptr && a.body->entries == b.body->entries &&
           a.body->results == b.body->results));
}

std::int32_t GraphBuilder::keep(Graph::Entry entry) {
  const std::uint64_t hash = hash_of(entry);
  const std::int32_t known = known_.find(hash, [&](std::int32_t k) { return graph_[k] == entry; });
  if (known >= 0) return known;
  graph_.entries.push_back(std::move(entry));
  known_.insert(hash, graph_.size() - 1);
  return graph_.size() - 1;
}

namespace {

/// A rule: the entry that computes the same as a new one, or -1.
using Rule = std::int32_t (*)(GraphBuilder& b, const Graph::Entry& entry);

/// The constant below an entry, seen through views, or -1.
std::int32_t constant_below(const GraphBuilder& b, std::int32_t k) {
  while (is_view(b[k].kind)) k = b[k].inputs[0];
  return b[k].kind == Kind::constant ? k : -1;
}

/// Whether the constant below an entry has these bits; false without a value.
bool is_constant(const GraphBuilder& b, std::int32_t k, const std::optional<double>& value) {
  if (!value) return false;
  const std::int32_t constant = constant_below(b, k);
  return constant >= 0 && b[constant].value == *value &&
         std::signbit(b[constant].value) == std::signbit(*value);
}

/// The result of an exact op on constants, as a constant; -1 for other entries.
std::int32_t folded(GraphBuilder& b, const Graph::Entry& entry) {
  if (entry.kind != Kind::map || !folds_exactly(*entry.op)) return -1;
  if (entry.dtype != DType::float32) return -1;
  std::array<double, 2> x{};
  for (std::size_t k = 0; k < entry.inputs.size(); ++k) {
    const std::int32_t constant = constant_below(b, entry.inputs[k]);
    if (constant < 0) return -1;
    x[k] = b[constant].value;
  }
  const double exact = entry.op->family == Family::unary ? entry.op->unary().ref.get()(x[0])
                                                         : entry.op->binary().ref.get()(x[0], x[1]);
  const auto value = static_cast<double>(static_cast<float>(exact));
  // Devices may flush denormals to 0.
  if (!std::isfinite(value) || (value != 0 && !std::isnormal(static_cast<float>(value)))) return -1;
  const std::int32_t number = b.add({.kind = Kind::constant, .dtype = entry.dtype, .value = value});
  return entry.shape.rank() == 0 ? number : b.view(number, {}, entry.shape);
}

/// The x of x * 1, x / 1, x - 0 and x + (-0); -1 for other entries.
std::int32_t without_identity(GraphBuilder& b, const Graph::Entry& entry) {
  if (entry.kind != Kind::map || entry.op->family != Family::binary) return -1;
  const std::int32_t first = entry.inputs[0], second = entry.inputs[1];
  const BinarySpec& spec = entry.op->binary();
  std::int32_t x = -1;
  if (is_constant(b, second, spec.identity_b)) x = first;
  if (is_constant(b, first, spec.identity_a)) x = second;
  const bool same = x >= 0 && b[x].dtype == entry.dtype && is_float(entry.dtype);
  return same ? x : -1;
}

/// A take at a constant index, as a view; -1 if the index is not constant.
std::int32_t taken_at_constant(GraphBuilder& b, const Graph::Entry& entry) {
  if (entry.kind != Kind::take) return -1;
  const std::int32_t constant = constant_below(b, entry.inputs[1]);
  const int axis = entry.as<core::TakeAttrs>().axis;
  const Shape source = b[entry.inputs[0]].shape;
  if (constant < 0 || source[axis] == 0) return -1;
  const auto last = static_cast<double>(source[axis] - 1);
  const double at = std::trunc(b[constant].value);
  const double row = std::clamp(at < 0 ? at + last + 1 : at, 0.0, last);
  View view = vector_of<ViewAxis>(source.rank());
  const int more = b[entry.inputs[1]].shape.rank() - 1;
  for (int k = 0; k < source.rank(); ++k) {
    if (k != axis) item(item(view, k).factors, k < axis ? k : k + more) = 1;
  }
  item(view, axis).start = static_cast<std::int64_t>(row);
  return b.view(entry.inputs[0], std::move(view), entry.shape);
}

/// The x of a cast to its own dtype that does not round; -1 for other entries.
std::int32_t without_cast(GraphBuilder& b, const Graph::Entry& entry) {
  const bool same = entry.kind == Kind::cast && b[entry.inputs[0]].dtype == entry.dtype;
  return same && std::holds_alternative<std::monostate>(entry.attrs) ? entry.inputs[0] : -1;
}

/// All rules on entries other than views, in the order in which they are tried.
constexpr Rule rules[] = {without_identity, taken_at_constant, folded, without_cast};

}  // namespace

std::int32_t GraphBuilder::add(Graph::Entry entry) {
  for (const Rule rule : rules) {
    if (const std::int32_t simpler = rule(*this, entry); simpler >= 0) return simpler;
  }
  return keep(std::move(entry));
}

/// A view that swaps the last two axes of a product becomes the product of the swapped operands, in
/// the other order. -1 for other views.
std::int32_t GraphBuilder::view_of_contraction(std::int32_t x, const View& turn,
                                               const Shape& shape) {
  const Graph::Entry product = graph_[x];
  const int rank = product.shape.rank();
  if (product.kind != Kind::contract || shape.rank() != rank) return -1;
  if (product.as<core::ContractAttrs>().columns.is_given()) return -1;
  if (shape[-1] == 1 || shape[-2] == 1) return -1;
  View swap = vector_of<ViewAxis>(rank);
  for (int k = 0; k < rank; ++k) {
    const int source = k == rank - 1 ? rank - 2 : k == rank - 2 ? rank - 1 : k;
    if (product.shape[k] != shape[source]) return -1;
    if (product.shape[k] == 1) continue;
    item(item(swap, k).factors, source) = 1;
  }
  if (turn != swap) return -1;
  const auto turned = [&](std::int32_t operand) {
    Shape sides = graph_[operand].shape;
    std::swap(sides[-1], sides[-2]);
    View sides_swap = vector_of<ViewAxis>(rank);
    for (int k = 0; k < rank; ++k) {
      const int source = k == rank - 1 ? rank - 2 : k == rank - 2 ? rank - 1 : k;
      item(item(sides_swap, k).factors, source) = 1;
    }
    return view(operand, std::move(sides_swap), sides);
  };
  const std::int32_t a = turned(product.inputs[1]);
  const std::int32_t b = turned(product.inputs[0]);
  return add({.kind = Kind::contract,
              .dtype = product.dtype,
              .shape = shape,
              .attrs = product.attrs,
              .inputs = {a, b}});
}

std::int32_t GraphBuilder::view(std::int32_t x, View view, const Shape& shape) {
  normalise(view, graph_[x].shape, shape);
  if (is_identity(view, graph_[x].shape, shape)) return x;
  if (graph_[x].kind == Kind::view) {
    View whole = compose(view, graph_[x].view);
    return this->view(graph_[x].inputs[0], std::move(whole), shape);
  }
  if (const std::int32_t product = view_of_contraction(x, view, shape); product >= 0) {
    return product;
  }
  return keep({.kind = Kind::view,
               .dtype = graph_[x].dtype,
               .shape = shape,
               .view = std::move(view),
               .inputs = {x}});
}

std::int32_t GraphBuilder::reshape(std::int32_t x, const Shape& shape) {
  if (graph_[x].shape == shape) return x;
  const bool is_reshape = graph_[x].kind == Kind::reshape;
  if (is_reshape && graph_[graph_[x].inputs[0]].shape == shape) return graph_[x].inputs[0];
  View view;
  if (reshape_view(graph_[x].shape, shape, view)) return this->view(x, std::move(view), shape);
  if (is_reshape) return reshape(graph_[x].inputs[0], shape);
  return keep({.kind = Kind::reshape, .dtype = graph_[x].dtype, .shape = shape, .inputs = {x}});
}

/// Entries that no root needs, such as views that were composed, are left out.
Graph GraphBuilder::finish(std::vector<std::int32_t> became, const std::vector<std::int32_t>& roots,
                           const std::vector<std::int32_t>& kept) {
  std::vector<bool> needed(graph_.entries.size(), false);
  for (std::int32_t k : kept) item(needed, item(became, k)) = true;
  for (std::int32_t root : roots) item(needed, item(became, root)) = true;
  for (std::size_t k = needed.size(); k-- > 0;) {
    if (!needed[k]) continue;
    for (std::int32_t input : graph_.entries[k].inputs) item(needed, input) = true;
  }
  Graph graph;
  std::vector<std::int32_t> moved(needed.size(), -1);
  for (std::size_t k = 0; k < needed.size(); ++k) {
    if (!needed[k]) continue;
    Graph::Entry& entry = graph_.entries[k];
    moved[k] = graph.size();
    for (std::int32_t& input : entry.inputs) {
      input = item(moved, input);
      item(graph.readers, input).push_back(moved[k]);
    }
    graph.entries.push_back(std::move(entry));
    graph.readers.emplace_back();
  }
  for (std::int32_t& k : became) k = k < 0 ? -1 : item(moved, k);
  for (std::int32_t root : roots) graph.results.push_back(item(became, root));
  graph.became = std::move(became);
  return graph;
}

}  // namespace trigon::detail::ir
