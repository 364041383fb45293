// SPDX-License-Identifier: MIT
#include "trigon/tree.hpp"

#include <fmt/format.h>

#include "core/called.hpp"

namespace trigon::detail::tree {

void throw_sizes_differ(const char* container, std::size_t first, std::size_t other) {
  core::fail_in(
      "tree_map",
      "structures differ: a {} has {} elements in the first tree, {} in another; must be equal",
      container, first, other);
}

void throw_presence_differs(const char* what) {
  core::fail_in(
      "tree_map",
      "structures differ: {} is there in some of the trees only; must be in all or in none", what);
}

void throw_keys_differ() {
  core::fail_in(
      "tree_map",
      "structures differ: a map has a key that is not in another tree; the keys must be equal");
}

void throw_leaf_count(std::size_t in_like, std::size_t given) {
  core::fail_in("tree_unflatten",
                "number of leaves differs: like has {}, leaves has {}; must be equal", in_like,
                given);
}

}  // namespace trigon::detail::tree
