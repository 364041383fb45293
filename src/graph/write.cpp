// SPDX-License-Identifier: MIT
#include <cstddef>

#include "core/item.hpp"
#include "graph/build.hpp"
#include "trigon/ops/binary.hpp"
#include "trigon/ops/view.hpp"

namespace trigon::detail::graph {
namespace {

// Makes the steps positive. Returns the axes along which v has to be flipped for it.
std::vector<int> make_steps_positive(Region& region) {
  std::vector<int> turned;
  for (int axis = 0; axis < region.shape.rank(); ++axis) {
    auto* attr = &item(region.attrs, axis * 3);
    if (attr[1] > 0) continue;
    attr[0] += (region.shape[axis] - 1) * attr[1];
    attr[1] = -attr[1];
    turned.push_back(axis);
  }
  return turned;
}

}  // namespace

Tensor write(const Tensor& x, const Tensor& v, const Region& given) {
  if (v.size() == 0) return x;
  Region region = given;
  const std::vector<int> turned = make_steps_positive(region);
  const Tensor part = turned.empty() ? v : flip(v, turned);
  bool whole = region.shape == x.shape();
  for (std::size_t k = 1; whole && k < region.attrs.size(); k += 3) whole = region.attrs[k] == 1;
  if (whole) return part;
  const NodePtr node = make(Kind::write, x.dtype(), x.shape(), {x.node(), part.node()});
  for (const NodePtr& scalar : region.scalars) add_input(*node, scalar);
  node->attrs = region.attrs;
  for (std::size_t k = 2; k < node->attrs.size(); k += 3) {
    if (node->attrs[k] > 0) ++node->attrs[k];  // the scalars follow x and v
  }
  return Tensor(node);
}

}  // namespace trigon::detail::graph
