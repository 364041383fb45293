// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/called.hpp"
#include "core/internals.hpp"
#include "core/item.hpp"
#include "graph/build.hpp"
#include "graph/check.hpp"
#include "graph/named.hpp"
#include "trigon/device.hpp"
#include "trigon/extend.hpp"
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

// The results of reducing no elements.
std::vector<Tensor> reduce_nothing(const Op& op, const Shape& x, DType dtype, const Shape& shape) {
  const ReduceSpec& spec = op.reduce();
  if (spec.per_element) {
    const Op identity({.name = std::string(op.name),
                       .outputs = {{"a", spec.element}},
                       .section = "identity",
                       .body = spec.identity.get(),
                       .is_expression = true,
                       .preamble = spec.preamble});
    return kernel(identity, {}, shape);
  }
  if (spec.needs_element) {
    fail(
        "zero-size array to reduction operation which has no identity: x is {}; must have elements "
        "along the reduced axes",
        to_string(x));
  }
  std::array<double, 4> values{};
  spec.ref.get()({}, values.data());
  std::vector<Tensor> results;
  for (int k = 0; k < spec.outputs.get(); ++k) {
    results.push_back(expand(constant(item(values, k), dtype), shape));
  }
  return results;
}

void check_length(const std::vector<bool>& marked) {
  const auto reduced = std::count(marked.begin(), marked.end(), true);
  if (reduced != 1) {
    fail("length needs one axis: {} axes are reduced; must be 1", reduced);
  }
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

}  // namespace

std::vector<Tensor> results_of_reduction(const NodePtr& node) {
  if (!has_outputs(*node)) return {Internals::tensor(node)};
  std::vector<Tensor> results;
  for (int k = 0; k < node->op->reduce().outputs; ++k) {
    results.push_back(Internals::tensor(output(node, {k}, node->dtype, node->shape)));
  }
  return results;
}

std::vector<Tensor> reduce(const Op& op, const Tensor& x, const Axes& axes, bool keepdims,
                           const NodePtr& length) {
  const ReduceSpec& spec = op.reduce();
  const std::vector<bool> marked = marks(axes, x.ndim());
  if (length != nullptr) check_length(marked);
  if (spec.gives_index) check_positions(op, x, marked);
  const Shape shape = reduced_shape(x.shape(), marked, true);
  const DType operand = operand_dtype(spec, x.dtype());
  const DType dtype = result_dtype(spec, operand);
  std::vector<Tensor> results;
  if (x.size() == 0 && shape.numel() > 0) {
    results = reduce_nothing(op, x.shape(), dtype, shape);
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
    results = results_of_reduction(node);
  }
  const Shape kept = reduced_shape(x.shape(), marked, keepdims);
  for (Tensor& result : results) result = reshape(result, kept);
  return results;
}

}  // namespace detail::graph

std::vector<Tensor> detail::reduce(const Op& op, const Tensor& x, const Axes& axes, bool keepdims,
                                   const Scalar* length) {
  const graph::Named named(op.name.data(), {{"x", x}});
  const graph::NodePtr count =
      length == nullptr ? nullptr : graph::whole_number("length", length->tensor());
  return graph::reduce(op, x, axes, keepdims, count);
}

std::vector<Tensor> reduce(const Op& op, const Tensor& x, const Axes& axes, bool keepdims) {
  if (op.family != Family::reduce) {
    core::fail_in("reduce", "op is not a reduction: {}; must be declared as a ReduceSpec", op.name);
  }
  return detail::reduce(op, x, axes, keepdims);
}

}  // namespace trigon
