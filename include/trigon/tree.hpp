// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/detail/members.hpp>
#include <trigon/detail/shape_class.hpp>
#include <trigon/tensor.hpp>

// Trees: tensors inside ordinary C++ values. A tree is
//
//   - a Tensor: a leaf; an empty handle is not a leaf and stays empty. A Selection, such as x(0) of
//     a variable, counts as the Tensor that it selects, and becomes a Tensor in results
//   - std::tuple, pair, array, vector or optional of trees, or std::map, whose keys are not leaves
//   - an aggregate struct of 1 to 16 members that are trees; it needs no declaration
//   - a number: an arithmetic type, an enum or a Scalar; also a Shape or a std::string. Numbers are
//     not leaves: they are copied.
//
// They nest freely. Leaves are in the order of members and elements, those of a map by key. Other
// types do not compile, and a message says why: C arrays, empty structs, and structs with a base
// class or with a Selection as a member.
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
template <class T>
inline constexpr bool is_pair = false;
template <class A, class B>
inline constexpr bool is_pair<std::pair<A, B>> = true;

template <class T>
struct WithTensors {
  using Type = std::conditional_t<std::is_base_of_v<Tensor, T>, Tensor, T>;
};
/// The type of a tree, with Tensor in place of Selection.
template <class T>
using TreeOf = typename WithTensors<T>::Type;
template <class T, class A>
struct WithTensors<std::vector<T, A>> {
  using Type =
      std::conditional_t<std::is_same_v<T, TreeOf<T>>, std::vector<T, A>, std::vector<TreeOf<T>>>;
};
template <class T, std::size_t N>
struct WithTensors<std::array<T, N>> {
  using Type = std::array<TreeOf<T>, N>;
};
template <class K, class T, class C, class A>
struct WithTensors<std::map<K, T, C, A>> {
  using Type = std::conditional_t<std::is_same_v<T, TreeOf<T>>, std::map<K, T, C, A>,
                                  std::map<K, TreeOf<T>, C>>;
};
template <class T>
struct WithTensors<std::optional<T>> {
  using Type = std::optional<TreeOf<T>>;
};
template <class... T>
struct WithTensors<std::tuple<T...>> {
  using Type = std::tuple<TreeOf<T>...>;
};
template <class A, class B>
struct WithTensors<std::pair<A, B>> {
  using Type = std::pair<TreeOf<A>, TreeOf<B>>;
};

/// `part` of a container of type T&&: an rvalue if the container is an rvalue.
template <class T, class Part>
decltype(auto) part_of(Part& part) {
  if constexpr (std::is_lvalue_reference_v<T>) {
    return static_cast<Part&>(part);
  } else {
    return static_cast<Part&&>(part);
  }
}

/// The tree with Tensors in place of Selections: a TreeOf, or a reference to `tree` itself if it
/// has no Selections.
template <class T>
decltype(auto) with_tensors(T&& tree) {
  using From = std::remove_cvref_t<T>;
  using To = TreeOf<From>;
  if constexpr (std::is_same_v<From, To>) {
    return static_cast<T&&>(tree);
  } else if constexpr (std::is_same_v<To, Tensor>) {
    return Tensor(std::forward<T>(tree));
  } else if constexpr (is_vector<From>) {
    To result;
    result.reserve(tree.size());
    for (auto& part : tree) result.push_back(with_tensors(part_of<T>(part)));
    return result;
  } else if constexpr (is_map<From>) {
    To result(tree.key_comp());
    for (auto& [key, part] : tree) {
      result.emplace_hint(result.end(), key, with_tensors(part_of<T>(part)));
    }
    return result;
  } else if constexpr (is_optional<From>) {
    return tree.has_value() ? To(with_tensors(*std::forward<T>(tree))) : To();
  } else {
    return std::apply(
        [](auto&&... parts) { return To{with_tensors(std::forward<decltype(parts)>(parts))...}; },
        std::forward<T>(tree));
  }
}

[[noreturn]] void throw_sizes_differ(const char* container, std::size_t first, std::size_t other);
[[noreturn]] void throw_presence_differs(const char* what);
[[noreturn]] void throw_keys_differ();
[[noreturn]] void throw_leaf_count(std::size_t in_like, std::size_t given);

inline void check_sizes(const char* container, std::size_t first, std::size_t other) {
  if (first != other) throw_sizes_differ(container, first, other);
}

template <class Visitor, class T, class... More>
void walk(Visitor& visitor, T& tree, More&... more);

/// Walks the part of a container with this position or key, and passes it to visitors that track
/// their place.
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

/// Calls visitor.tensor, .number and .count (for a container) for each part of `tree`, with the
/// same part of the trees in `more`, which have the same type.
template <class Visitor, class T, class... More>
void walk(Visitor& visitor, T& tree, More&... more) {
  using Plain = std::remove_const_t<T>;
  static_assert(!std::is_array_v<Plain>,
                "trigon: a C array cannot be part of a tree; use std::array or std::vector");
  if constexpr (std::is_base_of_v<Tensor, Plain>) {
    constexpr bool is_tensor = std::is_same_v<Plain, Tensor>;
    static_assert(is_tensor,
                  "trigon: a struct with a Selection as a member cannot be part of a tree; declare "
                  "the member as a Tensor");
    if constexpr (is_tensor) visitor.tensor(tree, more...);
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

/// Calls f for each leaf, with the same leaves of other trees.
template <class F>
struct EachLeaf {
  F& f;

  template <class Leaf, class... More>
  void tensor(Leaf& leaf, const More&... more) {
    [[maybe_unused]] const auto same = [&](const Tensor& other) {
      if (other.has_value() != leaf.has_value()) throw_presence_differs("a tensor");
    };
    (same(more), ...);
    if (leaf.has_value()) f(leaf, more...);
  }
  template <class T>
  void number(const T&) {}
  void count(std::size_t) {}
};

template <class F, class T, class... More>
void for_each_leaf(F&& f, T& tree, const More&... more) {
  EachLeaf<std::remove_reference_t<F>> each{f};
  walk(each, tree, more...);
}

}  // namespace detail::tree

/// The leaves of a tree in order, empty handles left out. JAX's `tree_leaves`.
///
/// tree: any tree. If it is moved in, its handles are moved out, so that it no longer holds their
///     tensors: its leaves are empty handles afterwards.
///
/// Returns as many tensors as the tree has leaves.
template <class Tree>
[[nodiscard]] std::vector<Tensor> tree_leaves(const Tree& tree) {
  std::vector<Tensor> leaves;
  const auto& tensors = detail::tree::with_tensors(tree);
  detail::tree::for_each_leaf([&](const Tensor& leaf) { leaves.push_back(leaf); }, tensors);
  return leaves;
}
template <class Tree>
  requires(!std::is_reference_v<Tree> && !std::is_const_v<Tree>)
[[nodiscard]] std::vector<Tensor> tree_leaves(Tree&& tree) {
  std::vector<Tensor> leaves;
  auto&& tensors = detail::tree::with_tensors(std::forward<Tree>(tree));
  detail::tree::for_each_leaf([&](Tensor& leaf) { leaves.push_back(std::move(leaf)); }, tensors);
  return leaves;
}

/// A tree like `like` with its leaves replaced in order. JAX's `tree_unflatten`, with an example
/// tree instead of a treedef.
///
/// like: any tree; its numbers are copied and its empty handles stay empty.
/// leaves: one tensor for each leaf of `like`, of any shape and dtype.
///
/// Raises Error when the number of leaves differs.
///
///   Params same = tree_unflatten(params, tree_leaves(params));
template <class Tree>
[[nodiscard]] detail::tree::TreeOf<std::decay_t<Tree>> tree_unflatten(Tree&& like,
                                                                      std::vector<Tensor> leaves) {
  detail::tree::TreeOf<std::decay_t<Tree>> result =
      detail::tree::with_tensors(std::forward<Tree>(like));
  std::size_t next = 0;
  const auto replace = [&](Tensor& leaf) {
    if (next < leaves.size()) leaf = std::move(leaves[next]);
    ++next;
  };
  detail::tree::for_each_leaf(replace, result);
  if (next != leaves.size()) detail::tree::throw_leaf_count(next, leaves.size());
  return result;
}

/// f applied to each leaf, in a tree of the same type. JAX's `tree_map`.
///
/// f: called as f(Tensor, const Tensor&...) with each leaf of `tree` and the corresponding leaves
///     of `more`; returns a Tensor of any shape and dtype.
/// tree: any tree. Its numbers are copied to the result. If it is moved in, f gets the only handle,
///     so a write to the leaf can be in place.
/// more: trees of the same type and structure; their numbers are ignored.
///
/// Raises Error when vectors differ in size, maps differ in their keys, or only some of the trees
/// have a tensor or an optional's value.
///
///   Params half = tree_map([](const Tensor& p) { return p * 0.5; }, params);
template <class F, class Tree, class... More>
[[nodiscard]] detail::tree::TreeOf<std::decay_t<Tree>> tree_map(F&& f, Tree&& tree,
                                                                const More&... more) {
  using Mapped = detail::tree::TreeOf<std::decay_t<Tree>>;
  static_assert((std::is_same_v<Mapped, detail::tree::TreeOf<More>> && ...),
                "trigon::tree_map: all trees must be of the same type");
  Mapped result = detail::tree::with_tensors(std::forward<Tree>(tree));
  const auto map = [&](Tensor& leaf, const auto&... others) {
    leaf = f(std::move(leaf), others...);
  };
  const auto walk = [&](const auto&... tensors) {
    detail::tree::for_each_leaf(map, result, tensors...);
  };
  walk(detail::tree::with_tensors(more)...);
  return result;
}

namespace detail::tree {

template <class... T>
inline constexpr bool are_roots =
    (std::is_base_of_v<Tensor, T> && ...) ||
    (sizeof...(T) == 1 && (std::is_convertible_v<const T&, std::span<const Tensor>> && ...));

}  // namespace detail::tree

/// Computes the leaves of trees in one plan: `eval(loss, params)`. Empty handles are left out.
/// Raises as eval of tensors.
template <class First, class... More>
  requires(!detail::tree::are_roots<First, More...> && !detail::tree::is_number<First> &&
           (!detail::tree::is_number<More> && ...))
void eval(const First& first, const More&... more) {
  std::vector<Tensor> roots;
  const auto add = [&](const auto& tree) {
    for (Tensor& leaf : tree_leaves(tree)) roots.push_back(std::move(leaf));
  };
  add(first);
  (add(more), ...);
  eval(roots);
}

}  // namespace trigon
