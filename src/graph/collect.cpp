// SPDX-License-Identifier: MIT
#include "graph/collect.hpp"

#include <bit>
#include <functional>
#include <optional>
#include <stdexcept>
#include <unordered_map>

#include "core/item.hpp"
#include "core/list.hpp"
#include "core/pointer_map.hpp"
#include "core/walk.hpp"

namespace trigon::detail::graph {
namespace {

void fill_ownership(Collected& graph) {
  for (std::int32_t root : graph.roots) item(graph.entries, root).root = true;
  for (Collected::Entry& entry : graph.entries) {
    // Edges of this graph and observers are known references; any other comes from outside.
    const long known = entry.readers + entry.node->observers.load();
    entry.outside =
        entry.root || entry.node->handles.load() > 0 || entry.node->references() > known;
  }
}

/// An observer may ask for a value that this evaluation does not store. It is then computed again,
/// so its inputs' textures must not be overwritten.
void share_observed(Collected& graph) {
  std::vector<bool> observed(graph.entries.size(), false);
  for (std::size_t k = graph.entries.size(); k-- > 0;) {
    Collected::Entry& entry = graph.entries[k];
    if (entry.outside) continue;  // the value or its inputs are kept
    if (!observed[k] && entry.node->observers.load() == 0) continue;
    entry.owned = false;
    for (const std::int32_t input : graph.inputs(static_cast<std::int32_t>(k))) {
      item(observed, input) = true;
    }
  }
}

/// Constants and scalars never count as stored: a plan reads their numbers, not a texture.
bool has_value(const Node& node) {
  return node.storage != nullptr && !info(node.kind).is_one_number;
}

void append_shape(std::vector<std::uint64_t>& key, const Shape& shape) {
  key.push_back(static_cast<std::uint64_t>(shape.rank()));
  for (std::int64_t dim : shape) key.push_back(static_cast<std::uint64_t>(dim));
}

}  // namespace

void append_layout(std::vector<std::uint64_t>& key, const core::Layout& layout) {
  for (std::int64_t number :
       {layout.offset, layout.width, layout.height, layout.layers, layout.slab,
        layout.elements_per_texel, static_cast<std::int64_t>(layout.encoding)}) {
    key.push_back(static_cast<std::uint64_t>(number));
  }
  for (int k = 0; k < layout.shape.rank(); ++k) {
    key.push_back(static_cast<std::uint64_t>(item(layout.strides, k)));
  }
}

namespace {

Collected collected(std::span<const NodePtr> roots, const StorageOf& storage_of) {
  Collected graph;
  core::PointerMap number;
  using Inputs = std::span<const NodePtr>;
  const auto enter = [&](const NodePtr& node) -> std::optional<Inputs> {
    if (number.contains(node.get())) return std::nullopt;
    return has_value(*node) ? Inputs() : Inputs(node->inputs);
  };
  const auto leave = [&](const NodePtr& node, Inputs inputs) {
    const auto k = static_cast<std::int32_t>(graph.entries.size());
    number.insert(node.get(), k);
    Collected::Entry entry;
    entry.node = node.get();
    entry.first_input = static_cast<std::int32_t>(graph.edges.size());
    entry.input_count = static_cast<std::int32_t>(inputs.size());
    for (const NodePtr& input : inputs) {
      graph.edges.push_back(number.find(input.get()));
      ++item(graph.entries, graph.edges.back()).readers;
    }
    if (node->kind == Kind::scalar) graph.scalars.push_back(k);
    graph.entries.push_back(entry);
  };
  for (const NodePtr& root : roots) {
    core::walk_up(std::cref(root), enter, leave);
    graph.roots.push_back(number.find(root.get()));
  }
  fill_ownership(graph);
  std::unordered_map<const void*, std::int32_t> first;
  for (std::size_t k = 0; k < graph.entries.size(); ++k) {
    Collected::Entry& entry = graph.entries[k];
    if (!has_value(*entry.node)) continue;
    const LeafStorage storage = storage_of(*entry.node);
    entry.stored = true;
    entry.layout = static_cast<std::int32_t>(graph.layouts.size());
    graph.layouts.push_back(storage.layout);
    entry.owned = storage.sole_owner && !entry.outside;
    entry.alias = first.emplace(storage.identity, static_cast<std::int32_t>(k)).first->second;
  }
  share_observed(graph);
  return graph;
}

}  // namespace

Collected collect(std::span<const NodePtr> roots, const StorageOf& storage_of) {
  Collected found = collected(roots, storage_of);
  for (const Collected::Entry& entry : found.entries) {
    if (entry.node->kind == Kind::parameter) throw_no_value(*entry.node);
  }
  return found;
}

Collected collect_body(const LoopBody& body) {
  return collected(body.results, [](const Node&) -> LeafStorage {
    throw std::logic_error("trigon::graph: the body of a loop holds a value");
  });
}

std::vector<std::uint64_t> plan_key(const Collected& graph) {
  std::vector<std::uint64_t> key;
  key.reserve(graph.entries.size() * 12);
  for (std::size_t k = 0; k < graph.entries.size(); ++k) {
    const Collected::Entry& entry = graph.entries[k];
    const Node& node = *entry.node;
    const auto flags = static_cast<std::uint64_t>(entry.stored) |
                       static_cast<std::uint64_t>(entry.outside) << 1 |
                       static_cast<std::uint64_t>(entry.owned) << 2;
    // For the plan a stored node is a leaf, whatever its kind.
    const Kind kind = entry.stored ? Kind::leaf : node.kind;
    key.push_back(static_cast<std::uint64_t>(kind) | static_cast<std::uint64_t>(node.dtype) << 8 |
                  flags << 16);
    append_shape(key, node.shape);
    if (entry.stored) {
      append_layout(key, graph.layout(static_cast<std::int32_t>(k)));
      key.push_back(static_cast<std::uint64_t>(entry.alias));
      continue;
    }
    key.push_back(reinterpret_cast<std::uintptr_t>(node.op));
    if (node.body != nullptr) core::append(key, node.body->key);
    if (kind != Kind::scalar) key.push_back(std::bit_cast<std::uint64_t>(node.value));
    core::for_each_word(node.attrs, [&](std::uint64_t word) { key.push_back(word); });
    key.push_back(static_cast<std::uint64_t>(entry.input_count));
    for (std::int32_t input : graph.inputs(static_cast<std::int32_t>(k))) {
      key.push_back(static_cast<std::uint64_t>(input));
    }
  }
  for (std::int32_t root : graph.roots) key.push_back(static_cast<std::uint64_t>(root));
  return key;
}

}  // namespace trigon::detail::graph
