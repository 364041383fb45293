// SPDX-License-Identifier: MIT
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include <trigon/custom_vjp.hpp>
#include <trigon/detail/leaf_function.hpp>
#include <trigon/tensor.hpp>
#include <trigon/tree.hpp>

namespace trigon {

namespace detail::differentiated {

/// The values of a function that a gradient computes again. f is called once.
Leaves checkpointed(const LeafFunction& f, const Leaves& arguments);

/// The type of `checkpoint(f)`.
template <class F>
class Checkpoint {
 public:
  explicit Checkpoint(F f) : f_(std::move(f)) {}

  template <class... Args>
  [[nodiscard]] auto operator()(const Args&... args) const {
    if constexpr (check_custom<const F, TreeOf<Args>...>()) {
      const std::tuple<TreeOf<Args>...> arguments(with_tensors(args)...);
      ResultOf<const F, TreeOf<Args>...> result;
      Leaves values = checkpointed(result.function(f_, arguments), tree_leaves(arguments));
      return result.with_leaves(std::move(values));
    }
  }

 private:
  F f_;
};

}  // namespace detail::differentiated

/// f, whose intermediate values are not kept for gradients: they are computed a second time when
/// the gradient is. Only f's arguments and what it captures are kept. JAX's `checkpoint`, PyTorch's
/// `torch.utils.checkpoint`.
///
/// f: a function of trees that returns a Tensor or a tree of tensors. Unlike with custom_vjp,
///     captured tensors have gradients. Each call calls f once.
///
/// Returns a function of f's arguments with f's values and derivatives. It raises Error when a
/// result is an empty handle.
///
///   for (const Block& block : blocks) {
///     x = checkpoint([&](Tensor h) { return block(h); })(x);  // of each block, x alone is kept
///   }
template <class F>
[[nodiscard]] auto checkpoint(F&& f) {
  return detail::differentiated::Checkpoint<std::decay_t<F>>(std::forward<F>(f));
}

}  // namespace trigon
