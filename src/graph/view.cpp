// SPDX-License-Identifier: MIT
#include <cstdint>

#include "graph/build.hpp"
#include "trigon/join.hpp"

namespace trigon::detail::graph {

Tensor expand(const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  return Tensor(make(Kind::broadcast, x.dtype(), shape, {x.node()}));
}

Tensor pad_to(const Tensor& x, std::span<const std::int64_t> before, const Shape& shape,
              double value) {
  if (x.shape() == shape) return x;
  const Tensor filler = cast(Tensor(weak_constant(value, DType::float32)), x.dtype());
  // A tensor without elements has no texture to read from.
  if (x.size() == 0) return expand(filler, shape);
  const NodePtr node = make(Kind::pad, x.dtype(), shape, {x.node()});
  node->attrs = core::PadAttrs{{before.begin(), before.end()}};
  node->value = filler.node()->value;
  return Tensor(node);
}

}  // namespace trigon::detail::graph
