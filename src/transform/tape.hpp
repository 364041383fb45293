// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graph/node.hpp"
#include "trigon/tensor.hpp"

namespace trigon::detail::transform {

// A node that depends on an input of f. Its inputs are kept here, since an evaluation drops the
// node's inputs.
struct Entry {
  Tensor y;
  std::vector<graph::NodePtr> inputs;
  graph::NodePtr predicate{};  // of a cond: a node of one element
};

// A side of a cond: `place` is 1 or 2, the input of `where`.
struct Side {
  graph::NodePtr predicate;
  std::size_t place;
  friend bool operator==(const Side&, const Side&) = default;
};
using Sides = std::vector<Side>;

// The nodes that f made, inputs before their readers.
struct Tape {
  std::vector<Entry> entries;
  std::vector<graph::NodePtr> arguments;
  std::unordered_set<const graph::Node*> dependent;
  std::unordered_map<const graph::Node*, Sides>
      sides;  // cond sides on all paths of gradients to a node
};

// A new node for an input of f. All nodes that f builds on it have larger ids, all others smaller
// ones.
graph::NodePtr argument_of(const Tensor& x);

// All nodes that f made between the arguments and `root`, oldest first.
std::vector<Entry> collect(const graph::NodePtr& root, std::span<const graph::NodePtr> arguments);

// The predicate of a cond, one element; null for other nodes.
graph::NodePtr predicate_of(const Entry& entry);

}  // namespace trigon::detail::transform
