// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/tensor.hpp>
#include <trigon/tree.hpp>

// Functions of trees as functions of leaves.

namespace trigon::detail::differentiated {

using tree::TreeOf;
using tree::with_tensors;

using Leaves = std::vector<Tensor>;
/// A function of the leaves of all arguments, which returns those of its result.
using LeafFunction = std::function<Leaves(Leaves leaves)>;

/// f(arguments...) with `leaves` in place of the arguments' leaves.
template <class F, class... Trees>
auto call(F& f, const std::tuple<Trees...>& arguments, Leaves leaves) {
  return std::apply(f, tree_unflatten(arguments, std::move(leaves)));
}

/// `tree` without its tensors: each leaf is the number 0.
template <class Tree>
Tree form_of(const Tree& tree) {
  return tree_map([zero = Tensor(0.0)](const Tensor&) { return zero; }, tree);
}

/// The leaves of `tree`, which must have the structure of `like`. A Tensor may be an empty handle.
template <class Tree>
Leaves leaves_like(const Tree& like, const Tree& tree) {
  Leaves leaves;
  if constexpr (std::is_same_v<Tree, Tensor>) {
    leaves.push_back(tree);
  } else {
    tree::for_each_leaf([&](const Tensor&, const Tensor& leaf) { leaves.push_back(leaf); }, like,
                        tree);
  }
  return leaves;
}

/// The result of f at such trees, which may be any tree.
template <class F, class... Trees>
class ResultOf {
 public:
  using Type = TreeOf<std::decay_t<std::invoke_result_t<F&, Trees...>>>;

  /// Keeps the result of f. References to this, f and the arguments must live.
  LeafFunction function(F& f, const std::tuple<Trees...>& arguments) {
    return [this, &f, &arguments](Leaves leaves) {
      result_.emplace(with_tensors(call(f, arguments, std::move(leaves))));
      return leaves_like(*result_, *result_);
    };
  }
  Type with_leaves(Leaves leaves) { return tree_unflatten(std::move(*result_), std::move(leaves)); }

 private:
  std::optional<Type> result_;
};

}  // namespace trigon::detail::differentiated
