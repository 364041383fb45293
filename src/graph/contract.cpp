// SPDX-License-Identifier: MIT
#include <cstdint>

#include "core/internals.hpp"
#include "graph/build.hpp"
#include "graph/check.hpp"
#include "trigon/create.hpp"
#include "trigon/linalg.hpp"

namespace trigon::detail::graph {

NodePtr whole_number(std::string_view what, const Tensor& scalar) {
  const Node& node = *Internals::node(scalar);
  if (node.dtype != DType::int32) {
    fail("{} is not an integer: {}; must be of an integer type", what, node.value);
  }
  return Internals::node(scalar);
}

Tensor contract(const Tensor& a, const Tensor& b, const NodePtr& inner, const NodePtr& columns) {
  Shape shape = a.shape();
  shape[-1] = b.shape()[-1];
  // Operands without elements have no texture to fetch from.
  if (a.shape()[-1] == 0 || shape.numel() == 0) return zeros(shape);
  const NodePtr node =
      make(Kind::contract, DType::float32, shape, {Internals::node(a), Internals::node(b)});
  const auto number_of = [&](const NodePtr& length) -> core::ScalarNumber {
    if (length == nullptr) return {};
    add_input(*node, length);
    return {static_cast<std::int32_t>(node->inputs.size()) - 1};
  };
  core::ContractAttrs attrs;
  attrs.inner = number_of(inner);
  attrs.columns = number_of(columns);
  node->attrs = attrs;
  return Internals::tensor(node);
}

}  // namespace trigon::detail::graph
