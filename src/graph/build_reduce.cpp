// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/item.hpp"
#include "graph/build.hpp"
#include "trigon/error.hpp"
#include "trigon/ops/view.hpp"

namespace trigon {
namespace graph {
namespace {

// 1 for each axis to reduce, else 0.
std::vector<std::int64_t> marks(const Op& op, const Axes& axes, int rank) {
  auto marked = vector_of<std::int64_t>(rank, axes.all() ? 1 : 0);
  for (const int axis : axes.list()) {
    if (rank == 0 && (axis == 0 || axis == -1)) continue;  // NumPy reduces a scalar over axis 0
    auto& mark = item(marked, normalize_axis(op.name.data(), axis, rank));
    if (mark != 0) {
      throw Error(fmt::format("trigon::{}: axis given twice: axes are ({}); each may occur once",
                              op.name, fmt::join(axes.list(), ", ")));
    }
    mark = 1;
  }
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
    return kernel(identity, {}, 0, shape);
  }
  if (spec.needs_element) {
    throw Error(
        fmt::format("trigon::{}: zero-size array to reduction operation which has no "
                    "identity: x is {}; must have elements along the reduced axes",
                    op.name, to_string(x)));
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

void check_length(const Op& op, std::span<const std::int64_t> marked) {
  const auto reduced = std::count(marked.begin(), marked.end(), 1);
  if (reduced != 1) {
    throw Error(fmt::format("trigon::{}: length needs one axis: {} axes are reduced; must be 1",
                            op.name, reduced));
  }
}

}  // namespace

Tensor reduce(const Op& op, const Tensor& x, const Axes& axes, bool keepdims,
              const NodePtr& length) {
  if (x.ndim() == Shape::max_rank) {
    throw Error(fmt::format("trigon::{}: too many axes: x is {}; must have at most {}", op.name,
                            to_string(x.shape()), Shape::max_rank - 1));
  }
  const ReduceSpec& spec = op.reduce();
  const std::vector<std::int64_t> marked = marks(op, axes, x.ndim());
  Shape shape{spec.outputs.get()};
  Shape dropped = shape;
  for (int k = 0; k < x.ndim(); ++k) {
    const bool reduced = item(marked, k) != 0;
    shape.push_back(reduced ? 1 : x.shape()[k]);
    if (!reduced) dropped.push_back(x.shape()[k]);
  }
  if (length != nullptr) check_length(op, marked);
  const DType operand = operand_dtype(spec, x.dtype());
  const DType dtype = result_dtype(spec, operand);
  Tensor y;
  if (x.size() == 0 && shape.numel() > 0) {
    y = reduce_nothing(op, x.shape(), dtype, shape);
  } else {
    const NodePtr in = cast(op.name, x, operand).node();
    const NodePtr node = make(Kind::reduce, dtype, shape, {in});
    node->op = &op.canonical();
    node->attrs = marked;
    if (length != nullptr) add_input(*node, length);
    y = Tensor(node);
  }
  return keepdims ? y : reshape(y, dropped);
}

}  // namespace graph

Tensor detail::reduce(const Op& op, const Tensor& x, const Axes& axes, bool keepdims,
                      const Scalar* length) {
  const graph::NodePtr count =
      length == nullptr ? nullptr : graph::whole_number(op.name, "length", length->tensor());
  return graph::reduce(op, x, axes, keepdims, count);
}

}  // namespace trigon
