// SPDX-License-Identifier: MIT

#include "graph/build.hpp"
#include "graph/check.hpp"
#include "graph/named.hpp"
#include "trigon/index.hpp"
#include "trigon/shape.hpp"

namespace trigon {

Tensor index(const Tensor& x, std::span<const Index> entries) {
  const graph::Named named("index", {{"x", x}});
  const graph::Selected selected = graph::select(x.shape(), entries);
  return reshape(graph::slice(x, selected.region), selected.shape);
}

detail::RowIterator Tensor::begin() const {
  const graph::Named named("Tensor::begin");
  if (ndim() > 0) return {*this, 0};
  graph::fail("no axis to go along: shape is (); must have one axis or more");
}

detail::RowIterator Tensor::end() const {
  const graph::Named named("Tensor::end");
  return {*this, size(0)};
}

Tensor Tensor::operator[](const Index& entry) const {
  return trigon::index(*this, std::span(&entry, 1));
}

}  // namespace trigon
