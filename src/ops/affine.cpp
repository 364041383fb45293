// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "core/item.hpp"
#include "graph/build.hpp"
#include "graph/check.hpp"
#include "graph/named.hpp"
#include "trigon/index.hpp"
#include "trigon/shape.hpp"

namespace trigon {

namespace {

// The axis of each window: the given ones, or all in order.
std::vector<int> axes_of_windows(const Tensor& x, std::span<const std::int64_t> window,
                                 std::span<const int> axes) {
  if (axes.empty() && static_cast<int>(window.size()) != x.ndim()) {
    graph::fail(
        "number of windows differs: window is ({}), x is {}; without axes every axis needs one",
        fmt::join(window, ", "), to_string(x.shape()));
  }
  if (!axes.empty() && axes.size() != window.size()) {
    graph::fail("number of windows differs: window is ({}), axes are ({}); each axis needs one",
                fmt::join(window, ", "), fmt::join(axes, ", "));
  }
  std::vector<int> result;
  for (std::size_t k = 0; k < window.size(); ++k) {
    const int axis = axes.empty() ? static_cast<int>(k) : axes[k];
    result.push_back(graph::require_axis(axis, x.ndim()));
  }
  return result;
}

}  // namespace

Tensor sliding_window_view(const Tensor& x, const IntegerList<std::int64_t>& window,
                           const IntegerList<int>& axes) {
  const graph::Named named("sliding_window_view", {{"x", x}});
  const std::vector<int> along = axes_of_windows(x, window, axes);
  Shape shape = x.shape();
  for (std::size_t k = 0; k < window.size(); ++k) {
    if (window[k] < 0 || window[k] > shape[along[k]]) {
      graph::fail(
          "window does not fit: window is ({}), axis {} of x {} has {} places left for {}; must be "
          "in [0, {}]",
          fmt::join(window, ", "), along[k], to_string(x.shape()), shape[along[k]], window[k],
          shape[along[k]]);
    }
    shape[along[k]] -= window[k] - 1;
  }
  for (const std::int64_t size : window) shape.push_back(size);
  core::AffineAttrs view{vector_of<core::AffineAttrs::Axis>(x.ndim())};
  for (int k = 0; k < x.ndim(); ++k) item(item(view.axes, k).factors, k) = 1;
  for (std::size_t k = 0; k < window.size(); ++k) {
    item(item(view.axes, along[k]).factors, x.ndim() + static_cast<int>(k)) = 1;
  }
  return graph::affine(x, std::move(view), shape);
}

Tensor diagonal(const Tensor& x, std::int64_t offset, const DiagonalOptions& options) {
  const graph::Named named("diagonal", {{"x", x}});
  graph::require_two_axes("x", x);
  const int a = graph::require_axis(options.axis1, x.ndim());
  const int b = graph::require_axis(options.axis2, x.ndim());
  if (a == b) {
    graph::fail("axis given twice: axes are ({}, {}); must differ", options.axis1, options.axis2);
  }
  const std::int64_t rows = x.shape()[a];
  const std::int64_t columns = x.shape()[b];
  const std::int64_t row = -std::clamp<std::int64_t>(offset, -rows, 0);
  const std::int64_t column = std::clamp<std::int64_t>(offset, 0, columns);
  Shape shape;
  core::AffineAttrs view{vector_of<core::AffineAttrs::Axis>(x.ndim())};
  for (int k = 0; k < x.ndim(); ++k) {
    if (k == a || k == b) continue;
    item(item(view.axes, k).factors, shape.rank()) = 1;
    shape.push_back(x.shape()[k]);
  }
  shape.push_back(std::min(rows - row, columns - column));
  item(view.axes, a).start = row;
  item(view.axes, b).start = column;
  for (const int k : {a, b}) item(item(view.axes, k).factors, shape.rank() - 1) = 1;
  return graph::affine(x, std::move(view), shape);
}

Tensor diag(const Tensor& x, std::int64_t k) {
  const graph::Named named("diag", {{"x", x}});
  if (x.ndim() == 2) return diagonal(x, k);
  if (x.ndim() != 1) {
    graph::fail("x is not a vector or matrix: x is {}; must have one or two axes",
                to_string(x.shape()));
  }
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  if (const std::int64_t room = largest - x.shape()[0]; k > room || k < -room) {
    graph::fail("offset too large: k is {}, x is {}; sizes must stay below 2^63", k,
                to_string(x.shape()));
  }
  // (n + |k|, 1): x in the rows of its diagonal.
  const std::int64_t above = k < 0 ? -k : 0;
  const std::int64_t n = x.shape()[0] + (k < 0 ? -k : k);
  const Tensor rows = expand_dims(graph::pad_to(x, std::vector<std::int64_t>{above}, {n}, 0), 1);
  const Tensor row = graph::positions(n, 0, 2), column = graph::positions(n, 1, 2);
  const Tensor on = column - row == Tensor(k);
  return graph::cast(where(on, rows, 0), x.dtype());
}

}  // namespace trigon
