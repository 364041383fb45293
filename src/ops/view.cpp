// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "core/item.hpp"
#include "core/math.hpp"
#include "graph/build.hpp"
#include "graph/call.hpp"
#include "graph/check.hpp"
#include "trigon/create.hpp"
#include "trigon/grad.hpp"
#include "trigon/join.hpp"
#include "trigon/shape.hpp"

namespace trigon {

namespace {

using graph::Kind;
using graph::make;

Tensor view(Kind kind, const Tensor& x, const Shape& shape) {
  return Tensor(make(kind, x.dtype(), shape, {x.node()}));
}

// Axes counted from the front; each at most once.
std::vector<int> distinct_axes(std::span<const int> axes, int rank) {
  std::vector<int> result;
  for (const int axis : axes) {
    const int k = graph::require_axis(axis, rank);
    if (std::find(result.begin(), result.end(), k) != result.end()) {
      graph::fail("axis given twice: axes are ({}); each may occur once", fmt::join(axes, ", "));
    }
    result.push_back(k);
  }
  return result;
}

Tensor permute(const Tensor& x, std::vector<int> axes) {
  if (x.node()->kind == Kind::permute) {
    // Two permutations combine into one, which often is the identity. An evaluated x no longer has
    // its input.
    const std::vector<graph::NodePtr> inputs = graph::inputs_of(*x.node());
    if (!inputs.empty()) {
      for (int& axis : axes) axis = item(x.node()->as<core::PermuteAttrs>().axes, axis);
      return permute(Tensor(inputs[0]), std::move(axes));
    }
  }
  if (std::is_sorted(axes.begin(), axes.end())) return x;
  Shape shape = x.shape();
  for (int k = 0; k < shape.rank(); ++k) shape[k] = x.shape()[item(axes, k)];
  const Tensor y = view(Kind::permute, x, shape);
  y.node()->attrs = core::PermuteAttrs{std::move(axes)};
  return y;
}

}  // namespace

Tensor reshape(const Tensor& x, const Dims& dims) {
  const graph::Call call("reshape", {{"x", x}});
  std::vector<std::int64_t> sizes(dims.begin(), dims.end());
  const auto open = std::find(sizes.begin(), sizes.end(), -1);
  if (open != sizes.end()) {
    if (std::find(open + 1, sizes.end(), -1) != sizes.end()) {
      graph::fail("several sizes are left open: x is {}, shape is ({}); one size may be -1",
                  to_string(x.shape()), fmt::join(dims, ", "));
    }
    *open = 1;
    const std::int64_t known = Shape(std::span<const std::int64_t>(sizes)).numel();
    if (known == 0 || x.size() % known != 0) {
      graph::fail("sizes do not fit: x is {}, shape is ({}); the size left for -1 must be whole",
                  to_string(x.shape()), fmt::join(dims, ", "));
    }
    *open = x.size() / known;
  }
  const Shape shape{std::span<const std::int64_t>(sizes)};
  if (shape == x.shape()) return x;
  if (shape.numel() != x.size()) {
    graph::fail(
        "sizes do not fit: x is {}, shape is {}; both must hold the same number of elements",
        to_string(x.shape()), to_string(shape));
  }
  return view(Kind::reshape, x, shape);
}

Tensor Tensor::reshape(const Dims& dims) const { return trigon::reshape(*this, dims); }

Tensor ravel(const Tensor& x) {
  const graph::Call call("ravel", {{"x", x}});
  return reshape(x, Shape{x.size()});
}

Tensor transpose(const Tensor& x, std::span<const int> axes) {
  const graph::Call call("transpose", {{"x", x}});
  const int rank = x.ndim();
  auto order = vector_of<int>(rank);
  if (axes.empty()) {
    std::iota(order.rbegin(), order.rend(), 0);
    return permute(x, order);
  }
  if (static_cast<int>(axes.size()) != rank) {
    graph::fail("number of axes differs: x is {}, axes are ({}); every axis must occur once",
                to_string(x.shape()), fmt::join(axes, ", "));
  }
  return permute(x, distinct_axes(axes, rank));
}

Tensor Tensor::transpose(std::span<const int> axes) const { return trigon::transpose(*this, axes); }

Tensor swapaxes(const Tensor& x, int a, int b) {
  const graph::Call call("swapaxes", {{"x", x}});
  auto order = vector_of<int>(x.ndim());
  std::iota(order.begin(), order.end(), 0);
  const int i = graph::require_axis(a, x.ndim());
  const int j = graph::require_axis(b, x.ndim());
  std::swap(item(order, i), item(order, j));
  return permute(x, order);
}

Tensor moveaxis(const Tensor& x, int source, int destination) {
  const graph::Call call("moveaxis", {{"x", x}});
  auto order = vector_of<int>(x.ndim());
  std::iota(order.begin(), order.end(), 0);
  const int from = graph::require_axis(source, x.ndim());
  const int to = graph::require_axis(destination, x.ndim());
  order.erase(order.begin() + from);
  order.insert(order.begin() + to, from);
  return permute(x, order);
}

Tensor broadcast_to(const Tensor& x, const Shape& shape) {
  const graph::Call call("broadcast_to", {{"x", x}});
  const int missing = shape.rank() - x.ndim();
  bool fits = missing >= 0;
  for (int k = 0; fits && k < x.ndim(); ++k) {
    fits = x.shape()[k] == 1 || x.shape()[k] == shape[k + missing];
  }
  if (!fits) {
    graph::fail(
        "shapes do not fit: x is {}, shape is {}; axes of x must be equal or 1, counted from the "
        "last",
        to_string(x.shape()), to_string(shape));
  }
  return graph::expand(x, shape);
}

Tensor expand_dims(const Tensor& x, int axis) {
  const graph::Call call("expand_dims", {{"x", x}});
  Shape shape = x.shape();
  const int at = graph::require_axis(axis, x.ndim() + 1);
  shape.insert(at, 1);
  return reshape(x, shape);
}

Tensor squeeze(const Tensor& x, const Axes& axes) {
  const graph::Call call("squeeze", {{"x", x}});
  const std::vector<int> chosen = distinct_axes(axes.list(), x.ndim());
  Shape shape;
  for (int k = 0; k < x.ndim(); ++k) {
    const bool named = std::find(chosen.begin(), chosen.end(), k) != chosen.end();
    if (named && x.shape()[k] != 1) {
      graph::fail("axis is not of size 1: axis is {}, x is {}; only axes of size 1 can go", k,
                  to_string(x.shape()));
    }
    const bool drop = named || (axes.all() && x.shape()[k] == 1);
    if (!drop) shape.push_back(x.shape()[k]);
  }
  return reshape(x, shape);
}

Tensor flip(const Tensor& x, const Axes& axes) {
  const graph::Call call("flip", {{"x", x}});
  const std::vector<int> chosen = distinct_axes(axes.list(), x.ndim());
  graph::Region region;
  for (int k = 0; k < x.ndim(); ++k) {
    const std::int64_t n = x.shape()[k];
    const bool named = std::find(chosen.begin(), chosen.end(), k) != chosen.end();
    const bool turn = n > 1 && (named || axes.all());
    region.push_axis(turn ? n - 1 : 0, turn ? -1 : 1, n);
  }
  return graph::slice(x, region);
}

Tensor pad(const Tensor& x, std::span<const PadWidth> widths, double value) {
  const graph::Call call("pad", {{"x", x}});
  const bool for_all = widths.size() == 1;
  if (!for_all && static_cast<int>(widths.size()) != x.ndim()) {
    graph::fail(
        "number of widths differs: {} widths, x is {}; every axis needs one, or one is for all",
        widths.size(), to_string(x.shape()));
  }
  for (std::size_t k = 0; k < widths.size(); ++k) {
    const PadWidth& width = widths[k];
    if (width.before >= 0 && width.after >= 0) continue;
    graph::fail("negative width: axis {} has ({}, {}); must be 0 or more", k, width.before,
                width.after);
  }
  Shape shape = x.shape();
  std::vector<std::int64_t> before;
  for (int k = 0; k < x.ndim(); ++k) {
    const PadWidth& width = item(widths, for_all ? 0 : k);
    before.push_back(width.before);
    const std::int64_t front = core::sum_or_none(shape[k], width.before);
    shape[k] = front < 0 ? -1 : core::sum_or_none(front, width.after);
    if (shape[k] < 0) {
      graph::fail("size too large: axis {} of {} gets ({}, {}) more; must stay below 2^63", k,
                  to_string(x.shape()), width.before, width.after);
    }
  }
  return graph::pad_to(x, before, shape, value);
}

Tensor stop_gradient(const Tensor& x) {
  const graph::Call call("stop_gradient", {{"x", x}});
  return view(Kind::stop_gradient, x, x.shape());
}

}  // namespace trigon
