// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/detail/leaf_function.hpp>
#include <trigon/tensor.hpp>
#include <trigon/tree.hpp>

// Reverse-mode differentiation, with JAX's names. Gradients are ordinary graphs: nothing is
// evaluated here, and gradients can be differentiated again.
//
// A function f is differentiated with respect to all of its arguments. Each argument is any tree
// (see tree.hpp) of float32 tensors. Capture the rest: numbers, Scalars, shapes, and tensors of
// integers or without a gradient. Captured values count as constants. f may be an `auto` lambda.
// Each call calls f once, with trees of the arguments' types and values.
//
// The gradient of one argument is a tree of the argument's type; numbers are copied, and empty
// handles stay empty. The gradient of several arguments is a std::tuple of such trees.
//
//   struct Layer { Tensor weight, bias; };
//   auto loss = [&](const Layer& p) { return mean(square(nn::linear(x, p.weight, p.bias) - y)); };
//   auto [value, gradients] = value_and_grad(loss)(layer);  // gradients is a Layer
//   layer = tree_map([](Tensor p, const Tensor& g) { return p - 0.1 * g; }, layer, gradients);

namespace trigon {

/// Tells `grad` and `value_and_grad` that f returns std::pair(loss, aux).
struct HasAux {};
inline constexpr HasAux has_aux{};

/// The results of value_and_grad: `auto [value, gradients] = value_and_grad(f, x)`.
template <class Gradients>
struct ValueAndGradients {
  Tensor value{};
  Gradients gradients{};
};
/// Those of value_and_grad(f, has_aux): `auto [value, aux, gradients] = ...`.
template <class Aux, class Gradients>
struct ValueAuxAndGradients {
  Tensor value;
  Aux aux;
  Gradients gradients;
};
/// Those of grad(f, has_aux).
template <class Gradients, class Aux>
struct GradientsAndAux {
  Gradients gradients;
  Aux aux;
};

namespace detail::differentiated {

using tree::is_pair;

template <class... Trees>
struct Gradients {
  using Type = std::tuple<Trees...>;
};
template <class Tree>
struct Gradients<Tree> {
  using Type = Tree;
};
template <class... Trees>
using GradientsOf = typename Gradients<Trees...>::Type;

template <class T>
inline constexpr bool is_loss_and_aux = false;
template <class Loss, class Aux>
inline constexpr bool is_loss_and_aux<std::pair<Loss, Aux>> = std::is_convertible_v<Loss, Tensor>;

template <bool with_aux, class Result>
constexpr bool check_result() {
  constexpr bool is_loss = std::is_convertible_v<Result, Tensor> && !std::is_arithmetic_v<Result>;
  static_assert(!std::is_arithmetic_v<Result>,
                "trigon: the function to differentiate returns a number of the host, as item() "
                "gives it, which has no gradient; return the Tensor");
  static_assert(!with_aux || is_loss_and_aux<Result>,
                "trigon: with has_aux the function to differentiate must return "
                "std::pair(loss, aux), and its loss must be a Tensor");
  static_assert(with_aux || !is_pair<Result>,
                "trigon: the function to differentiate returns a pair; for a loss and other "
                "values write value_and_grad(f, has_aux)");
  static_assert(with_aux || is_pair<Result> || is_loss || std::is_arithmetic_v<Result>,
                "trigon: the function to differentiate must return a Tensor");
  return with_aux ? is_loss_and_aux<Result> : is_loss;
}

/// Whether f can be called at such trees; a compile error says why not.
template <class F, class... Trees>
constexpr bool check_arguments() {
  constexpr bool are_trees = sizeof...(Trees) > 0 && (!tree::is_number<Trees> && ...);
  static_assert(are_trees,
                "trigon: the arguments to differentiate with respect to must be trees of tensors, "
                "at least one; write Tensor(2.0), and capture numbers, Scalars and shapes");
  if constexpr (are_trees) {
    constexpr bool takes_them = std::is_invocable_v<F&, Trees...>;
    static_assert(takes_them,
                  "trigon: the function to differentiate does not take these arguments; it is "
                  "called with values of their types: write Tensor x or const Tensor& x, not "
                  "Tensor& x");
    return takes_them;
  }
  return false;
}

/// Whether f can be differentiated at such trees; a compile error says why not.
template <bool with_aux, class F, class... Trees>
constexpr bool check() {
  if constexpr (check_arguments<F, Trees...>()) {
    return check_result<with_aux, std::decay_t<std::invoke_result_t<F&, Trees...>>>();
  }
  return false;
}

/// The same for an f that returns any tree.
template <class F, class... Trees>
constexpr bool check_to_tree() {
  if constexpr (check_arguments<F, Trees...>()) {
    using Result = std::decay_t<std::invoke_result_t<F&, Trees...>>;
    constexpr bool is_tree = !std::is_void_v<Result> && !tree::is_number<Result>;
    static_assert(is_tree,
                  "trigon: the function to differentiate must return a Tensor or a tree of "
                  "tensors; a number of the host, as item() gives it, has no gradient");
    return is_tree;
  }
  return false;
}

struct LeafVjp {
  Leaves values;
  std::function<Leaves(const Leaves& dy)> pullback;
};

/// Errors name what is called, as those of the pullback do. `arguments` has the leaves of each
/// argument.
LeafVjp vjp_of(const LeafFunction& f, const std::vector<Leaves>& arguments);
/// The same for a result of one element: its value, and the gradient of each leaf.
ValueAndGradients<Leaves> value_and_grad_of(const LeafFunction& f,
                                            const std::vector<Leaves>& arguments);

template <class... Trees>
std::vector<Leaves> leaves_of(const std::tuple<Trees...>& arguments) {
  return std::apply([](const auto&... each) { return std::vector<Leaves>{tree_leaves(each)...}; },
                    arguments);
}

/// Trees like the arguments, with `leaves` in place of theirs.
template <class... Trees>
GradientsOf<Trees...> gradients_like(const std::tuple<Trees...>& arguments, Leaves leaves) {
  auto trees = tree_unflatten(arguments, std::move(leaves));
  if constexpr (sizeof...(Trees) == 1) {
    return std::get<0>(std::move(trees));
  } else {
    return trees;
  }
}

/// ValueAndGradients, or with aux ValueAuxAndGradients.
template <bool with_aux, class F, class... Trees>
auto value_and_gradients(F& f, const std::tuple<Trees...>& arguments) {
  if constexpr (!check<with_aux, F, Trees...>()) {
    return ValueAndGradients<Tensor>();  // only after a failed static_assert
  } else if constexpr (with_aux) {
    using Aux = TreeOf<typename std::decay_t<std::invoke_result_t<F&, Trees...>>::second_type>;
    std::optional<Aux> aux;
    const auto loss = [&](Leaves leaves) {
      auto result = call(f, arguments, std::move(leaves));
      aux.emplace(with_tensors(std::move(result.second)));
      return Leaves{Tensor(std::move(result.first))};
    };
    auto [value, leaves] = value_and_grad_of(loss, leaves_of(arguments));
    return ValueAuxAndGradients<Aux, GradientsOf<Trees...>>{
        std::move(value), std::move(*aux), gradients_like(arguments, std::move(leaves))};
  } else {
    const auto loss = [&](Leaves leaves) {
      return Leaves{Tensor(call(f, arguments, std::move(leaves)))};
    };
    auto [value, leaves] = value_and_grad_of(loss, leaves_of(arguments));
    return ValueAndGradients<GradientsOf<Trees...>>{std::move(value),
                                                    gradients_like(arguments, std::move(leaves))};
  }
}

/// The type of `value_and_grad(f)`.
template <class F, bool with_aux>
class ValueAndGrad {
 public:
  explicit ValueAndGrad(F f) : f_(std::move(f)) {}
  template <class... Args>
  [[nodiscard]] auto operator()(const Args&... args) {
    return at(f_, args...);
  }
  template <class... Args>
  [[nodiscard]] auto operator()(const Args&... args) const {
    return at(f_, args...);
  }
  template <class G, class... Args>
  static auto at(G& f, const Args&... args) {
    const std::tuple<TreeOf<Args>...> arguments(with_tensors(args)...);
    const core::Called called("value_and_grad");
    return value_and_gradients<with_aux>(f, arguments);
  }

 private:
  F f_;
};

/// The type of `grad(f)`.
template <class F, bool with_aux>
class Grad {
 public:
  explicit Grad(F f) : f_(std::move(f)) {}
  template <class... Args>
  [[nodiscard]] auto operator()(const Args&... args) {
    return at(f_, args...);
  }
  template <class... Args>
  [[nodiscard]] auto operator()(const Args&... args) const {
    return at(f_, args...);
  }
  template <class G, class... Args>
  static auto at(G& f, const Args&... args) {
    const std::tuple<TreeOf<Args>...> arguments(with_tensors(args)...);
    const core::Called called("grad");
    auto all = value_and_gradients<with_aux>(f, arguments);
    if constexpr (with_aux && check<with_aux, G, TreeOf<Args>...>()) {
      return GradientsAndAux<decltype(all.gradients), decltype(all.aux)>{std::move(all.gradients),
                                                                         std::move(all.aux)};
    } else {
      return std::move(all.gradients);
    }
  }

 private:
  F f_;
};

}  // namespace detail::differentiated

/// A function that returns the value of f and its gradients with respect to all arguments. JAX's
/// `value_and_grad`.
///
/// f: a function of trees (see above) that returns a Tensor of one element, float32 or float16.
///
/// Returns a function of f's arguments, which returns ValueAndGradients. value is f's result.
/// gradients is a tree of the argument's type or, for several arguments, a tuple of trees. Each
/// leaf has the shape of the argument's leaf and is float32, zeros if the value does not
/// depend on it.
///
/// The function raises Error when a leaf of an argument is not float32, or when f's result has more
/// than one element or is not a float. It also raises Error when an op between the arguments and
/// the value has no gradient. So it does when f evaluated a tensor that depends on an argument, and
/// the value depends on that tensor. Numbers that f reads, as by item(), are constants.
///
///   auto [loss, gradients] = value_and_grad([&](auto w, auto b) {
///     return mean(square(nn::linear(x, w, b) - y));
///   })(weight, bias);
///   auto& [dw, db] = gradients;
template <class F>
[[nodiscard]] auto value_and_grad(F&& f) {
  return detail::differentiated::ValueAndGrad<std::decay_t<F>, false>(std::forward<F>(f));
}
/// The same for an f that returns std::pair(loss, aux). aux has any type, such as a tree of tensors
/// to look at, and is not differentiated. The function returns ValueAuxAndGradients.
///
///   auto [loss, scores, gradients] = value_and_grad(loss_and_scores, has_aux)(params);
template <class F>
[[nodiscard]] auto value_and_grad(F&& f, HasAux) {
  return detail::differentiated::ValueAndGrad<std::decay_t<F>, true>(std::forward<F>(f));
}
/// The value of f and its gradients at x, ...: value_and_grad(f)(x, ...).
///
///   auto [value, dx] = value_and_grad([](const Tensor& x) { return sum(x * x); }, x);
template <class F, class X, class... More>
  requires(!std::is_same_v<X, HasAux>)
[[nodiscard]] auto value_and_grad(F&& f, const X& x, const More&... more) {
  return detail::differentiated::ValueAndGrad<std::decay_t<F>, false>::at(f, x, more...);
}

/// A function that returns the gradients of f with respect to all arguments. JAX's `grad`.
///
/// f: as for value_and_grad.
///
/// Returns a function of f's arguments. Its gradients and errors are those of value_and_grad.
///
///   Tensor slope = grad(grad([](Tensor x) { return sin(x); }))(Tensor(0.5));  // -sin(0.5)
template <class F>
[[nodiscard]] auto grad(F&& f) {
  return detail::differentiated::Grad<std::decay_t<F>, false>(std::forward<F>(f));
}
/// The same for an f that returns std::pair(loss, aux). The function returns GradientsAndAux.
template <class F>
[[nodiscard]] auto grad(F&& f, HasAux) {
  return detail::differentiated::Grad<std::decay_t<F>, true>(std::forward<F>(f));
}
/// The gradients of f at x, ...: grad(f)(x, ...).
///
///   Tensor dx = grad([](const Tensor& x) { return sum(x * x); }, x);
template <class F, class X, class... More>
  requires(!std::is_same_v<X, HasAux>)
[[nodiscard]] auto grad(F&& f, const X& x, const More&... more) {
  return detail::differentiated::Grad<std::decay_t<F>, false>::at(f, x, more...);
}

/// The value of a function, and the map from its gradient to the arguments' gradients.
template <class Value, class Gradients>
struct Vjp {
  Value value;
  /// Takes dy, a tree like value with leaves of the same shapes, and returns gradients as
  /// value_and_grad does. Raises Error when a leaf of dy has another shape, or when an op between
  /// the arguments and the value has no gradient.
  std::function<Gradients(const Value& dy)> pullback;
};

/// The value of f at x, ..., and its vector-Jacobian product. JAX's `vjp`.
///
/// f: as for value_and_grad, but its result may be any tree, of floats of any shapes.
///
/// Raises Error when a leaf of an argument is not float32, when one of f's result is not a float,
/// and as value_and_grad for a tensor that f evaluated.
///
///   auto [y, pullback] = vjp([&](Tensor w) { return nn::linear(x, w); }, weight);
///   Tensor dw = pullback(dy);  // dy has y's shape
template <class F, class X, class... More>
[[nodiscard]] auto vjp(F&& f, const X& x, const More&... more) {
  namespace own = detail::differentiated;
  using Function = std::remove_reference_t<F>;
  using Gradients = own::GradientsOf<own::TreeOf<X>, own::TreeOf<More>...>;
  if constexpr (own::check_to_tree<Function, own::TreeOf<X>, own::TreeOf<More>...>()) {
    std::tuple<own::TreeOf<X>, own::TreeOf<More>...> arguments(own::with_tensors(x),
                                                               own::with_tensors(more)...);
    own::ResultOf<Function, own::TreeOf<X>, own::TreeOf<More>...> result;
    const detail::core::Called called("vjp");
    own::LeafVjp at = own::vjp_of(result.function(f, arguments), own::leaves_of(arguments));
    auto value = result.with_leaves(std::move(at.values));
    using Value = decltype(value);
    return Vjp<Value, Gradients>{
        value, [arguments = std::move(arguments), like = own::form_of(value),
                pull = std::move(at.pullback)](const Value& dy) {
          return own::gradients_like(arguments, pull(own::leaves_like(like, dy)));
        }};
  }
}

/// x, taken for a constant by gradients.
[[nodiscard]] Tensor stop_gradient(const Tensor& x);

}  // namespace trigon
