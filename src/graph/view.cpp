// SPDX-License-Identifier: MIT
#include <cstdint>

#include "core/internals.hpp"
#include "graph/build.hpp"
#include "trigon/join.hpp"

namespace trigon::detail::graph {

Tensor expand(const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  return Internals::tensor(make(Kind::broadcast, x.dtype(), shape, {Internals::node(x)}));
}

Tensor pad_to(const Tensor& x, std::span<const std::int64_t> before, const Shape& shape,
              double value) {
  if (x.shape() == shape) return x;
  const Tensor filler = cast(Internals::tensor(weak_constant(value, DType::float32)), x.dtype());
  // A tensor without elements has no texture to read from.
  if (x.size() == 0) return expand(filler, shape);
  const NodePtr node = make(Kind::pad, x.dtype(), shape, {Internals::node(x)});
  node->attrs = core::PadAttrs{{before.begin(), before.end()}};
  node->value = Internals::node(filler)->value;
  return Internals::tensor(node);
}

}  // namespace trigon::detail::graph
