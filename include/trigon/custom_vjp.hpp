// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/grad.hpp>
#include <trigon/tensor.hpp>
#include <trigon/tree.hpp>

namespace trigon {

namespace detail::differentiated {

/// A rule on leaves: the arguments' gradients from those of the values.
using LeafRule = std::function<Leaves(Leaves dy, Leaves arguments, Leaves values)>;

/// The values of a function of the arguments, with the rule as its gradient. The rule returns a
/// gradient for each argument, or an empty handle.
Leaves with_rule(const Leaves& values, const Leaves& arguments, LeafRule rule);
/// The same for a rule that gets the tangents of the arguments and returns one for each value.
Leaves with_forward_rule(const Leaves& values, const Leaves& arguments, LeafRule rule);

/// The gradients for the leaves of the arguments.
struct CollectGradients {
  Leaves gradients;

  void tensor(const Tensor& leaf, const Tensor& gradient) {
    if (leaf.has_value()) gradients.push_back(gradient);
  }
  template <class T>
  void number(const T&) {}
  void count(std::size_t) {}
};

/// Whether f can be called at such trees to be transformed; a compile error says why not.
template <class F, class... Trees>
constexpr bool check_custom() {
  constexpr bool are_trees = sizeof...(Trees) > 0 && (!tree::is_number<Trees> && ...);
  static_assert(are_trees,
                "trigon: the arguments of the function to transform must be trees of tensors, at "
                "least one; capture numbers, Scalars and shapes");
  constexpr bool takes_them = std::is_invocable_v<F&, const Trees&...>;
  static_assert(takes_them,
                "trigon: the function to transform does not take these arguments; it is called as "
                "const, with values of their types: write Tensor x or const Tensor& x, not "
                "Tensor& x, and no mutable lambda");
  if constexpr (are_trees && takes_them) {
    using Result = std::decay_t<std::invoke_result_t<F&, const Trees&...>>;
    constexpr bool is_tree = !std::is_void_v<Result> && !tree::is_number<TreeOf<Result>>;
    static_assert(is_tree,
                  "trigon: the function to transform must return a Tensor or a tree of tensors");
    return is_tree;
  }
  return false;
}

template <class Rule, class Y, class... Trees>
constexpr bool check_rule() {
  constexpr bool takes_result = std::is_invocable_v<Rule&, const Y&, const Trees&..., const Y&>;
  constexpr bool takes_them = takes_result || std::is_invocable_v<Rule&, const Y&, const Trees&...>;
  static_assert(takes_them,
                "trigon::custom_vjp: the rule does not take the gradient dy of f's result, f's "
                "arguments, and perhaps f's result: write rule(dy, x) or rule(dy, x, y), as no "
                "mutable lambda");
  return takes_them;
}

template <class Gradients>
constexpr bool check_gradients() {
  constexpr bool are_there = !std::is_void_v<Gradients>;
  static_assert(are_there,
                "trigon::custom_vjp: the rule returns nothing; it must return a gradient of the "
                "argument's type or, for several arguments, a std::tuple of them");
  return are_there;
}

/// The type of `custom_vjp(f, rule)`.
template <class F, class Rule>
class CustomVjp {
 public:
  CustomVjp(F f, Rule rule) : f_(std::move(f)), rule_(std::move(rule)) {}

  template <class... Args>
  [[nodiscard]] auto operator()(const Args&... args) const {
    if constexpr (check_custom<const F, TreeOf<Args>...>()) {
      return at(std::tuple<TreeOf<Args>...>(with_tensors(args)...));
    }
  }

 private:
  template <class... Trees>
  auto at(const std::tuple<Trees...>& arguments) const {
    auto found = std::apply(f_, arguments);
    using Y = TreeOf<decltype(found)>;
    if constexpr (check_rule<const Rule, Y, Trees...>()) {
      const Y y = with_tensors(std::move(found));
      Leaves results = with_rule(tree_leaves(y), all_leaves(arguments),
                                 rule_at<Y, Trees...>(form_of(y), form_of(arguments)));
      return tree_unflatten(y, std::move(results));
    } else {
      return found;
    }
  }

  template <class... Trees>
  static Leaves all_leaves(const std::tuple<Trees...>& arguments) {
    return tree_leaves(arguments);
  }

  template <class Y, class... Trees>
  LeafRule rule_at(Y y, std::tuple<Trees...> arguments) const {
    return [rule = rule_, like = std::move(y), of = std::move(arguments)](Leaves dy, Leaves leaves,
                                                                          Leaves values) {
      const Y g = tree_unflatten(like, std::move(dy));
      const std::tuple<Trees...> x = tree_unflatten(of, std::move(leaves));
      const auto found = [&](const Trees&... each) {
        if constexpr (std::is_invocable_v<const Rule&, const Y&, const Trees&..., const Y&>) {
          return rule(g, each..., tree_unflatten(like, std::move(values)));
        } else {
          return rule(g, each...);
        }
      };
      CollectGradients collect;
      if constexpr (check_gradients<std::invoke_result_t<decltype(found), const Trees&...>>()) {
        std::tuple<Trees...> gradients = result_of<Trees...>(std::apply(found, x));
        const core::Called called("custom_vjp");
        tree::walk(collect, x, gradients);
      }
      return std::move(collect.gradients);
    };
  }

  template <class... Trees, class Found>
  static std::tuple<Trees...> result_of(Found&& found) {
    constexpr bool is_single = sizeof...(Trees) == 1;
    constexpr bool fits = std::is_constructible_v<std::tuple<Trees...>, Found> ||
                          (is_single && std::is_convertible_v<Found, GradientsOf<Trees...>>);
    static_assert(fits,
                  "trigon::custom_vjp: the rule must return a gradient of the argument's type or, "
                  "for several arguments, a std::tuple of them");
    if constexpr (fits) return std::tuple<Trees...>(std::forward<Found>(found));
  }

  F f_;
  Rule rule_;
};

}  // namespace detail::differentiated

/// f with a user-defined gradient. JAX's `custom_vjp`.
///
/// f: a function of trees that returns a Tensor or a tree of tensors. Captured values count as
///     constants.
/// rule: called as rule(dy, x, ..., y), or without y. dy is a tree like f's result with the
///     gradients towards its leaves: zeros where the value does not depend on a leaf. x, ... are
///     f's arguments and y is its result. The rule returns the gradient of x or, for several
///     arguments, a std::tuple. A gradient is a tree of the argument's type. Each of its leaves has
///     the shape of the argument's leaf, or is an empty handle, which means none. The rule itself
///     may be differentiated. It is called whenever a gradient is taken, perhaps after the function
///     that made it has returned, so capture by value.
///
/// Returns a function of f's arguments, with f's results. Gradients pass through it by the rule
/// alone, so f may contain loops and kernels. Plans are those of f.
///
/// A vjp raises Error when the rule returns a gradient of a wrong shape or structure. The rule is
/// never called for results of integers or bool, which have no gradient.
///
///   const auto clipped = custom_vjp([](Tensor x) { return x; },
///                                   [](Tensor dy, Tensor) { return clip(dy, -1.0, 1.0); });
///   Tensor dx = grad([&](Tensor x) { return sum(square(clipped(x))); })(Tensor({3.0, 0.1}));
template <class F, class Rule>
[[nodiscard]] auto custom_vjp(F&& f, Rule&& rule) {
  return detail::differentiated::CustomVjp<std::decay_t<F>, std::decay_t<Rule>>(
      std::forward<F>(f), std::forward<Rule>(rule));
}

}  // namespace trigon
