// SPDX-License-Identifier: MIT
#include <cstdint>

#include "core/internals.hpp"
#include "graph/build.hpp"
#include "graph/check.hpp"
#include "graph/named.hpp"
#include "trigon/create.hpp"
#include "trigon/device.hpp"
#include "trigon/index.hpp"
#include "trigon/math.hpp"

namespace trigon {
namespace {

// If the device holds integers as floats, an index past 2^24 would be rounded to another one.
void check_length(const Tensor& x, const Tensor& indices, int axis) {
  const graph::NodePtr& placed = detail::Internals::node(x)->device != nullptr
                                     ? detail::Internals::node(x)
                                     : detail::Internals::node(indices);
  if (placed->device == nullptr) return;
  const std::int64_t size = x.shape()[axis];
  const double most = detail::Internals::device(placed->device).max_exact_integer();
  if (static_cast<double>(size) <= most) return;
  graph::fail(
      "too many elements: {} along axis {}; {}, so an axis that is indexed must have at most "
      "{:.0f}",
      size, axis, graph::integers_text(most), most);
}

void check_indices(const Tensor& x, const Tensor& indices, int axis) {
  graph::require_integers("indices", indices);
  check_length(x, indices, axis);
  if (x.shape()[axis] == 0 && indices.size() > 0) {
    graph::fail("axis is empty: x is {}, axis is {}; must have elements", to_string(x.shape()),
                axis);
  }
}

// Clamps indices into n elements. uint32 indices past int32 would become negative in an address and
// count from the end.
Tensor clamp_unsigned(const Tensor& indices, std::int64_t n) {
  return indices.dtype() == uint32 ? minimum(indices, n - 1) : indices;
}

// Notes how the node uses `indices`, which its input may hold clamped.
void note_use(const graph::NodePtr& node, std::int64_t size, int axis, const Tensor& indices) {
  const bool is_wrapped = node->inputs[1] != detail::Internals::node(indices);
  node->indexed =
      std::make_shared<const graph::IndexUse>(graph::IndexUse{.function = core::called_function(),
                                                              .size = size,
                                                              .axis = axis,
                                                              .wrappers = is_wrapped ? 1U : 0U});
}

// The shape of take(x, indices, axis).
Shape taken_shape(const Shape& x, const Shape& indices, int axis) {
  Shape shape = x;
  shape.erase(axis);
  for (int i = 0; i < indices.rank(); ++i) shape.insert(axis + i, indices[i]);
  return shape;
}

// Whether the indices have x's axes, except `axis`.
bool is_along(const Shape& x, Shape indices, int axis) {
  if (indices.rank() == x.rank()) indices[axis] = x[axis];
  return indices == x;
}

}  // namespace

Tensor take(const Tensor& x, const Tensor& indices, int axis) {
  const graph::Named named("take", {{"x", x}, {"indices", indices}});
  const int k = graph::require_axis(axis, x.ndim());
  check_indices(x, indices, k);
  const Shape shape = taken_shape(x.shape(), indices.shape(), k);
  if (shape.numel() == 0) return zeros(shape, x.dtype());
  const Tensor clamped = clamp_unsigned(indices, x.shape()[k]);
  const graph::NodePtr node =
      graph::make(graph::Kind::take, x.dtype(), shape,
                  {detail::Internals::node(x), detail::Internals::node(clamped)});
  node->attrs = core::TakeAttrs{k};
  note_use(node, x.shape()[k], k, indices);
  return detail::Internals::tensor(node);
}

Tensor take_along_axis(const Tensor& x, const Tensor& indices, int axis) {
  const graph::Named named("take_along_axis", {{"x", x}, {"indices", indices}});
  const int k = graph::require_axis(axis, x.ndim());
  check_indices(x, indices, k);
  if (!is_along(x.shape(), indices.shape(), k)) {
    graph::fail("shapes differ: x is {}, indices are {}; all axes but axis {} must be equal",
                to_string(x.shape()), to_string(indices.shape()), k);
  }
  if (indices.size() == 0) return zeros(indices.shape(), x.dtype());
  const Tensor clamped = clamp_unsigned(indices, x.shape()[k]);
  const graph::NodePtr node =
      graph::make(graph::Kind::take_along, x.dtype(), indices.shape(),
                  {detail::Internals::node(x), detail::Internals::node(clamped)});
  node->attrs = core::TakeAttrs{k};
  note_use(node, x.shape()[k], k, indices);
  return detail::Internals::tensor(node);
}

Tensor scatter_add(const Tensor& x, const Tensor& indices, const Tensor& v, int axis) {
  const graph::Named named("scatter_add", {{"x", x}, {"indices", indices}, {"v", v}});
  const int k = graph::require_axis(axis, x.ndim());
  graph::require_integers("indices", indices);
  check_length(x, indices, k);
  if (x.dtype() == DType::boolean) {
    graph::fail("x is bool: bools do not add up; cast x with astype");
  }
  graph::require_no_fractions(x, v);
  // If there is only one axis, both forms are the same.
  const bool along =
      x.ndim() > 1 && v.shape() == indices.shape() && is_along(x.shape(), indices.shape(), k);
  const Shape selected = along ? v.shape() : taken_shape(x.shape(), indices.shape(), k);
  if (v.ndim() > 0 && !(v.shape() == selected)) {
    graph::fail(
        "shapes do not fit: x is {}, indices are {}, v is {}, axis is {}; v must be {}, or a "
        "scalar, or have the shape of indices whose other axes are x's",
        to_string(x.shape()), to_string(indices.shape()), to_string(v.shape()), k,
        to_string(selected));
  }
  // float16 sums would be rounded at each addition.
  const DType dtype = x.dtype() == DType::float16 ? DType::float32 : x.dtype();
  const Tensor added = graph::expand(graph::cast(v, dtype), selected);
  const core::ScatterAttrs rows{.axis = k, .along = along, .clamps = false};
  const Tensor sum = graph::scatter_add(x.astype(dtype), indices, added, rows);
  if (detail::Internals::node(sum)->kind == graph::Kind::scatter_add &&
      detail::Internals::node(sum)->indexed == nullptr) {
    note_use(detail::Internals::node(sum), x.shape()[k], k, indices);
  }
  return sum.astype(x.dtype());
}

}  // namespace trigon
