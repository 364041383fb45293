// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

#include "core/item.hpp"
#include "graph/build.hpp"
#include "graph/call.hpp"
#include "trigon/error.hpp"
#include "trigon/ops/binary.hpp"
#include "trigon/ops/view.hpp"

namespace trigon {
namespace detail::graph {
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

}  // namespace detail::graph

namespace {

// v without the leading axes of size 1 that the part lacks, broadcast to it.
Tensor fit(const char* function, const Tensor& v, const Shape& part) {
  Shape shape = v.shape();
  while (shape.rank() > part.rank() && shape[0] == 1) shape.erase(0);
  const int missing = part.rank() - shape.rank();
  bool fits = missing >= 0;
  for (int k = 0; fits && k < shape.rank(); ++k) {
    fits = shape[k] == 1 || shape[k] == part[k + missing];
  }
  if (!fits) {
    throw Error(
        fmt::format("trigon::{}: v does not broadcast to the part: v is {}, the part is "
                    "{}; axes of v must be equal or 1, counted from the last",
                    function, to_string(v.shape()), to_string(part)));
  }
  return graph::expand(reshape(v, shape), part);
}

}  // namespace

Tensor SelectedPart::get() const { return index(x_, index_); }

Tensor SelectedPart::set(const Tensor& v) const {
  const graph::Call call("set", {{"x", x_}, {"v", v}});
  const graph::Selected selected = graph::select(x_.shape(), index_);
  const Tensor part = fit("set", graph::cast("set", v, x_.dtype()), selected.shape);
  return graph::write(x_, reshape(part, selected.region.shape), selected.region);
}

Tensor SelectedPart::add(const Tensor& v) const {
  const graph::Call call("add", {{"x", x_}, {"v", v}});
  const graph::Selected selected = graph::select(x_.shape(), index_);
  const Tensor part = fit("add", graph::cast("add", v, x_.dtype()), selected.shape);
  const Tensor old = graph::slice(x_, selected.region);
  const Tensor sum = old + reshape(part, selected.region.shape);
  return graph::write(x_, graph::cast("add", sum, x_.dtype()), selected.region);
}

}  // namespace trigon
