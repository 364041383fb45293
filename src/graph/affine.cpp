// SPDX-License-Identifier: MIT
#include <cstdint>
#include <vector>

#include "core/item.hpp"
#include "graph/build.hpp"
#include "trigon/ops/binary.hpp"
#include "trigon/ops/logic.hpp"
#include "trigon/ops/view.hpp"

namespace trigon::detail::graph {

Tensor affine(const Tensor& x, std::vector<std::int64_t> attrs, const Shape& shape) {
  if (shape.numel() == 0) return zeros(shape, x.dtype());
  bool same = shape == x.shape();
  const int length = shape.rank() + 1;  // of the attributes of an axis
  for (int k = 0; same && k < std::ssize(attrs); ++k) {
    same = item(attrs, k) == (k % length == k / length + 1 ? 1 : 0);
  }
  if (same) return x;
  const NodePtr node = make(Kind::affine, x.dtype(), shape, {x.node()});
  node->attrs = std::move(attrs);
  return Tensor(node);
}

}  // namespace trigon::detail::graph
