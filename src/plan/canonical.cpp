// SPDX-License-Identifier: MIT
#include "plan/canonical.hpp"

#include <bit>
#include <unordered_map>

namespace trigon::plan {
namespace {

using graph::Kind;
using graph::Node;

void fill_ownership(Graph& graph, std::span<const graph::NodePtr> roots) {
  std::unordered_map<const Node*, long> root_references;
  for (const auto& root : roots) ++root_references[root.get()];
  for (Graph::Entry& entry : graph.entries) {
    // Edges of this graph and the caller's list of roots are known references; any other is
    // outside.
    const auto own = root_references.find(entry.node);
    const long known = static_cast<long>(entry.readers.size());
    entry.root = own != root_references.end();
    entry.outside = entry.root || entry.node->handles.load() > 0;
    if (!entry.outside) {
      entry.outside = entry.node->references() > known;
    }
  }
}

void append_shape(std::vector<std::uint64_t>& key, const Shape& shape) {
  key.push_back(static_cast<std::uint64_t>(shape.rank()));
  for (std::int64_t dim : shape) key.push_back(static_cast<std::uint64_t>(dim));
}

void append_layout(std::vector<std::uint64_t>& key, const Layout& layout) {
  for (std::int64_t number : {layout.width, layout.height, layout.layers, layout.slab}) {
    key.push_back(static_cast<std::uint64_t>(number));
  }
  for (int k = 0; k < layout.shape.rank(); ++k) {
    key.push_back(static_cast<std::uint64_t>(layout.strides[static_cast<std::size_t>(k)]));
  }
}

}  // namespace

Graph collect(std::span<const graph::NodePtr> roots, const StorageOf& storage_of) {
  Graph graph;
  std::unordered_map<const Node*, std::int32_t> number;
  struct Frame {
    const Node* node;
    std::size_t next;
  };
  std::vector<Frame> stack;
  for (const auto& root : roots) {
    if (!number.contains(root.get())) stack.push_back({root.get(), 0});
    while (!stack.empty()) {
      Frame& top = stack.back();
      const Node* node = top.node;
      const std::size_t inputs = node->storage ? 0 : node->inputs.size();
      if (top.next < inputs) {
        const Node* input = node->inputs[top.next++].get();
        if (!number.contains(input)) stack.push_back({input, 0});
        continue;
      }
      stack.pop_back();
      if (number.contains(node)) continue;
      const auto k = static_cast<std::int32_t>(graph.entries.size());
      number.emplace(node, k);
      Graph::Entry entry;
      entry.node = node;
      for (std::size_t i = 0; i < inputs; ++i) {
        const std::int32_t input = number.at(node->inputs[i].get());
        entry.inputs.push_back(input);
        graph.entries[static_cast<std::size_t>(input)].readers.push_back(k);
      }
      if (node->kind == Kind::scalar) graph.scalars.push_back(k);
      graph.entries.push_back(std::move(entry));
    }
    graph.roots.push_back(number.at(root.get()));
  }
  std::unordered_map<const void*, std::int32_t> first;
  fill_ownership(graph, roots);
  for (std::size_t k = 0; k < graph.entries.size(); ++k) {
    Graph::Entry& entry = graph.entries[k];
    if (!entry.node->storage) continue;
    const LeafStorage storage = storage_of(*entry.node);
    entry.stored = true;
    entry.layout = storage.layout;
    entry.owned = storage.sole_owner && !entry.outside;
    entry.alias = first.emplace(storage.identity, static_cast<std::int32_t>(k)).first->second;
  }
  return graph;
}

std::vector<std::uint64_t> plan_key(const Graph& graph) {
  std::vector<std::uint64_t> key;
  key.reserve(graph.entries.size() * 12);
  for (const Graph::Entry& entry : graph.entries) {
    const Node& node = *entry.node;
    const auto flags = static_cast<std::uint64_t>(entry.stored) |
                       static_cast<std::uint64_t>(entry.outside) << 1 |
                       static_cast<std::uint64_t>(entry.owned) << 2 |
                       static_cast<std::uint64_t>(node.device != nullptr) << 3;
    // A stored node is a leaf to the plan, however it came to be.
    const Kind kind = entry.stored ? Kind::leaf : node.kind;
    key.push_back(static_cast<std::uint64_t>(kind) | static_cast<std::uint64_t>(node.dtype) << 8 |
                  flags << 16);
    append_shape(key, node.shape);
    if (entry.stored) {
      append_layout(key, entry.layout);
      key.push_back(static_cast<std::uint64_t>(entry.alias));
      continue;
    }
    key.push_back(reinterpret_cast<std::uintptr_t>(node.op));
    if (kind != Kind::scalar) key.push_back(std::bit_cast<std::uint64_t>(node.value));
    key.push_back(node.attrs.size());
    for (std::int64_t attr : node.attrs) key.push_back(static_cast<std::uint64_t>(attr));
    key.push_back(entry.inputs.size());
    for (std::int32_t input : entry.inputs) key.push_back(static_cast<std::uint64_t>(input));
  }
  for (std::int32_t root : graph.roots) key.push_back(static_cast<std::uint64_t>(root));
  return key;
}

}  // namespace trigon::plan
