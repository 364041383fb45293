// SPDX-License-Identifier: MIT

#include "graph/build.hpp"
#include "graph/check.hpp"
#include "graph/named.hpp"
#include "trigon/index.hpp"
#include "trigon/math.hpp"
#include "trigon/shape.hpp"

namespace trigon {

namespace {

// v without the leading axes of size 1 that the shape lacks, broadcast to it.
Tensor fit(const Tensor& v, const Shape& selected) {
  Shape shape = v.shape();
  while (shape.rank() > selected.rank() && shape[0] == 1) shape.erase(0);
  const int missing = selected.rank() - shape.rank();
  bool fits = missing >= 0;
  for (int k = 0; fits && k < shape.rank(); ++k) {
    fits = shape[k] == 1 || shape[k] == selected[k + missing];
  }
  if (!fits) {
    graph::fail(
        "v does not broadcast to the part: v is {}, the part is {}; axes of v must be equal or 1, "
        "counted from the last",
        to_string(v.shape()), to_string(selected));
  }
  return graph::expand(reshape(v, shape), selected);
}

}  // namespace

Tensor SelectedPart::get() const { return index(x_, index_); }

Tensor SelectedPart::set(const Tensor& v) const {
  const graph::Named named("set", {{"x", x_}, {"v", v}});
  const graph::Selected selected = graph::select(x_.shape(), index_);
  const Tensor value = fit(graph::cast(v, x_.dtype()), selected.shape);
  return graph::write(x_, reshape(value, selected.region.shape), selected.region);
}

Tensor SelectedPart::add(const Tensor& v) const {
  const graph::Named named("add", {{"x", x_}, {"v", v}});
  graph::require_no_fractions(x_, v);
  const graph::Selected selected = graph::select(x_.shape(), index_);
  const Tensor value = fit(graph::cast(v, x_.dtype()), selected.shape);
  const Tensor old = graph::slice(x_, selected.region);
  const Tensor sum = old + reshape(value, selected.region.shape);
  return graph::write(x_, graph::cast(sum, x_.dtype()), selected.region);
}

}  // namespace trigon
