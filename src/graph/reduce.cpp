// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/internals.hpp"
#include "core/item.hpp"
#include "graph/build.hpp"
#include "graph/check.hpp"
#include "graph/named.hpp"
#include "trigon/device.hpp"
#include "trigon/join.hpp"
#include "trigon/shape.hpp"

namespace trigon {
namespace detail::graph {
namespace {

// Whether each axis is reduced.
std::vector<bool> marks(const Axes& axes, int rank) {
  auto marked = vector_of<bool>(rank, axes.all());
  std::vector<int> given(axes.list().begin(), axes.list().end());
  // NumPy reduces a scalar over axis 0.
  if (rank == 0) std::erase_if(given, [](int axis) { return axis == 0 || axis == -1; });
  for (const int axis : require_axes(given, rank)) item(marked, axis) = true;
  return marked;
}

// The dtype that x is reduced in.
DType operand_dtype(const ReduceSpec& spec, DType x) {
  if (spec.result.get() == Result::floating) return DType::float32;
  if (spec.result.get() == Result::boolean) return DType::boolean;
  return info(x).summed;
}

DType result_dtype(const ReduceSpec& spec, DType operand) {
  return spec.gives_index ? DType::int32 : operand;
}

// The results of reducing no elements, of the node's shape.
Tensor reduce_nothing(const Op& op, const Shape& x, DType dtype, Shape shape) {
  const ReduceSpec& spec = op.reduce();
  if (spec.per_element) {
    const Op identity({.name = std::string(op.name),
                       .outputs = {{"a", spec.element}},
                       .part = "identity",
                       .body = spec.identity.get(),
                       .is_expression = true,
                       .preamble = spec.preamble});
    return kernel(identity, {}, shape)[0];
  }
  if (spec.needs_element) {
    fail(
        "zero-size array to reduction operation which has no identity: x is {}; must have elements "
        "along the reduced axes",
        to_string(x));
  }
  std::array<double, 4> values{};
  spec.ref.get()({}, values.data());
  shape[0] = 1;
  std::vector<Tensor> outputs;
  for (int k = 0; k < spec.outputs.get(); ++k) {
    outputs.push_back(expand(constant(item(values, k), dtype), shape));
  }
  return concatenate(outputs, 0);
}

void check_length(const std::vector<bool>& marked) {
  const auto reduced = std::count(marked.begin(), marked.end(), true);
  if (reduced != 1) {
    fail("length needs one axis: {} axes are reduced; must be 1", reduced);
  }
}

}  // namespace

namespace {

// x with its axes gathered in two, those that are kept and the reduced ones: a node of all outputs
// has one axis more than x, and a Shape no room for nine.
Tensor reduce_gathered(const Op& op, const Tensor& x, const std::vector<bool>& marked,
                       const NodePtr& length) {
  std::vector<int> order;
  Shape kept, reduced;
  for (const bool is_reduced : {false, true}) {
    for (int k = 0; k < x.ndim(); ++k) {
      if (item(marked, k) != is_reduced) continue;
      order.push_back(k);
      (is_reduced ? reduced : kept).push_back(x.shape()[k]);
    }
  }
  const Shape gathered{kept.numel(), reduced.numel()};
  return reduce(op, reshape(transpose(x, order), gathered), 1, false, length);
}

// x's axes without the reduced ones, or with these as 1.
Shape reduced_shape(const Shape& x, const std::vector<bool>& marked, bool keepdims) {
  Shape shape;
  for (int k = 0; k < x.rank(); ++k) {
    if (!item(marked, k)) {
      shape.push_back(x[k]);
    } else if (keepdims) {
      shape.push_back(1);
    }
  }
  return shape;
}

// Positions are counted in the type of the elements: floats, or integers that the device may hold
// as floats.
void check_positions(const Op& op, const Tensor& x, const std::vector<bool>& marked) {
  constexpr std::int64_t exact = 16'777'216;
  Shape sizes;
  for (int k = 0; k < x.ndim(); ++k) {
    if (item(marked, k)) sizes.push_back(x.shape()[k]);
  }
  const std::int64_t reduced = sizes.numel();
  const auto& device = Internals::node(x)->device;
  const bool counts_in_floats =
      !is_integer(operand_dtype(op.reduce(), x.dtype())) ||
      (device != nullptr &&
       Internals::device(device).max_exact_integer() <= static_cast<double>(exact));
  if (!counts_in_floats || reduced <= exact) return;
  fail("too many elements: {} along the axis; positions are exact up to {}", reduced, exact);
}

Shape with_outputs(const ReduceSpec& spec, Shape shape) {
  shape.insert(0, spec.outputs.get());
  return shape;
}

}  // namespace

Tensor reduce(const Op& op, const Tensor& x, const Axes& axes, bool keepdims,
              const NodePtr& length) {
  const ReduceSpec& spec = op.reduce();
  const std::vector<bool> marked = marks(axes, x.ndim());
  if (length != nullptr) check_length(marked);
  if (spec.gives_index) check_positions(op, x, marked);
  const Shape dropped = reduced_shape(x.shape(), marked, keepdims);
  if (dropped.rank() == Shape::max_rank) {
    fail("too many axes: the outputs of x, {}, have {} with their own; must be at most {}",
         to_string(x.shape()), dropped.rank() + 1, Shape::max_rank);
  }
  if (x.ndim() == Shape::max_rank) {
    return reshape(reduce_gathered(op, x, marked, length), with_outputs(spec, dropped));
  }
  const Shape shape = with_outputs(spec, reduced_shape(x.shape(), marked, true));
  const DType operand = operand_dtype(spec, x.dtype());
  const DType dtype = result_dtype(spec, operand);
  Tensor y;
  if (x.size() == 0 && shape.numel() > 0) {
    y = reduce_nothing(op, x.shape(), dtype, shape);
  } else {
    const NodePtr in = Internals::node(cast(x, operand));
    const NodePtr node = make(Kind::reduce, dtype, shape, {in});
    node->op = &op.canonical();
    core::ReduceAttrs attrs{.reduced = marked};
    if (length != nullptr) {
      attrs.length.number = 1;
      add_input(*node, length);
    }
    node->attrs = std::move(attrs);
    y = Internals::tensor(node);
  }
  return reshape(y, with_outputs(spec, dropped));
}

}  // namespace detail::graph

namespace detail {

std::vector<Tensor> reduce_each(const Op& op, const Tensor& x, const Axes& axes, bool keepdims,
                                const Scalar* length) {
  const graph::Named named(op.name.data(), {{"x", x}});
  const graph::NodePtr count =
      length == nullptr ? nullptr : graph::whole_number("length", length->tensor());
  const int outputs = op.reduce().outputs;
  std::vector<Tensor> each;
  if (x.ndim() < Shape::max_rank) {
    const Tensor y = graph::reduce(op, x, axes, keepdims, count);
    for (int k = 0; k < outputs; ++k) each.push_back(y[k]);
    return each;
  }
  const std::vector<bool> marked = graph::marks(axes, x.ndim());
  if (count != nullptr) graph::check_length(marked);
  const Tensor y = graph::reduce_gathered(op, x, marked, count);
  const Shape shape = graph::reduced_shape(x.shape(), marked, keepdims);
  for (int k = 0; k < outputs; ++k) each.push_back(reshape(y[k], shape));
  return each;
}

}  // namespace detail

Tensor detail::reduce(const Op& op, const Tensor& x, const Axes& axes, bool keepdims,
                      const Scalar* length) {
  const graph::Named named(op.name.data(), {{"x", x}});
  const graph::NodePtr count =
      length == nullptr ? nullptr : graph::whole_number("length", length->tensor());
  return graph::reduce(op, x, axes, keepdims, count);
}

}  // namespace trigon
