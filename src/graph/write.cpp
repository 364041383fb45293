// SPDX-License-Identifier: MIT
#include "core/internals.hpp"
#include "core/item.hpp"
#include "graph/build.hpp"
#include "trigon/shape.hpp"

namespace trigon::detail::graph {
namespace {

// Makes the steps positive. Returns the axes along which v must be flipped for that.
std::vector<int> make_steps_positive(Region& region) {
  std::vector<int> turned;
  for (int axis = 0; axis < region.shape.rank(); ++axis) {
    core::RegionAttrs::Axis& at = item(region.box.axes, axis);
    if (at.step > 0) continue;
    at.start += (region.shape[axis] - 1) * at.step;
    at.step = -at.step;
    turned.push_back(axis);
  }
  return turned;
}

}  // namespace

Tensor write(const Tensor& x, const Tensor& v, const Region& given) {
  if (v.size() == 0) return x;
  Region region = given;
  const std::vector<int> turned = make_steps_positive(region);
  const Tensor value = turned.empty() ? v : flip(v, turned);
  if (is_whole(region, x.shape())) return value;
  const NodePtr node =
      make(Kind::write, x.dtype(), x.shape(), {Internals::node(x), Internals::node(value)});
  for (const NodePtr& scalar : region.scalars) add_input(*node, scalar);
  node->attrs = renumbered(region.box, 2);  // the Scalars follow x and v
  return Internals::tensor(node);
}

}  // namespace trigon::detail::graph
