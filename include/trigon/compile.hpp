// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/detail/tree_parts.hpp>
#include <trigon/tensor.hpp>
#include <trigon/tree.hpp>

namespace trigon {

namespace detail {

/// Result of a compiled function's call: a tree like `like`, filled with these values.
struct CallResult {
  std::shared_ptr<const void> like;
  std::vector<Tensor> tensors;
  std::vector<Scalar> scalars;
};

/// The traces of a compiled function, with types erased.
class TraceCache {
 public:
  /// A function's result and its parts.
  struct Result {
    std::shared_ptr<void> tree;
    tree::Parts parts;
  };
  /// Calls the function on the placeholders, which are in the arguments by then.
  using Function = std::function<Result()>;

  TraceCache();
  ~TraceCache();
  TraceCache(const TraceCache&) = delete;
  TraceCache& operator=(const TraceCache&) = delete;

  /// Moves the tensors out of `arguments`.
  CallResult call(tree::Parts& arguments, const Function& f);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Whether a compiled function runs as a plain function here: inside another trace or a gradient.
bool is_inlined();

template <class T>
inline char type_tag = 0;

/// Whether f can be compiled for such arguments; a compile error says why not.
template <class F, class... Trees>
constexpr bool check_compiled() {
  constexpr bool takes_them = std::is_invocable_v<F&, Trees...>;
  static_assert(takes_them,
                "trigon::compile: the function does not take these arguments; it is called with "
                "values of their types: write Tensor x or const Tensor& x, not Tensor& x");
  if constexpr (takes_them) {
    constexpr bool is_tree = !std::is_void_v<std::invoke_result_t<F&, Trees...>>;
    static_assert(is_tree, "trigon::compile: the function must return a tree");
    return is_tree;
  }
  return false;
}

}  // namespace detail

/// A function from `compile`. Copies share the traces.
template <class F>
class [[nodiscard]] Compiled {
 public:
  explicit Compiled(F f) : state_(std::make_shared<State>(std::move(f))) {}

  /// Raises the errors of f and of `eval`.
  template <class... Args>
  [[nodiscard]] auto operator()(Args&&... args) const {
    if constexpr (detail::check_compiled<F, detail::tree::TreeOf<std::decay_t<Args>>...>()) {
      return call(std::forward<Args>(args)...);
    } else {
      return Tensor();  // only after a failed static_assert
    }
  }

 private:
  template <class... Args>
  auto call(Args&&... args) const {
    using detail::tree::TreeOf;
    using detail::tree::with_tensors;
    using Tree = TreeOf<std::decay_t<std::invoke_result_t<F&, TreeOf<std::decay_t<Args>>...>>>;
    using Arguments = std::tuple<TreeOf<std::decay_t<Args>>...>;
    if (detail::is_inlined()) {
      return Tree(with_tensors(std::invoke(state_->f, with_tensors(std::forward<Args>(args))...)));
    }
    Arguments tree{with_tensors(std::forward<Args>(args))...};
    detail::tree::Parts arguments(tree);
    const auto type = reinterpret_cast<std::uintptr_t>(&detail::type_tag<Arguments>);
    arguments.structure.insert(arguments.structure.begin(), type);
    const auto trace = [&]() -> detail::TraceCache::Result {
      // Placeholders that f does not take over end before the plan is made: an argument that
      // something still holds could not be written in place.
      Arguments placeholders = std::move(tree);
      auto result =
          std::make_shared<Tree>(with_tensors(std::apply(state_->f, std::move(placeholders))));
      return {result, detail::tree::Parts(*result)};
    };
    detail::CallResult call = state_->traces.call(arguments, trace);
    Tree result = *static_cast<const Tree*>(call.like.get());
    const detail::tree::Parts parts(result);
    for (std::size_t k = 0; k < parts.tensors.size(); ++k) {
      *parts.tensors[k] = std::move(call.tensors[k]);
    }
    for (std::size_t k = 0; k < parts.scalars.size(); ++k) *parts.scalars[k] = call.scalars[k];
    return result;
  }

  struct State {
    explicit State(F function) : f(std::move(function)) {}
    F f;
    detail::TraceCache traces;
  };
  std::shared_ptr<State> state_;
};

/// Compiles f into one plan. The first call of a kind runs f on placeholders and plans the results.
/// Later calls bind their arguments to that plan and draw: they build no graph and do not call f.
/// MLX's `compile`, JAX's `jit`.
///
/// f: any function of trees (see tree.hpp) that returns a tree. It is called once for each kind of
///     arguments, so it should have no side effects. The tensors that it captures are fixed at that
///     call and kept alive; pass changing values as arguments.
///
/// Calls are of the same kind if their arguments have the same structure, numbers, shapes, dtypes
/// and layouts. The same arguments must also share storage, and the same ones be moved in. The
/// values of tensors and of Scalars may differ. The last 64 kinds are kept.
///
/// - Arguments that are not evaluated yet are evaluated first. If all are made only of numbers, the
///   call runs on the device of the tensors that f captured.
/// - A plain number is part of the kind, so another number calls f again; a Scalar is not.
/// - An argument that is moved in and that nobody else holds may be written in place:
///   `cache = step(std::move(cache), x)`. It is lost if the call throws.
/// - The results are evaluated. Each is a new handle with separate storage, unless f returns an
///   argument or a captured tensor.
/// - While f runs, reading a tensor or a Scalar that depends on the arguments raises Error.
/// - Inside another compiled function, or inside a function that is being differentiated, a call
///   just calls f.
/// - Calls from several threads are safe if f's captures are; a device serves one thread at a time.
///
///   auto step = compile([](Params p, Tensor x, Scalar rate) {
///     Params g = grad([&](const Params& each) { return loss(each, x); }, p);
///     return tree_map([&](Tensor w, const Tensor& d) { return w - rate * d; }, p, g);
///   });
///   for (const Tensor& batch : batches) params = step(std::move(params), batch, 0.01);
template <class F>
[[nodiscard]] Compiled<std::decay_t<F>> compile(F&& f) {
  return Compiled<std::decay_t<F>>(std::forward<F>(f));
}

}  // namespace trigon
