// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/item.hpp"
#include "core/layout.hpp"
#include "graph/loop.hpp"

namespace trigon::detail::graph {

/// The facts about the texture of a node with a value that plans depend on.
struct LeafStorage {
  const void* identity;  ///< equal for two leaves iff they share a texture
  core::Layout layout;
  bool sole_owner;  ///< no other node holds this texture
};
/// Returns them for a node, so that this room need not include run's Storage.
using StorageOf = std::function<LeafStorage(const Node&)>;

/// The user's graph below the roots, numbered in a fixed order, inputs first. It stops at nodes
/// with a value.
struct Collected {
  struct Entry {
    Node* node = nullptr;
    std::int32_t first_input = 0;
    std::int32_t input_count = 0;  ///< none for a node with a value
    std::int32_t readers = 0;      ///< edges to it within this graph
    bool stored = false;           ///< has a value
    bool root = false;
    bool outside = false;      ///< referred to from beyond this graph
    bool owned = false;        ///< stored, and nothing else holds the texture
    std::int32_t alias = -1;   ///< stored entries: the first one with the same texture
    std::int32_t layout = -1;  ///< stored entries: index into `layouts`
  };
  std::vector<Entry> entries;
  std::vector<std::int32_t> edges;  ///< the inputs of all entries, one entry after the other
  std::vector<core::Layout> layouts;
  std::vector<std::int32_t> roots;
  std::vector<std::int32_t> scalars;  ///< entries of kind scalar, in order: a plan's scalar k

  const Entry& operator[](std::int32_t k) const { return item(entries, k); }
  std::span<const std::int32_t> inputs(std::int32_t k) const {
    const Entry& entry = (*this)[k];
    const std::int32_t* first = edges.data() + entry.first_input;
    return {first, first + entry.input_count};
  }
  const core::Layout& layout(std::int32_t k) const { return item(layouts, (*this)[k].layout); }
};

/// The graph below the roots. `storage_of`: called for nodes with a value. Raises Error for a
/// parameter of a loop's body, which only has a value inside its loop.
Collected collect(std::span<const NodePtr> roots, const StorageOf& storage_of);

/// The graph of a loop's body, with its results as roots.
Collected collect_body(const LoopBody& body);

/// Appends a layout without dtype and shape, which the key has already.
void append_layout(std::vector<std::uint64_t>& key, const core::Layout& layout);

/// The graph as words: graphs with equal words have equal plans. Values of scalars are left out.
std::vector<std::uint64_t> plan_key(const Collected& graph);

}  // namespace trigon::detail::graph
