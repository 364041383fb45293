// SPDX-License-Identifier: MIT
#include <cstdint>
#include <optional>

#include "graph/build.hpp"
#include "graph/call.hpp"
#include "graph/check.hpp"
#include "ops/einsum.hpp"
#include "trigon/linalg.hpp"
#include "trigon/shape.hpp"

namespace trigon {

namespace {

void check_operands(const Tensor& a, const Tensor& b) {
  if (a.ndim() == 0 || b.ndim() == 0) {
    graph::fail(
        "an operand is a scalar: a is {}, b is {}; both must have an axis\n  hint: multiply by a "
        "scalar with *",
        to_string(a.shape()), to_string(b.shape()));
  }
  if (!is_float(a.dtype()) || !is_float(b.dtype())) {
    graph::fail("operands must be float32 or float16: a is {}, b is {}; cast with astype",
                name(a.dtype()), name(b.dtype()));
  }
  const std::int64_t b_inner = b.shape()[b.ndim() == 1 ? 0 : -2];
  if (a.shape()[-1] != b_inner) {
    graph::fail("inner sizes differ: a is {}, b is {}; a.shape[-1] must equal b.shape[-{}]",
                to_string(a.shape()), to_string(b.shape()), b.ndim() == 1 ? 1 : 2);
  }
}

Shape batch_of(const Tensor& x) {
  Shape batch = x.shape();
  batch.erase(-1);
  batch.erase(-1);
  return batch;
}

Tensor with_batch(const Tensor& x, Shape batch) {
  batch.push_back(x.shape()[-2]);
  batch.push_back(x.shape()[-1]);
  return graph::expand(x, batch);
}

graph::NodePtr length_of(const char* what, const std::optional<Scalar>& length) {
  return length ? graph::whole_number(what, length->tensor()) : nullptr;
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b, const MatmulOptions& options) {
  const graph::Call call("matmul", {{"a", a}, {"b", b}});
  check_operands(a, b);
  const Tensor left = a.ndim() == 1 ? expand_dims(a, 0) : a;   // (..., M, K)
  const Tensor right = b.ndim() == 1 ? expand_dims(b, 1) : b;  // (..., K, N)
  const std::optional<Shape> batch = broadcast(batch_of(left), batch_of(right));
  if (!batch) {
    graph::fail(
        "shapes do not broadcast: a is {}, b is {}; axes but the last two must be equal or 1, "
        "counted from the last",
        to_string(a.shape()), to_string(b.shape()));
  }
  const Tensor lefts = with_batch(left, *batch), rights = with_batch(right, *batch);
  const graph::NodePtr inner = length_of("inner", options.inner);
  const graph::NodePtr columns = length_of("columns", options.columns);
  const Tensor y = graph::contract(lefts, rights, inner, columns);
  Shape shape = y.shape();
  if (b.ndim() == 1) shape.erase(-1);
  if (a.ndim() == 1) shape.erase(b.ndim() == 1 ? -1 : -2);
  return reshape(y, shape);
}

Tensor outer(const Tensor& a, const Tensor& b) {
  const graph::Call call("outer", {{"a", a}, {"b", b}});
  const Tensor column = expand_dims(ravel(a), 1), row = expand_dims(ravel(b), 0);
  return column * row;
}

Tensor dot(const Tensor& a, const Tensor& b) {
  const graph::Call call("dot", {{"a", a}, {"b", b}});
  if (a.ndim() == 0 || b.ndim() == 0) return ops::widened_product(a, b);
  if (b.ndim() > 2) {
    graph::fail(
        "too many axes: a is {}, b is {}; b must be a vector or a matrix\n  hint: matmul takes "
        "stacks of matrices",
        to_string(a.shape()), to_string(b.shape()));
  }
  return matmul(a, b);
}

}  // namespace trigon
