// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/custom_vjp.hpp>
#include <trigon/grad.hpp>
#include <trigon/tensor.hpp>
#include <trigon/tree.hpp>

// Forward-mode differentiation, with JAX's names: derivatives along a direction. Like gradients,
// tangents are ordinary graphs that can be differentiated again, also in reverse. Here loops have
// derivatives, too: the tangents of a loop's state are carried along in the same loop.
//
// Forward mode costs about one more evaluation of f for each direction, and nothing of f is kept.
// For the gradient of one number towards many, use grad.

namespace trigon {

/// The results of jvp: `auto [value, tangent] = jvp(f, x, dx)`.
template <class Value>
struct Jvp {
  Value value;
  Value tangent;  ///< float32 leaves of value's shapes; zeros for those that no x reaches
};

/// The value of a function, and its derivative there as a linear function of a direction.
template <class Value, class Tangent>
struct Linearized {
  Value value;
  /// Takes dx, a tree like x with leaves of the same shapes, and returns the tangent of value.
  /// Raises as jvp does.
  std::function<Value(const Tangent& dx)> jvp;
};

namespace detail::differentiated {

template <class T>
inline constexpr bool is_list_of_arguments = false;
template <class... T>
inline constexpr bool is_list_of_arguments<std::tuple<T...>> = true;

/// Whether f takes the elements of a tuple as its arguments.
template <class F, class X>
inline constexpr bool takes_elements = is_list_of_arguments<X> && !std::is_invocable_v<F&, X>;

template <class F, class... Trees>
ResultOf<F, Trees...> result_of(F&, const std::tuple<Trees...>&) {
  return {};
}

/// A function of leaves and the derivative of its values along leaves of the same shapes.
struct LeafJvp {
  Leaves values;
  std::function<Leaves(const Leaves& dx)> tangents;
};

LeafJvp linearize_of(const LeafFunction& f, const Leaves& x);
/// The values, and their tangents.
std::pair<Leaves, Leaves> jvp_of(const LeafFunction& f, const Leaves& x, const Leaves& dx);

/// The results of jvp, where `arguments` are those of f and dx is a tree like x.
template <class F, class Arguments, class X>
auto jvp_at(F& f, const Arguments& arguments, const X& x, const X& dx) {
  auto result = result_of(f, arguments);
  const core::Called called("jvp");
  auto [values, tangents] =
      jvp_of(result.function(f, arguments), leaves_like(x, x), leaves_like(x, dx));
  auto value = result.with_leaves(std::move(values));
  auto tangent = tree_unflatten(value, std::move(tangents));
  return Jvp<decltype(value)>{std::move(value), std::move(tangent)};
}

template <class F, class Arguments, class X>
auto linearize_at(F& f, const Arguments& arguments, const X& x) {
  auto result = result_of(f, arguments);
  const core::Called called("linearize");
  LeafJvp at = linearize_of(result.function(f, arguments), leaves_like(x, x));
  auto value = result.with_leaves(std::move(at.values));
  using Value = decltype(value);
  return Linearized<Value, X>{
      value, [like = form_of(x), of = form_of(value), push = std::move(at.tangents)](const X& dx) {
        return tree_unflatten(of, push(leaves_like(like, dx)));
      }};
}

template <class F, class X>
constexpr bool check_forward() {
  if constexpr (takes_elements<F, X>) {
    return []<class... Trees>(std::type_identity<std::tuple<Trees...>>) {
      return check_to_tree<F, Trees...>();
    }(std::type_identity<X>());
  } else {
    return check_to_tree<F, X>();
  }
}

/// `at` of f's arguments and of their tree, if f can be differentiated there.
template <class F, class X, class At>
auto with_arguments(F&, const X& x, const At& at) {
  using Tree = TreeOf<X>;
  if constexpr (check_forward<F, Tree>()) {
    const Tree tree = with_tensors(x);
    if constexpr (takes_elements<F, Tree>) {
      return at(tree, tree);
    } else {
      return at(std::tuple<Tree>(tree), tree);
    }
  }
}

/// The type of `custom_jvp(f, rule)`.
template <class F, class Rule>
class CustomJvp {
 public:
  CustomJvp(F f, Rule rule) : f_(std::move(f)), rule_(std::move(rule)) {}

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
    using Dx = GradientsOf<Trees...>;
    constexpr bool takes_result = std::is_invocable_v<const Rule&, Dx, const Trees&..., const Y&>;
    constexpr bool takes_them =
        takes_result || std::is_invocable_v<const Rule&, Dx, const Trees&...>;
    static_assert(takes_them,
                  "trigon::custom_jvp: the rule does not take the tangent dx of f's argument (or "
                  "a std::tuple of tangents), f's arguments, and perhaps f's result: write "
                  "rule(dx, x) or rule(dx, x, y), as no mutable lambda");
    if constexpr (takes_them) {
      const Y y = with_tensors(std::move(found));
      Leaves results = with_forward_rule(tree_leaves(y), tree_leaves(arguments),
                                         rule_at<Y, Trees...>(form_of(y), form_of(arguments)));
      return tree_unflatten(y, std::move(results));
    } else {
      return found;
    }
  }

  template <class Y, class... Trees>
  LeafRule rule_at(Y y, std::tuple<Trees...> arguments) const {
    return [rule = rule_, like = std::move(y), of = std::move(arguments)](Leaves dx, Leaves leaves,
                                                                          Leaves values) {
      const std::tuple<Trees...> x = tree_unflatten(of, std::move(leaves));
      const auto t = gradients_like(of, std::move(dx));
      const auto found = [&](const Trees&... each) {
        if constexpr (std::is_invocable_v<const Rule&, decltype(t), const Trees&..., const Y&>) {
          return rule(t, each..., tree_unflatten(like, std::move(values)));
        } else {
          return rule(t, each...);
        }
      };
      using Found = std::invoke_result_t<decltype(found), const Trees&...>;
      constexpr bool fits = std::is_convertible_v<Found, Y>;
      static_assert(fits,
                    "trigon::custom_jvp: the rule must return a tangent of the type of f's result");
      CollectGradients collect;
      if constexpr (fits) {
        Y tangents = std::apply(found, x);
        const core::Called called("custom_jvp");
        tree::walk(collect, like, tangents);
      }
      return std::move(collect.gradients);
    };
  }

  F f_;
  Rule rule_;
};

}  // namespace detail::differentiated

/// The value of f at x, and its derivative along dx: the Jacobian times dx. JAX's `jvp`.
///
/// f: a function of one tree, or of several if x is a std::tuple of its arguments. Returns any
///     tree. As for value_and_grad, captured values count as constants.
/// x: a tree of float32 tensors.
/// dx: a tree like x with leaves of the same shapes.
///
/// Returns the value and its tangent, a tree like it. A leaf of integers or bool has the tangent
/// zeros, of float32. Where elements are tied, the tangent of max and min is their mean.
///
/// Raises Error when a leaf of x is not float32, when shapes differ, when an op between x and the
/// value has no derivative, and when f evaluated a tensor that depends on x.
///
///   auto [y, dy] = jvp([](Tensor x) { return sin(x); }, Tensor(0.0), Tensor(1.0));  // 0, 1
///   auto [z, dz] = jvp([](Tensor a, Tensor b) { return a * b; }, std::tuple(a, b),
///                      std::tuple(da, db));
template <class F, class X>
[[nodiscard]] auto jvp(F&& f, const X& x, const std::type_identity_t<detail::tree::TreeOf<X>>& dx) {
  namespace own = detail::differentiated;
  return own::with_arguments(f, x, [&](const auto& arguments, const auto& tree) {
    return own::jvp_at(f, arguments, tree, dx);
  });
}

/// The value of f at x, and its derivative there as a function. JAX's `linearize`. f is called
/// once, however many directions follow. The derivative runs f's loops again, with tangents.
///
/// f, x: as for jvp.
///
/// Raises as jvp does.
///
///   auto [y, df] = linearize([](Tensor x) { return x * x; }, Tensor({1.0, 2.0}));
///   Tensor dy = df(Tensor({1.0, 0.0}));  // {2, 0}
template <class F, class X>
[[nodiscard]] auto linearize(F&& f, const X& x) {
  namespace own = detail::differentiated;
  return own::with_arguments(f, x, [&](const auto& arguments, const auto& tree) {
    return own::linearize_at(f, arguments, tree);
  });
}

/// f with a user-defined derivative. JAX's `custom_jvp`. Gradients use it, too: the rule is linear
/// in dx, so its own derivative gives them.
///
/// f: as for custom_vjp.
/// rule: called as rule(dx, x, ..., y), or without y. dx is the tangent of f's argument or, for
///     several, a std::tuple: zeros for leaves without one. x, ... are f's arguments and y is its
///     result. The rule returns the tangent of y: a tree of its type, whose leaves have its shapes,
///     or are empty handles, which mean zeros. It must be linear in dx; otherwise gradients raise
///     Error. Capture by value.
///
/// Returns a function of f's arguments, with f's results. Plans are those of f.
///
/// A jvp raises Error when the rule returns a tangent of a wrong shape or structure.
///
///   const auto softplus = custom_jvp([](Tensor x) { return log1p(exp(x)); },
///                                    [](Tensor dx, Tensor x) { return dx / (1 + exp(-x)); });
///   auto [y, dy] = jvp(softplus, Tensor(0.0), Tensor(1.0));  // dy is 0.5
template <class F, class Rule>
[[nodiscard]] auto custom_jvp(F&& f, Rule&& rule) {
  return detail::differentiated::CustomJvp<std::decay_t<F>, std::decay_t<Rule>>(
      std::forward<F>(f), std::forward<Rule>(rule));
}

}  // namespace trigon
