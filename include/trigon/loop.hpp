// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/detail/integer.hpp>
#include <trigon/detail/tree_parts.hpp>
#include <trigon/error.hpp>
#include <trigon/tensor.hpp>
#include <trigon/tree.hpp>

// Loops as part of the graph, with JAX's names. The body is called once, and the loop is one node
// of the graph, whatever its number of iterations. A loop whose elements do not read each other is
// one draw.
//
// The state of a loop is any tree (see tree.hpp). Its tensors are the carries: each iteration takes
// them and returns them with the same shapes and dtypes. Its numbers and Scalars are the same in
// every iteration. The body may read any tensor from outside; computations that depend on no carry
// run once, before the loop. While the body is called, its tensors have no values: reading one,
// then or after the loop, raises Error. Loops may be nested, and used in compiled functions.
//
// Loops have derivatives of any order. Forwards (jvp), tangents are further carries of the same
// loop. Backwards (grad, vjp), a second loop runs from the last iteration to the first. It reads
// the carries before each iteration, which the first loop then keeps: their bytes times the
// iterations. The number of iterations must be known: a while_loop needs max_iterations, and runs
// that often again; bounds of a fori_loop must be numbers. Otherwise the gradient raises Error, as
// for a state of 8 axes. While elements have separate conditions, the gradient runs the body for
// those that are finished, too: where it is not finite there, the gradient is NaN.
//
//   struct Spring { Tensor position, velocity; };         // (N,) each
//   Spring last = fori_loop(0, 1000, [&](Tensor i, Spring s) {
//     s.velocity = s.velocity - 0.01 * s.position;
//     s.position = s.position + 0.01 * s.velocity;
//     return s;
//   }, first);

namespace trigon {

/// The first step of a loop, or one past the last: a number, a Scalar (changing it reuses the plan)
/// or an integer tensor of shape ().
class LoopBound {
 public:
  template <std::integral T>
    requires(!std::is_same_v<T, bool>)
  LoopBound(T number) {
    const detail::core::Called called("fori_loop");
    number_ = detail::checked<std::int64_t>(number);
  }
  LoopBound(const Scalar& scalar) : value_(scalar.tensor()) {}
  /// Raises Error for an empty handle. The loop raises Error unless it is an integer of shape ().
  LoopBound(const Tensor& value);

  [[nodiscard]] std::int64_t number() const { return number_; }
  /// An empty handle for a plain number.
  [[nodiscard]] const Tensor& value() const { return value_; }

 private:
  std::int64_t number_ = 0;
  Tensor value_;
};

/// How the gradient of a loop is computed. `fori_loop(0, n, body, init, {.checkpoint = 10})`
struct LoopOptions {
  /// Every how many iterations the state is kept for the gradient, which computes those between two
  /// kept states once more. 1 keeps all. 0 keeps all of up to 2048 iterations that take up to
  /// 256 MiB, and otherwise about the root of their number. Values of the loop do not depend on it.
  std::int64_t checkpoint = 0;
};

/// The results of scan: `auto [state, outputs] = scan(f, init, xs)`.
template <class State, class Y>
struct ScanResult {
  State state;  ///< the last one
  Y outputs;    ///< all of them, stacked
};

namespace detail {

using Leaves = std::vector<Tensor>;

/// The state after an iteration, and the outputs of the iteration.
struct LoopIteration {
  tree::Parts state;
  tree::Parts outputs;
};

/// The body and the condition, with types erased.
using LoopFunction = std::function<LoopIteration(const Tensor& step, Leaves state, Leaves slices)>;
using LoopCondition = std::function<Tensor(Leaves state)>;

/// The leaves of the last state, followed by those of the stacked outputs.
Leaves run_fori_loop(const LoopBound& lower, const LoopBound& upper, const tree::Parts& init,
                     const LoopFunction& body, const LoopOptions& options);
Leaves run_scan(const tree::Parts& init, const tree::Parts& xs, const LoopFunction& body,
                const LoopOptions& options);
Leaves run_while_loop(const tree::Parts& init, const LoopCondition& condition,
                      const LoopFunction& body, std::int64_t max_iterations,
                      const LoopOptions& options);
/// Takes the leaves of each branch, returns those of the result.
Leaves run_cond(const Tensor& predicate, const tree::Parts& yes, const tree::Parts& no);

/// Whether a loop's state and its body's result may have these types; a compile error says why not.
template <class State, class Result>
constexpr bool check_state() {
  constexpr bool changes = !tree::is_number<State>;
  constexpr bool is_kept = std::is_convertible_v<tree::TreeOf<std::decay_t<Result>>, State>;
  static_assert(
      changes,
      "trigon: the state of a loop is a number, which no iteration can change; pass a Tensor");
  static_assert(is_kept, "trigon: the body of a loop must return the type of its state");
  return changes && is_kept;
}

/// Whether a while_loop can call these; a compile error says why not.
template <class Condition, class Body, class State>
constexpr bool check_while() {
  constexpr bool condition_takes = std::is_invocable_v<Condition&, State>;
  constexpr bool body_takes = std::is_invocable_v<Body&, State>;
  static_assert(condition_takes,
                "trigon::while_loop: the condition must take the state: write "
                "[&](const State& state) { ... }");
  static_assert(body_takes,
                "trigon::while_loop: the body must take the state: write [&](State state) { ... }");
  if constexpr (condition_takes && body_takes) {
    return check_state<State, std::invoke_result_t<Body&, State>>();
  }
  return false;
}

/// Whether a fori_loop can call this; a compile error says why not.
template <class Body, class State>
constexpr bool check_fori() {
  constexpr bool takes_both = std::is_invocable_v<Body&, Tensor, State>;
  static_assert(takes_both,
                "trigon::fori_loop: the body must take the step and the state: write "
                "[&](Tensor i, State state) { ... }");
  if constexpr (takes_both) {
    return check_state<State, std::invoke_result_t<Body&, Tensor, State>>();
  }
  return false;
}

/// Whether a cond can call these; a compile error says why not.
template <class Yes, class No, class... Trees>
constexpr bool check_cond() {
  constexpr bool take_them =
      std::is_invocable_v<Yes&, const Trees&...> && std::is_invocable_v<No&, const Trees&...>;
  static_assert(take_them,
                "trigon::cond: both functions must take the arguments that follow them, by value "
                "or const: write [&](const Tensor& x) { ... } for one tensor");
  if constexpr (take_them) {
    using Tree = tree::TreeOf<std::decay_t<std::invoke_result_t<Yes&, const Trees&...>>>;
    using Other = tree::TreeOf<std::decay_t<std::invoke_result_t<No&, const Trees&...>>>;
    constexpr bool is_same = std::is_same_v<Tree, Other>;
    static_assert(is_same, "trigon::cond: both functions must return the same type");
    constexpr bool has_result = !std::is_void_v<Tree>;
    static_assert(has_result, "trigon::cond: both functions must return tensors");
    return is_same && has_result;
  }
  return false;
}

/// Whether f can be the body of a scan; a compile error says why not.
template <class F, class State, class Xs>
constexpr bool check_scan() {
  constexpr bool takes_both = std::is_invocable_v<F&, State, Xs>;
  static_assert(takes_both,
                "trigon::scan: the body must take the state and a slice: write "
                "[&](State state, X x) { ... }");
  if constexpr (takes_both) {
    constexpr bool is_pair = tree::is_pair<std::decay_t<std::invoke_result_t<F&, State, Xs>>>;
    static_assert(is_pair,
                  "trigon::scan: the body must return the state and an output: write "
                  "return std::pair(state, y)");
    if constexpr (is_pair) {
      using Pair = std::decay_t<std::invoke_result_t<F&, State, Xs>>;
      return check_state<State, typename Pair::first_type>();
    }
  }
  return false;
}

/// trigon::scan of trees without Selections.
template <class F, class State, class Xs>
auto scan(F& f, State init, Xs xs, const LoopOptions& options) {
  using Pair = std::decay_t<std::invoke_result_t<F&, State, Xs>>;
  using Y = tree::TreeOf<typename Pair::second_type>;
  std::optional<State> next;
  std::optional<Y> outputs;
  const auto iteration = [&](const Tensor&, Leaves state, Leaves slices) {
    Pair pair = f(tree_unflatten(init, std::move(state)), tree_unflatten(xs, std::move(slices)));
    next.emplace(tree::with_tensors(std::move(pair.first)));
    outputs.emplace(tree::with_tensors(std::move(pair.second)));
    return LoopIteration{tree::Parts(*next), tree::Parts(*outputs)};
  };
  const tree::Parts first(init, true);
  Leaves last = run_scan(first, tree::Parts(xs), iteration, options);
  const auto middle = last.begin() + static_cast<std::ptrdiff_t>(first.tensors.size());
  Leaves ys(middle, last.end());
  last.erase(middle, last.end());
  return ScanResult<State, Y>{tree_unflatten(std::move(init), std::move(last)),
                              tree_unflatten(std::move(*outputs), std::move(ys))};
}

}  // namespace detail

/// The state after `state = body(i, state)` for each i from lower to upper - 1. JAX's `fori_loop`.
///
/// lower, upper: a number, a Scalar or an integer tensor of shape (); with a tensor the loop is a
///     while_loop.
/// body: called once, as body(Tensor i, State state); i is int32 of shape (). Returns a State whose
///     tensors have the shapes and dtypes of those in `init`.
/// init: any tree. Tensors made of host numbers, as `Tensor(0.0)`, count as tensors of their dtype.
///
/// Returns the last state: init if there are no iterations, for example if upper is below lower. If
/// a bound is a Scalar, upper below lower raises Error instead. For Scalars that depend on the
/// arguments of a compiled function, its call raises it. Raises Error when a bound is not an
/// integer of shape (). Also when the body changes the shape or dtype of a carry, the structure of
/// the state, or a number in it.
///
///   Tensor power = fori_loop(0, 10, [&](Tensor, Tensor y) { return y * x; }, ones_like(x));
template <class Body, class State>
[[nodiscard]] detail::tree::TreeOf<State> fori_loop(const LoopBound& lower, const LoopBound& upper,
                                                    Body&& body, State init,
                                                    const LoopOptions& options = {}) {
  using Carry = detail::tree::TreeOf<State>;
  Carry first = detail::tree::with_tensors(std::move(init));
  if constexpr (detail::check_fori<Body, Carry>()) {
    std::optional<Carry> next;
    const auto iteration = [&](const Tensor& step, detail::Leaves state, const detail::Leaves&) {
      next.emplace(
          detail::tree::with_tensors(body(Tensor(step), tree_unflatten(first, std::move(state)))));
      return detail::LoopIteration{detail::tree::Parts(*next), {}};
    };
    const detail::tree::Parts parts(first, true);
    auto leaves = detail::run_fori_loop(lower, upper, parts, iteration, options);
    return tree_unflatten(std::move(first), std::move(leaves));
  } else {
    return first;
  }
}

/// The last state of `(state, y) = f(state, x)` for each x along the first axis of xs, and
/// all y, stacked. JAX's `scan`.
///
/// f: called once, as f(State state, X x). X is the type of xs; the leaves of x are those of xs
///     without the first axis. Returns std::pair<State, Y>. The state's tensors keep their shapes
///     and dtypes; Y is any tree.
/// init: any tree.
/// xs: any tree; its leaves are (T, ...), with the same T.
///
/// Returns the last state, and outputs: a tree of type Y whose leaves are (T, ...). Raises Error
/// when xs has no leaves, when one has no axis or another T, and as fori_loop for the state.
///
///   auto [total, sums] = scan([](Tensor s, Tensor x) {
///     s = s + x;
///     return std::pair(s, s);
///   }, Tensor(0.0), x);  // x: (T,); total: (), sums: (T,)
template <class F, class State, class Xs>
[[nodiscard]] auto scan(F&& f, State init, Xs xs, const LoopOptions& options = {}) {
  if constexpr (detail::check_scan<F, detail::tree::TreeOf<State>, detail::tree::TreeOf<Xs>>()) {
    return detail::scan(f, detail::tree::with_tensors(std::move(init)),
                        detail::tree::with_tensors(std::move(xs)), options);
  } else {
    return ScanResult<Tensor, Tensor>();  // only after a failed static_assert
  }
}

/// The state after repeating `state = body(state)` while the condition holds. JAX's `while_loop`,
/// extended by conditions for each element.
///
/// condition: called once, as condition(State state). Returns a bool tensor with shape () for the
///     whole state, or with one value for each element. The latter has the leading axes of every
///     carry, or 1 for an axis. An element whose condition is false keeps its carries while others
///     go on.
/// body: called once, as body(State state). Returns a State as for fori_loop.
/// init: any tree.
/// max_iterations: the largest number of iterations. The loop ends after 2^29 of them in any case,
///     in profile webgl1 after 2^22.
///
/// Returns the last state. Raises Error when the condition is not bool or does not fit a carry,
/// when max_iterations is negative, and as fori_loop for the state.
///
///   // How often each number is halved until it is odd; n: (N,) int32
///   auto [odd, count] = while_loop(
///       [](std::pair<Tensor, Tensor> s) { return s.first % 2 == 0; },
///       [](std::pair<Tensor, Tensor> s) {
///         return std::pair(floor_divide(s.first, 2), s.second + 1);
///       },
///       std::pair(n, zeros_like(n)));
template <class Condition, class Body, class State>
[[nodiscard]] detail::tree::TreeOf<State> while_loop(
    Condition&& condition, Body&& body, State init,
    std::int64_t max_iterations = std::numeric_limits<std::int64_t>::max(),
    const LoopOptions& options = {}) {
  using Carry = detail::tree::TreeOf<State>;
  Carry first = detail::tree::with_tensors(std::move(init));
  if constexpr (detail::check_while<Condition, Body, Carry>()) {
    const auto holds = [&](detail::Leaves state) {
      return Tensor(condition(tree_unflatten(first, std::move(state))));
    };
    std::optional<Carry> next;
    const auto iteration = [&](const Tensor&, detail::Leaves state, const detail::Leaves&) {
      next.emplace(detail::tree::with_tensors(body(tree_unflatten(first, std::move(state)))));
      return detail::LoopIteration{detail::tree::Parts(*next), {}};
    };
    const detail::tree::Parts parts(first, true);
    auto leaves = detail::run_while_loop(parts, holds, iteration, max_iterations, options);
    return tree_unflatten(std::move(first), std::move(leaves));
  } else {
    return first;
  }
}

/// yes(args...) if the predicate holds, otherwise no(args...). JAX's `cond`, extended by predicates
/// for each element.
///
/// If the predicate has one element, a long side only runs if it is taken. It then is a branch of
/// the shader; draws of products and long reductions always run. A device may run both arms of a
/// branch (llvmpipe). There the draws of the other side are skipped, also those of products,
/// reductions and scatters. Exceptions are while loops, loops within one kernel, and vertex stages
/// without samplers (WebGL 1 promises none). With more predicates `where` selects per element.
///
/// predicate: bool, of shape () or with the leading axes of each result, or 1 for an axis.
/// yes, no: called once each, with args. They return trees of one type, whose tensors have the same
///     shapes and dtypes.
///
/// Raises Error when the predicate is not bool or does not fit a result, and when the results
/// differ in structure, numbers, shapes or dtypes.
///
///   Tensor y = cond(x > 0.0, [](Tensor x) { return sqrt(x); }, [](Tensor x) { return -x; }, x);
template <class Yes, class No, class... Args>
[[nodiscard]] auto cond(const Tensor& predicate, Yes&& yes, No&& no, const Args&... args) {
  using detail::tree::Parts;
  using detail::tree::TreeOf;
  using detail::tree::with_tensors;
  if constexpr (detail::check_cond<Yes, No, TreeOf<Args>...>()) {
    using Tree = TreeOf<std::decay_t<std::invoke_result_t<Yes&, const TreeOf<Args>&...>>>;
    const auto chosen_of = [&](const auto&... each) {
      Tree chosen = with_tensors(yes(each...));
      Tree other = with_tensors(no(each...));
      auto leaves = detail::run_cond(predicate, Parts(chosen), Parts(other));
      return tree_unflatten(std::move(chosen), std::move(leaves));
    };
    return chosen_of(with_tensors(args)...);
  } else {
    return Tensor();  // only after a failed static_assert
  }
}

}  // namespace trigon
