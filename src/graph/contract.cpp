// SPDX-License-Identifier: MIT
#include <cstdint>

#include "graph/build.hpp"
#include "graph/check.hpp"
#include "trigon/ops/binary.hpp"
#include "trigon/ops/contract.hpp"
#include "trigon/ops/view.hpp"

namespace trigon::detail::graph {

NodePtr whole_number(std::string_view what, const Tensor& scalar) {
  const Node& node = *scalar.node();
  if (node.dtype != DType::int32) {
    fail("{} is not an integer: {}; must be of an integer type", what, node.value);
  }
  return scalar.node();
}

Tensor contract(const Tensor& a, const Tensor& b, const NodePtr& inner, const NodePtr& columns) {
  Shape shape = a.shape();
  shape[-1] = b.shape()[-1];
  // Operands without elements have no texture to fetch from.
  if (a.shape()[-1] == 0 || shape.numel() == 0) return zeros(shape);
  const NodePtr node = make(Kind::contract, DType::float32, shape, {a.node(), b.node()});
  node->attrs = {0, 0};
  std::size_t attr = 0;
  for (const NodePtr& length : {inner, columns}) {
    if (length != nullptr) {
      node->attrs[attr] = static_cast<std::int64_t>(node->inputs.size());
      add_input(*node, length);
    }
    ++attr;
  }
  return Tensor(node);
}

}  // namespace trigon::detail::graph
