// SPDX-License-Identifier: MIT
#include <limits>
#include <numbers>

#include "graph/check.hpp"
#include "graph/named.hpp"
#include "ops/as_float.hpp"
#include "trigon/index.hpp"
#include "trigon/logic.hpp"
#include "trigon/math.hpp"
#include "trigon/shape.hpp"

namespace trigon {
namespace {}  // namespace

Tensor nan_to_num(const Tensor& x, const NanToNum& numbers) {
  const graph::Named named("nan_to_num", {{"x", x}});
  if (!is_float(x.dtype())) return x;
  const double most = x.dtype() == float16 ? 65504.0 : std::numeric_limits<float>::max();
  const Tensor number = where(isnan(x), numbers.nan, x);
  const Tensor top =
      where(x == std::numeric_limits<double>::infinity(), numbers.posinf.value_or(most), number);
  return where(x == -std::numeric_limits<double>::infinity(), numbers.neginf.value_or(-most), top)
      .astype(x.dtype());
}

Tensor heaviside(const Tensor& x, const Tensor& at_zero) {
  const graph::Named named("heaviside", {{"x", x}, {"at_zero", at_zero}});
  // Raises Error in this function's words when they do not broadcast.
  graph::common_shape({{"x", x}, {"at_zero", at_zero}});
  const Tensor y = ops::as_float(x);
  const Tensor step = where(y > 0.0, 1.0, 0.0);
  const Tensor beside = where(isnan(y), y, step);
  const Tensor middle = ops::as_float(at_zero);
  return where(y == 0.0, middle, beside);
}

Tensor sinc(const Tensor& x) {
  const graph::Named named("sinc", {{"x", x}});
  const Tensor y = ops::as_float(x) * std::numbers::pi;
  // The gradient of the side that is not taken must not be NaN either.
  const Tensor divisor = where(y == 0.0, 1.0, y);
  const Tensor beside = sin(divisor) / divisor;
  return where(y == 0.0, 1.0, beside);
}

Tensor xlogy(const Tensor& x, const Tensor& y) {
  const graph::Named named("xlogy", {{"x", x}, {"y", y}});
  graph::common_shape({{"x", x}, {"y", y}});
  const Tensor a = ops::as_float(x), b = ops::as_float(y);
  // 0 * log(b) is 0 and has a gradient if log(b) is finite.
  const Tensor is_below = b <= 0.0;
  const Tensor is_pole = logical_or(is_below, isinf(b));
  const Tensor is_zero = logical_and(a == 0.0, is_pole);
  return a * log(where(is_zero, 1.0, b));
}

Tensor logit(const Tensor& x) {
  const graph::Named named("logit", {{"x", x}});
  const Tensor y = ops::as_float(x);
  return log(y / (1.0 - y));
}

DivMod divmod(const Tensor& a, const Tensor& b) {
  const graph::Named named("divmod", {{"a", a}, {"b", b}});
  return {floor_divide(a, b), remainder(a, b)};
}

}  // namespace trigon
