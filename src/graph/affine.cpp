// SPDX-License-Identifier: MIT
#include "core/internals.hpp"
#include "core/item.hpp"
#include "graph/build.hpp"
#include "trigon/create.hpp"

namespace trigon::detail::graph {

Tensor affine(const Tensor& x, core::AffineAttrs view, const Shape& shape) {
  if (shape.numel() == 0) return zeros(shape, x.dtype());
  bool same = shape == x.shape();
  for (int k = 0; same && k < shape.rank(); ++k) {
    core::AffineAttrs::Axis own;
    item(own.factors, k) = 1;
    same = item(view.axes, k) == own;
  }
  if (same) return x;
  const NodePtr node = make(Kind::affine, x.dtype(), shape, {Internals::node(x)});
  node->attrs = std::move(view);
  return Internals::tensor(node);
}

}  // namespace trigon::detail::graph
