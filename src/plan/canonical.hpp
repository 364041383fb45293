// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "graph/node.hpp"
#include "plan/plan.hpp"

namespace trigon::plan {

/// What the planner may know of a leaf's texture.
struct LeafStorage {
  const void* identity;  ///< equal for two leaves iff they are one texture
  Layout layout;
  bool sole_owner;  ///< no other node holds this texture
};
/// How the planner learns it; run's Storage stays unknown here.
using StorageOf = std::function<LeafStorage(const graph::Node&)>;

/// The graph below the roots in a fixed order, inputs first, by number; it stops at nodes with
/// storage.
struct Graph {
  struct Entry {
    const graph::Node* node = nullptr;
    std::vector<std::int32_t> inputs;   ///< empty for a node with storage
    std::vector<std::int32_t> readers;  ///< one entry an edge
    bool stored = false;                ///< has storage
    bool root = false;
    bool outside = false;     ///< referred to from beyond this graph
    bool owned = false;       ///< stored, and nothing else holds the texture
    Layout layout{};          ///< of a stored node
    std::int32_t alias = -1;  ///< the first entry with the same texture
  };
  std::vector<Entry> entries;
  std::vector<std::int32_t> roots;
  std::vector<std::int32_t> scalars;  ///< entries of kind scalar, in order: a plan's scalar k

  const Entry& operator[](std::int32_t k) const { return entries[static_cast<std::size_t>(k)]; }
};

Graph collect(std::span<const graph::NodePtr> roots, const StorageOf& storage_of);

/// The graph as words: equal words, equal plan. Values of scalars are left out.
std::vector<std::uint64_t> plan_key(const Graph& graph);

}  // namespace trigon::plan
