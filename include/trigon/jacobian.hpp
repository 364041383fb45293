// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/create.hpp>
#include <trigon/grad.hpp>
#include <trigon/jvp.hpp>
#include <trigon/shape.hpp>
#include <trigon/tensor.hpp>
#include <trigon/tree.hpp>
#include <trigon/vmap.hpp>

// Jacobians, with JAX's names: derivatives of each element of a function's value towards each
// element of its argument.

namespace trigon {

namespace detail::differentiated {

template <class F, class X>
constexpr bool check_jacobian() {
  if constexpr (check_to_tree<F, X>()) {
    using Result = TreeOf<std::decay_t<std::invoke_result_t<F&, X>>>;
    constexpr bool is_tensor = std::is_same_v<Result, Tensor>;
    static_assert(is_tensor, "trigon: the function of a Jacobian must return a Tensor");
    return is_tensor;
  }
  return false;
}

/// The directions along each element of a tensor of this shape: (size, shape...).
Tensor directions(const Shape& shape);
/// The shape of a Jacobian's leaf.
Shape jacobian_shape(const Shape& value, const Shape& argument);

template <class F, class X>
auto jacobian_forward(F& f, const X& x) {
  const core::Called called("jacfwd");
  const auto at = linearize(f, x);
  const Leaves leaves = tree_leaves(x);
  Leaves columns;
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    const auto column = [&](const Tensor& direction) {
      Leaves all;
      for (const Tensor& leaf : leaves) all.push_back(zeros(leaf.shape()));
      all[k] = direction;
      return at.jvp(tree_unflatten(x, std::move(all)));
    };
    const Tensor all = vmap(column, 0, -1)(directions(leaves[k].shape()));
    columns.push_back(reshape(all, jacobian_shape(at.value.shape(), leaves[k].shape())));
  }
  return tree_unflatten(x, std::move(columns));
}

template <class F, class X>
auto jacobian_reverse(F& f, const X& x) {
  const core::Called called("jacrev");
  const auto [value, pullback] = vjp(f, x);
  const auto rows = vmap(pullback)(directions(value.shape()));
  const Shape shape = value.shape();
  return tree_map(
      [&](const Tensor& row, const Tensor& leaf) {
        return reshape(row, jacobian_shape(shape, leaf.shape()));
      },
      rows, x);
}

}  // namespace detail::differentiated

/// The Jacobian of f at x by forward mode: one product for each element of x, all at once. JAX's
/// `jacfwd`. For few inputs and many outputs.
///
/// f: a function of one tree of float32 tensors that returns a Tensor of any shape.
///
/// Returns a function of x. It returns a tree like x whose leaves are of shape (value's shape...,
/// leaf's shape...), 8 axes at most. It raises Error as jvp and vmap do.
///
///   Tensor j = jacfwd([](Tensor x) { return x * x; })(Tensor({1.0, 2.0}));  // {{2, 0}, {0, 4}}
template <class F>
[[nodiscard]] auto jacfwd(F&& f) {
  return [f = std::decay_t<F>(std::forward<F>(f))]<class X>(const X& x) {
    namespace differentiated = detail::differentiated;
    using Tree = differentiated::TreeOf<X>;
    if constexpr (differentiated::check_jacobian<const std::decay_t<F>, Tree>()) {
      return differentiated::jacobian_forward(f, Tree(differentiated::with_tensors(x)));
    }
  };
}

/// The Jacobian of f at x by reverse mode: one gradient for each element of the value, all at once.
/// JAX's `jacrev`. For many inputs and few outputs.
///
/// f: as for jacfwd.
///
/// Returns as jacfwd does; raises Error as vjp and vmap do.
///
///   Tensor j = jacrev([](Tensor x) { return sum(x * x); })(Tensor({1.0, 2.0}));  // {2, 4}
template <class F>
[[nodiscard]] auto jacrev(F&& f) {
  return [f = std::decay_t<F>(std::forward<F>(f))]<class X>(const X& x) {
    namespace differentiated = detail::differentiated;
    using Tree = differentiated::TreeOf<X>;
    if constexpr (differentiated::check_jacobian<const std::decay_t<F>, Tree>()) {
      return differentiated::jacobian_reverse(f, Tree(differentiated::with_tensors(x)));
    }
  };
}

/// The second derivatives of f at x: the forward Jacobian of its gradient. JAX's `hessian`.
///
/// f: a function of one Tensor that returns a Tensor of one element.
///
/// Returns a function of x, of up to 4 axes. It returns a tensor of shape (x's shape..., x's
/// shape...), and raises Error as jacfwd and grad do.
///
///   Tensor h = hessian([](Tensor x) { return sum(x * x * x); })(Tensor({1.0, 2.0}));
template <class F>
[[nodiscard]] auto hessian(F&& f) {
  return jacfwd([f = std::decay_t<F>(std::forward<F>(f))](const Tensor& x) { return grad(f, x); });
}

}  // namespace trigon
