// SPDX-License-Identifier: MIT
#include <limits>
#include <vector>

#include "entries/entries.hpp"
#include "graph/build.hpp"
#include "graph/check.hpp"
#include "graph/named.hpp"
#include "ops/as_float.hpp"
#include "trigon/index.hpp"
#include "trigon/logic.hpp"
#include "trigon/math.hpp"
#include "trigon/reduce.hpp"
#include "trigon/shape.hpp"

namespace trigon {
namespace {

// Numbers reduced into one result.
double reduced_count(const Tensor& x, const Axes& axes) {
  double count = 1;
  if (axes.all()) return static_cast<double>(x.size());
  for (const int axis : axes.list()) {
    count *= static_cast<double>(x.shape()[graph::require_axis(axis, x.ndim())]);
  }
  return count;
}

}  // namespace

Tensor mean(const Tensor& x, const Axes& axes, bool keepdims) {
  const graph::Named named("mean", {{"x", x}});
  const Tensor total = sum(ops::as_float(x), axes, keepdims);
  return total / reduced_count(x, axes);
}

Tensor var(const Tensor& x, const Axes& axes, const VarOptions& options) {
  const graph::Named named("var", {{"x", x}});
  const Tensor squares = detail::reduce(entries::named<"moments">(), x, axes, options.keepdims)[2];
  const double n = reduced_count(x, axes) - options.ddof;
  return squares / (n > 0.0 ? n : 0.0);
}

Tensor stddev(const Tensor& x, const Axes& axes, const VarOptions& options) {
  const graph::Named named("stddev", {{"x", x}});
  return sqrt(var(x, axes, options));
}

Tensor ptp(const Tensor& x, const Axes& axes, bool keepdims) {
  const graph::Named named("ptp", {{"x", x}});
  const Tensor high = max(x, axes, keepdims), low = min(x, axes, keepdims);
  return (high - low).astype(info(x.dtype()).computed);
}

Tensor count_nonzero(const Tensor& x, const Axes& axes, bool keepdims) {
  const graph::Named named("count_nonzero", {{"x", x}});
  return sum(not_equal(x, 0), axes, keepdims);
}

Tensor any(const Tensor& x, const Axes& axes, bool keepdims) {
  const graph::Named named("any", {{"x", x}});
  return not_equal(count_nonzero(x, axes, keepdims), 0);
}

Tensor all(const Tensor& x, const Axes& axes, bool keepdims) {
  const graph::Named named("all", {{"x", x}});
  return equal(sum(equal(x, 0), axes, keepdims), 0);
}

Tensor nansum(const Tensor& x, const Axes& axes, bool keepdims) {
  const graph::Named named("nansum", {{"x", x}});
  return sum(where(isnan(x), 0, x), axes, keepdims);
}

Tensor nanmax(const Tensor& x, const Axes& axes, bool keepdims) {
  const graph::Named named("nanmax", {{"x", x}});
  if (!is_float(x.dtype())) return max(x, axes, keepdims);
  const Tensor skip = isnan(x);
  const Tensor y = max(where(skip, -std::numeric_limits<float>::infinity(), x), axes, keepdims);
  return where(all(skip, axes, keepdims), std::numeric_limits<float>::quiet_NaN(), y);
}

Tensor nanmean(const Tensor& x, const Axes& axes, bool keepdims) {
  const graph::Named named("nanmean", {{"x", x}});
  const Tensor total = nansum(ops::as_float(x), axes, keepdims);
  return total / sum(logical_not(isnan(x)), axes, keepdims);
}

Tensor logsumexp(const Tensor& x, const Axes& axes, bool keepdims) {
  const graph::Named named("logsumexp", {{"x", x}});
  const std::vector<Tensor> y = detail::reduce(entries::named<"max_sumexp">(), x, axes, keepdims);
  const Tensor finite = y[0] + log(y[1]);
  return where(isinf(y[0]), y[0], finite);
}

Tensor norm(const Tensor& x, const Axes& axes, bool keepdims) {
  const graph::Named named("norm", {{"x", x}});
  return sqrt(sum(square(ops::as_float(x)), axes, keepdims));
}

Tensor average(const Tensor& x, const Axes& axes, const Tensor& weights) {
  const graph::Named named("average", {{"x", x}, {"weights", weights, true}});
  if (!weights.has_value()) return mean(x, axes);
  Tensor w = ops::as_float(weights);
  if (!(w.shape() == x.shape())) {
    const bool along_one = !axes.all() && axes.list().size() == 1 && w.ndim() == 1;
    const int axis = along_one ? graph::require_axis(axes.list()[0], x.ndim()) : -1;
    if (!along_one || w.size() != x.shape()[axis]) {
      graph::fail(
          "weights do not fit: x is {}, weights are {}; must have x's shape, or one axis for the "
          "one axis given",
          to_string(x.shape()), to_string(w.shape()));
    }
    Shape shape;
    for (int k = 0; k < x.ndim(); ++k) shape.push_back(k == axis ? w.size() : 1);
    w = broadcast_to(reshape(w, shape), x.shape());
  }
  const Tensor total = sum(ops::as_float(x) * w, axes);
  return total / sum(w, axes);
}

}  // namespace trigon
