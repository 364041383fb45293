// SPDX-License-Identifier: MIT
#include "graph/interpret.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/item.hpp"
#include "eval.hpp"
#include "graph/interpret_kinds.hpp"
#include "graph/node.hpp"

namespace trigon::graph {
namespace {

using Values = std::vector<double>;

template <class T>
Values read_as(const NodePtr& node, DType dtype) {
  auto host = vector_of<T>(node->shape.numel());
  read_node(node, host.data(), dtype);
  return {host.begin(), host.end()};
}

Values read_values(const NodePtr& node) {
  switch (node->dtype) {
    case DType::float32:
    case DType::float16: return read_as<float>(node, DType::float32);
    case DType::int32: return read_as<std::int32_t>(node, DType::int32);
    case DType::uint32: return read_as<std::uint32_t>(node, DType::uint32);
    case DType::uint8: return read_as<std::uint8_t>(node, DType::uint8);
    case DType::boolean: return read_as<std::uint8_t>(node, DType::boolean);
  }
  return {};
}

// A node and a copy of its inputs, which an evaluation on another thread may drop.
struct Entry {
  NodePtr node;
  std::vector<NodePtr> inputs;
};

// All nodes below root and above those of `known`, inputs before their readers.
std::vector<Entry> in_order(const NodePtr& root, const KnownValues& known = {}) {
  std::vector<Entry> entries;
  std::unordered_set<const Node*> seen{root.get()};
  std::vector<NodePtr> open{root};
  while (!open.empty()) {
    const NodePtr node = std::move(open.back());
    open.pop_back();
    if (known.count(node->id) != 0) continue;
    entries.push_back({node, inputs_of(*node)});
    for (const NodePtr& input : entries.back().inputs) {
      if (seen.insert(input.get()).second) open.push_back(input);
    }
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.node->id < b.node->id; });
  return entries;
}

Values evaluate_one(const Entry& entry, const std::vector<const Values*>& in) {
  const Node& node = *entry.node;
  if (node.kind == Kind::constant || node.kind == Kind::scalar) {
    return vector_of(node.shape.numel(), node.value);
  }
  if (node.kind == Kind::iota) {
    Values y = vector_of<double>(node.shape.numel());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<double>(i);
    return y;
  }
  if (entry.inputs.empty()) return read_values(entry.node);
  std::vector<Operand> operands;
  for (std::size_t k = 0; k < in.size(); ++k) {
    operands.push_back({entry.inputs[k]->shape, entry.inputs[k]->dtype, *in[k]});
  }
  return compute(node, operands);
}

}  // namespace

std::vector<double> interpret(const NodePtr& root) {
  const std::vector<Entry> entries = in_order(root);
  std::unordered_map<const Node*, int> readers;
  for (const Entry& entry : entries) {
    for (const NodePtr& input : entry.inputs) ++readers[input.get()];
  }
  std::unordered_map<const Node*, Values> values;
  for (const Entry& entry : entries) {
    std::vector<const Values*> in;
    for (const NodePtr& input : entry.inputs) in.push_back(&values.at(input.get()));
    Values y = evaluate_one(entry, in);
    // A chain of 100,000 nodes must not hold 100,000 values.
    for (const NodePtr& input : entry.inputs) {
      if (--readers[input.get()] == 0) values.erase(input.get());
    }
    values.emplace(entry.node.get(), std::move(y));
  }
  return std::move(values.at(root.get()));
}

const std::vector<double>& interpret(const NodePtr& root, KnownValues& known) {
  for (const Entry& entry : in_order(root, known)) {
    std::vector<const Values*> in;
    for (const NodePtr& input : entry.inputs) in.push_back(&known.at(input->id));
    known.emplace(entry.node->id, evaluate_one(entry, in));
  }
  return known.at(root->id);
}

}  // namespace trigon::graph
