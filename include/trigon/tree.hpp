// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/detail/members.hpp>
#include <trigon/shape.hpp>
#include <trigon/tensor.hpp>

// Trees: tensors inside ordinary C++ values. A tree is
//
//   - a Tensor: a leaf; an empty handle is no leaf and stays empty
//   - std::tuple, pair, array, vector, optional of trees, and std::map, whose keys are no leaves
//   - an aggregate struct of 1 to 16 members that are trees; nothing has to be declared for it
//   - a number: an arithmetic type, an enum or a Scalar; also a Shape or a std::string. Numbers are
//     no leaves: they are copied.
//
// They nest freely. Leaves are in the order of members and elements, those of a map by key. A C
// array, a struct with a base class, an empty struct and any other type do not compile; a sentence
// says why.
//
//   struct Layer { Tensor weight, bias; bool is_last = false; };
//   using Params = std::map<std::string, std::vector<Layer>>;
//
//   Params next = tree_map([&](const Tensor& p, const Tensor& g) { return p - rate * g; },
//                          params, gradients);

namespace trigon {

namespace detail::tree {

template <class T>
inline constexpr bool is_number =
    std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, Scalar> ||
    std::is_same_v<T, Shape> || std::is_same_v<T, std::string>;

template <class T>
inline constexpr bool is_vector = false;
template <class T, class A>
inline constexpr bool is_vector<std::vector<T, A>> = true;
template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t N>
inline constexpr bool is_array<std::array<T, N>> = true;
template <class T>
inline constexpr bool is_map = false;
template <class K, class T, class C, class A>
inline constexpr bool is_map<std::map<K, T, C, A>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_tuple = false;
template <class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;
template <class A, class B>
inline constexpr bool is_tuple<std::pair<A, B>> = true;

[[noreturn]] void throw_sizes_differ(const char* container, std::size_t first, std::size_t other);
[[noreturn]] void throw_presence_differs(const char* what);
[[noreturn]] void throw_keys_differ();
[[noreturn]] void throw_leaf_count(std::size_t in_like, std::size_t given);

inline void check_sizes(const char* container, std::size_t first, std::size_t other) {
  if (first != other) throw_sizes_differ(container, first, other);
}

template <class Visitor, class T, class... More>
void walk(Visitor& visitor, T& tree, More&... more);

/// Walks the part of a container that has this number or key, and tells visitors that keep track of
/// where they are.
template <class Visitor, class Key, class T, class... More>
void walk_part(Visitor& visitor, const Key& key, T& tree, More&... more) {
  if constexpr (requires { visitor.enter(key); }) {
    visitor.enter(key);
    walk(visitor, tree, more...);
    visitor.leave();
  } else {
    walk(visitor, tree, more...);
  }
}

template <class Visitor, class T, class... More>
void walk_map(Visitor& visitor, T& tree, More&... more) {
  (check_sizes("map", tree.size(), more.size()), ...);
  visitor.count(tree.size());
  for (auto& [key, value] : tree) {
    ((more.contains(key) ? void() : throw_keys_differ()), ...);
    visitor.number(key);
    walk_part(visitor, key, value, more.find(key)->second...);
  }
}

template <class Visitor, class T, class... More>
void walk_optional(Visitor& visitor, T& tree, More&... more) {
  [[maybe_unused]] const auto same = [&](bool other) {
    if (other != tree.has_value()) throw_presence_differs("an optional's value");
  };
  (same(more.has_value()), ...);
  visitor.count(tree.has_value() ? 1 : 0);
  if (tree.has_value()) walk(visitor, *tree, *more...);
}

template <class Visitor, class T, class... More>
void walk_vector(Visitor& visitor, T& tree, More&... more) {
  visitor.count(tree.size());
  if constexpr (is_number<typename T::value_type>) {
    for (std::size_t k = 0; k < tree.size(); ++k) {
      // An element of std::vector<bool> is a proxy.
      if constexpr (std::is_same_v<typename T::value_type, bool>) {
        visitor.number(static_cast<bool>(tree[k]));
      } else {
        visitor.number(tree[k]);
      }
    }
  } else {
    (check_sizes("vector", tree.size(), more.size()), ...);
    for (std::size_t k = 0; k < tree.size(); ++k) walk_part(visitor, k, tree[k], more[k]...);
  }
}

template <std::size_t... I, class Visitor, class T, class... More>
void walk_tuple(std::index_sequence<I...>, Visitor& visitor, T& tree, More&... more) {
  [[maybe_unused]] const auto one = [&](auto k) {
    walk_part(visitor, k.value, std::get<k.value>(tree), std::get<k.value>(more)...);
  };
  (one(std::integral_constant<std::size_t, I>{}), ...);
}

/// Calls visitor.tensor, .number and .count (of a container) for each part of `tree`, together with
/// the same part of the trees in `more`, which are of the same type.
template <class Visitor, class T, class... More>
void walk(Visitor& visitor, T& tree, More&... more) {
  using Plain = std::remove_const_t<T>;
  static_assert(!std::is_array_v<Plain>,
                "trigon: a C array cannot be part of a tree; use std::array or std::vector");
  if constexpr (std::is_same_v<Plain, Tensor>) {
    visitor.tensor(tree, more...);
  } else if constexpr (is_number<Plain>) {
    visitor.number(tree);
  } else if constexpr (is_vector<Plain>) {
    walk_vector(visitor, tree, more...);
  } else if constexpr (is_array<Plain>) {
    for (std::size_t k = 0; k < tree.size(); ++k) walk_part(visitor, k, tree[k], more[k]...);
  } else if constexpr (is_map<Plain>) {
    walk_map(visitor, tree, more...);
  } else if constexpr (is_optional<Plain>) {
    walk_optional(visitor, tree, more...);
  } else if constexpr (is_tuple<Plain>) {
    walk_tuple(std::make_index_sequence<std::tuple_size_v<Plain>>(), visitor, tree, more...);
  } else if constexpr (members::check<Plain>() && !std::is_array_v<Plain>) {
    auto parts = std::make_tuple(members::tie(tree), members::tie(more)...);
    std::apply(
        [&](auto&... ties) {
          walk_tuple(std::make_index_sequence<members::count<Plain>>(), visitor, ties...);
        },
        parts);
  }
}

struct Visitor {
  template <class T>
  void number(const T&) {}
  void count(std::size_t) {}
};

template <class F>
struct Map : Visitor {
  F& f;
  explicit Map(F& function) : f(function) {}

  template <class... More>
  void tensor(Tensor& leaf, const More&... more) {
    [[maybe_unused]] const auto same = [&](const Tensor& other) {
      if (other.has_value() != leaf.has_value()) throw_presence_differs("a tensor");
    };
    (same(more), ...);
    if (leaf.has_value()) leaf = f(std::move(leaf), more...);
  }
};

struct Collect : Visitor {
  std::vector<Tensor> leaves;

  void tensor(const Tensor& leaf) {
    if (leaf.has_value()) leaves.push_back(leaf);
  }
};

struct Take : Visitor {
  std::vector<Tensor> leaves;

  void tensor(Tensor& leaf) {
    if (leaf.has_value()) leaves.push_back(std::move(leaf));
  }
};

struct Replace : Visitor {
  std::vector<Tensor>& leaves;
  std::size_t next = 0;
  explicit Replace(std::vector<Tensor>& values) : leaves(values) {}

  void tensor(Tensor& leaf) {
    if (!leaf.has_value()) return;
    if (next < leaves.size()) leaf = std::move(leaves[next]);
    ++next;
  }
};

}  // namespace detail::tree

/// The leaves of a tree in order, empty handles left out. JAX's `tree_leaves`.
///
/// tree: any tree. One that is moved in gives its handles away, so that nothing else holds their
///     tensors: its leaves are empty handles afterwards.
///
/// Returns as many tensors as the tree has leaves.
template <class Tree>
std::vector<Tensor> tree_leaves(const Tree& tree) {
  detail::tree::Collect collect;
  detail::tree::walk(collect, tree);
  return std::move(collect.leaves);
}
template <class Tree>
  requires(!std::is_reference_v<Tree> && !std::is_const_v<Tree>)
std::vector<Tensor> tree_leaves(Tree&& tree) {
  detail::tree::Take take;
  detail::tree::walk(take, tree);
  return std::move(take.leaves);
}

/// A tree like `like`, its leaves replaced in order. JAX's `tree_unflatten`, with an example in
/// place of a description.
///
/// like: any tree; its numbers are copied and its empty handles stay empty.
/// leaves: one tensor for each leaf of `like`, of any shape and dtype.
///
/// Raises Error when the number of leaves differs.
///
///   Params same = tree_unflatten(params, tree_leaves(params));
template <class Tree>
std::decay_t<Tree> tree_unflatten(Tree&& like, std::vector<Tensor> leaves) {
  std::decay_t<Tree> result = std::forward<Tree>(like);
  detail::tree::Replace replace(leaves);
  detail::tree::walk(replace, result);
  if (replace.next != leaves.size()) {
    detail::tree::throw_leaf_count(replace.next, leaves.size());
  }
  return result;
}

/// f applied to each leaf, in a tree of the same type. JAX's `tree_map`.
///
/// f: called as f(Tensor, const Tensor&...) for each leaf of `tree` and the leaves in its place in
///     `more`; returns a Tensor of any shape and dtype.
/// tree: any tree. Its numbers are copied to the result. Where it is moved in, f gets the only
///     handle, so a write to the leaf can be in place.
/// more: trees of the same type and structure; their numbers are not looked at.
///
/// Raises Error when vectors differ in size, maps in their keys, or a tensor or an optional's value
/// is there in some of the trees only.
///
///   Params half = tree_map([](const Tensor& p) { return p * 0.5; }, params);
template <class F, class Tree, class... More>
std::decay_t<Tree> tree_map(F&& f, Tree&& tree, const More&... more) {
  static_assert((std::is_same_v<std::decay_t<Tree>, More> && ...),
                "trigon::tree_map: all trees must be of the same type");
  std::decay_t<Tree> result = std::forward<Tree>(tree);
  detail::tree::Map<std::remove_reference_t<F>> map(f);
  detail::tree::walk(map, result, more...);
  return result;
}

}  // namespace trigon
