// SPDX-License-Identifier: MIT

#include "trigon/index.hpp"
#include "core/internals.hpp"
#include "graph/build.hpp"
#include "trigon/shape.hpp"

namespace trigon::detail::graph {

Tensor take_labels(const Tensor& x, const Tensor& labels, int axis) {
  const Tensor chosen = take_along_axis(x, expand_dims(labels, axis), axis);
  if (const auto& use = Internals::node(chosen)->indexed) {
    IndexUse of_labels = *use;
    of_labels.is_label = true;
    Internals::node(chosen)->indexed = std::make_shared<const IndexUse>(of_labels);
  }
  return squeeze(chosen, axis);
}

Tensor scatter_add(const Tensor& x, const Tensor& indices, const Tensor& v,
                   const core::ScatterAttrs& rows) {
  if (v.size() == 0 || x.size() == 0) return x;
  const NodePtr node = make(Kind::scatter_add, x.dtype(), x.shape(),
                            {Internals::node(x), Internals::node(indices), Internals::node(v)});
  node->attrs = rows;
  return Internals::tensor(node);
}

}  // namespace trigon::detail::graph
