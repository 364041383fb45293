// SPDX-License-Identifier: MIT
#include "trigon/logic.hpp"

#include "graph/named.hpp"
#include "ops/as_float.hpp"
#include "trigon/create.hpp"
#include "trigon/math.hpp"
#include "trigon/reduce.hpp"

namespace trigon {
namespace {

Tensor both_nan(const Tensor& a, const Tensor& b) {
  const Tensor x = isnan(ops::as_float(a)), y = isnan(ops::as_float(b));
  return logical_and(x, y);
}

}  // namespace

Tensor isclose(const Tensor& a, const Tensor& b, const Closeness& closeness) {
  const graph::Named named("isclose", {{"a", a}, {"b", b}});
  const Tensor x = ops::as_float(a), y = ops::as_float(b);
  const Tensor distance = abs(x - y);
  const Tensor within = distance <= closeness.atol + closeness.rtol * abs(y);
  const Tensor near = logical_and(within, isfinite(y));
  const Tensor close = logical_or(near, equal(a, b));
  return closeness.equal_nan ? logical_or(close, both_nan(x, y)) : close;
}

Tensor allclose(const Tensor& a, const Tensor& b, const Closeness& closeness) {
  const graph::Named named("allclose", {{"a", a}, {"b", b}});
  return all(isclose(a, b, closeness));
}

Tensor array_equal(const Tensor& a, const Tensor& b, bool equal_nan) {
  const graph::Named named("array_equal", {{"a", a}, {"b", b}});
  if (!(a.shape() == b.shape())) return full({}, 0, boolean);
  const Tensor same = equal(a, b);
  return all(equal_nan ? logical_or(same, both_nan(a, b)) : same);
}

}  // namespace trigon
