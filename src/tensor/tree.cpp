// SPDX-License-Identifier: MIT
#include "trigon/tree.hpp"

#include <fmt/format.h>

#include "core/called.hpp"
#include "trigon/detail/tree_parts.hpp"

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

void Parts::tensor(Tensor& leaf) {
  structure.push_back(leaf.has_value() ? 1 : 0);
  if (!leaf.has_value()) return;
  tensors.push_back(&leaf);
  if (notes_places_) places.push_back(place_);
}

void Parts::number(const std::string& text) {
  numbers.push_back(text.size());
  for (const char letter : text) numbers.push_back(static_cast<unsigned char>(letter));
}

void Parts::number(const Shape& shape) {
  numbers.push_back(static_cast<std::uint64_t>(shape.rank()));
  for (const std::int64_t dim : shape) numbers.push_back(static_cast<std::uint64_t>(dim));
}

void Parts::enter_part(const std::string& name) {
  lengths_.push_back(place_.size());
  place_ += '[' + name + ']';
}

void Parts::leave() {
  if (!notes_places_) return;
  place_.resize(lengths_.back());
  lengths_.pop_back();
}

}  // namespace trigon::detail::tree
