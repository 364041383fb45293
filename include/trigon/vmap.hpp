// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/custom_vjp.hpp>
#include <trigon/detail/leaf_function.hpp>
#include <trigon/tensor.hpp>
#include <trigon/tree.hpp>

namespace trigon {

/// The axis along which vmap takes slices: of each argument, or of each leaf of the result. A
/// number counts for all of them; std::nullopt stands for an argument that is not sliced.
class MappedAxes {
 public:
  MappedAxes(int axis) : axes_{axis}, is_for_all_(true) {}
  MappedAxes(std::initializer_list<std::optional<int>> axes) : axes_(axes) {}
  MappedAxes(std::vector<std::optional<int>> axes) : axes_(std::move(axes)) {}

  /// One for each of `count`. Raises Error, naming `what`, when another number is given.
  [[nodiscard]] std::vector<std::optional<int>> of(const char* what, std::size_t count) const;

 private:
  std::vector<std::optional<int>> axes_;
  bool is_for_all_ = false;
};

namespace detail::differentiated {

/// The results of f for all slices, stacked. `in_axes` has the axis of each leaf.
Leaves vmap_of(const LeafFunction& f, const Leaves& leaves,
               const std::vector<std::optional<int>>& in_axes, const MappedAxes& out_axes);

/// The type of `vmap(f)`.
template <class F>
class Vmap {
 public:
  Vmap(F f, MappedAxes in_axes, MappedAxes out_axes)
      : f_(std::move(f)), in_axes_(std::move(in_axes)), out_axes_(std::move(out_axes)) {}

  template <class... Args>
  [[nodiscard]] auto operator()(const Args&... args) const {
    if constexpr (check_custom<const F, TreeOf<Args>...>()) {
      const std::tuple<TreeOf<Args>...> arguments(with_tensors(args)...);
      ResultOf<const F, TreeOf<Args>...> result;
      const core::Called called("vmap");
      const std::vector<std::optional<int>> axes = in_axes_.of("in_axes", sizeof...(Args));
      std::vector<std::optional<int>> of_leaves;
      std::size_t k = 0;
      (of_leaves.insert(of_leaves.end(), tree_leaves(args).size(), axes[k++]), ...);
      Leaves values =
          vmap_of(result.function(f_, arguments), tree_leaves(arguments), of_leaves, out_axes_);
      return result.with_leaves(std::move(values));
    }
  }

 private:
  F f_;
  MappedAxes in_axes_, out_axes_;
};

}  // namespace detail::differentiated

/// A function of one example as a function of a batch of them. JAX's `vmap`.
///
/// f: a function of trees that returns a Tensor or a tree of tensors. It is called once, with
///     slices: tensors without the mapped axis and without values. So it may not read them, as by
///     item(). Loops, cond and gradients in f are mapped, too; a condition that differs within the
///     batch becomes one for each element. TRIGON_CHECK=1 does not see indices in f.
/// in_axes: the axis along which each argument's leaves are sliced: 0, another number, negative
///     ones from the end, or for each argument one, such as `{0, std::nullopt}`. All have the same
///     size.
/// out_axes: where the results have that axis; a number, or one for each leaf of the result.
///
/// Returns a function of f's arguments with the mapped axis. It raises Error when sizes differ,
/// when no argument is mapped, when a value would have more than 8 axes, and for a user's kernel
/// that is not elementwise.
///
///   Tensor norms = vmap([](Tensor x) { return sqrt(sum(x * x)); })(points);  // (N, 3) -> (N,)
///   auto each = [&](Tensor x, Tensor y) {  // the gradient of one example
///     return grad([&](Params p) { return loss(p, x, y); }, params);
///   };
///   Params per_example = vmap(each)(inputs, targets);
template <class F>
[[nodiscard]] auto vmap(F&& f, const MappedAxes& in_axes = 0, const MappedAxes& out_axes = 0) {
  return detail::differentiated::Vmap<std::decay_t<F>>(std::forward<F>(f), in_axes, out_axes);
}

}  // namespace trigon
