// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <optional>

#include "graph/build.hpp"
#include "graph/check.hpp"
#include "graph/named.hpp"
#include "ops/einsum.hpp"
#include "ops/shape.hpp"
#include "trigon/index.hpp"
#include "trigon/linalg.hpp"
#include "trigon/reduce.hpp"
#include "trigon/shape.hpp"

namespace trigon {

namespace {

void check_operands(const Tensor& a, const Tensor& b) {
  if (a.ndim() == 0 || b.ndim() == 0) {
    graph::fail(
        "an operand is a scalar: a is {}, b is {}; both must have an axis\n  hint: multiply takes "
        "scalars",
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
  const graph::Named named("matmul", {{"a", a}, {"b", b}});
  check_operands(a, b);
  const Tensor left = a.ndim() == 1 ? expand_dims(a, 0) : a;   // (..., M, K)
  const Tensor right = b.ndim() == 1 ? expand_dims(b, 1) : b;  // (..., K, N)
  const std::optional<Shape> batch = broadcast(ops::batch_of(left), ops::batch_of(right));
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
  const graph::Named named("outer", {{"a", a}, {"b", b}});
  const Tensor column = expand_dims(ravel(a), 1), row = expand_dims(ravel(b), 0);
  return column * row;
}

Tensor dot(const Tensor& a, const Tensor& b) {
  const graph::Named named("dot", {{"a", a}, {"b", b}});
  if (a.ndim() == 0 || b.ndim() == 0) return ops::widened_product(a, b);
  if (b.ndim() > 2) {
    graph::fail(
        "too many axes: a is {}, b is {}; b must be a vector or a matrix\n  hint: matmul takes "
        "stacks of matrices",
        to_string(a.shape()), to_string(b.shape()));
  }
  return matmul(a, b);
}

Tensor trace(const Tensor& x, std::int64_t offset, const DiagonalOptions& options) {
  const graph::Named named("trace", {{"x", x}});
  return sum(diagonal(x, offset, options), -1);
}

Tensor kron(const Tensor& a, const Tensor& b) {
  const graph::Named named("kron", {{"a", a}, {"b", b}});
  const int rank = std::max(a.ndim(), b.ndim());
  const Shape of_a = ops::with_rank(a, rank).shape(), of_b = ops::with_rank(b, rank).shape();
  Shape left, right, result;
  if (2 * rank > Shape::max_rank) {
    graph::fail("too many axes: {} and {}; at most {}", to_string(a.shape()), to_string(b.shape()),
                Shape::max_rank / 2);
  }
  for (int k = 0; k < rank; ++k) {
    if (ops::is_past_largest(of_a[k], of_b[k])) {
      graph::fail("size too large: axis {} of {} and {}; must stay below 2^63", k, to_string(of_a),
                  to_string(of_b));
    }
    for (const std::int64_t size : {of_a[k], std::int64_t{1}}) left.push_back(size);
    for (const std::int64_t size : {std::int64_t{1}, of_b[k]}) right.push_back(size);
    result.push_back(of_a[k] * of_b[k]);
  }
  const Tensor x = reshape(a, left), y = reshape(b, right);
  return reshape(x * y, result);
}

}  // namespace trigon
