// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/internals.hpp"
#include "core/item.hpp"
#include "core/list.hpp"
#include "core/math.hpp"
#include "graph/build.hpp"
#include "graph/check.hpp"
#include "graph/named.hpp"
#include "ops/shape.hpp"
#include "trigon/grad.hpp"
#include "trigon/index.hpp"
#include "trigon/shape.hpp"

namespace trigon::detail::ops {

bool is_past_largest(std::int64_t a, std::int64_t b) {
  return b > 0 && a > std::numeric_limits<std::int64_t>::max() / b;
}

Tensor with_rank(const Tensor& x, int rank) {
  Shape shape = x.shape();
  while (shape.rank() < rank) shape.insert(0, 1);
  return reshape(x, shape);
}

Shape batch_of(const Tensor& x) {
  Shape batch = x.shape();
  batch.erase(-1);
  batch.erase(-1);
  return batch;
}

Tensor slice_along(const Tensor& x, int axis, const Slice& slice) {
  std::vector<Index> entries(static_cast<std::size_t>(axis), Index(Slice{}));
  entries.emplace_back(slice);
  return index(x, entries);
}

}  // namespace trigon::detail::ops

namespace trigon {

namespace {

using graph::Kind;
using graph::make;

Tensor view(Kind kind, const Tensor& x, const Shape& shape) {
  return detail::Internals::tensor(make(kind, x.dtype(), shape, {detail::Internals::node(x)}));
}

Tensor permute(const Tensor& x, std::vector<int> axes) {
  if (detail::Internals::node(x)->kind == Kind::permute) {
    // Two permutations combine into one, which often is the identity. An evaluated x no longer has
    // its input.
    const std::vector<graph::NodePtr> inputs = graph::inputs_of(*detail::Internals::node(x));
    if (!inputs.empty()) {
      for (int& axis : axes)
        axis = item(detail::Internals::node(x)->as<core::PermuteAttrs>().axes, axis);
      return permute(detail::Internals::tensor(inputs[0]), std::move(axes));
    }
  }
  if (std::is_sorted(axes.begin(), axes.end())) return x;
  Shape shape = x.shape();
  for (int k = 0; k < shape.rank(); ++k) shape[k] = x.shape()[item(axes, k)];
  const Tensor y = view(Kind::permute, x, shape);
  detail::Internals::node(y)->attrs = core::PermuteAttrs{std::move(axes)};
  return y;
}

void check_count(std::int64_t count) {
  if (count >= 0) return;
  graph::fail("negative count: {}; must be 0 or more", count);
}

// `count` times the axis, as a whole or each of its elements in a row.
Tensor repeated(const Tensor& x, int axis, std::int64_t count, bool each) {
  Shape wide = x.shape();
  // If another size is 0, only the sizes can be too large, not the number of elements.
  if (ops::is_past_largest(wide[axis], count)) {
    graph::fail("size too large: axis {} of {}, {} times; must stay below 2^63", axis,
                to_string(wide), count);
  }
  int at = axis;
  if (wide.rank() == Shape::max_rank) {
    // A Shape has no room for another axis, so the other axes are merged into two.
    const auto product = [&](const std::int64_t* from, const std::int64_t* to) {
      if (x.size() == 0) return std::int64_t{0};
      return std::accumulate(from, to, std::int64_t{1}, std::multiplies<>());
    };
    const Shape& s = x.shape();
    wide = Shape{product(s.begin(), s.begin() + axis), s[axis],
                 product(s.begin() + axis + 1, s.end())};
    at = 1;
  }
  Shape result = x.shape();
  wide.insert(each ? at + 1 : at, 1);
  Tensor y = reshape(x, wide);
  wide[each ? at + 1 : at] = count;
  static_cast<void>(wide.numel());  // raises Error before the product of the two sizes can wrap
  result[axis] *= count;
  return reshape(broadcast_to(y, wide), result);
}

}  // namespace

Tensor reshape(const Tensor& x, const Dims& dims) {
  const graph::Named named("reshape", {{"x", x}});
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
  const graph::Named named("ravel", {{"x", x}});
  return reshape(x, Shape{x.size()});
}

Tensor transpose(const Tensor& x, const IntegerList<int>& axes) {
  const graph::Named named("transpose", {{"x", x}});
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
  return permute(x, graph::require_axes(axes, rank));
}

Tensor Tensor::transpose(const IntegerList<int>& axes) const {
  return trigon::transpose(*this, axes);
}

Tensor swapaxes(const Tensor& x, int a, int b) {
  const graph::Named named("swapaxes", {{"x", x}});
  auto order = vector_of<int>(x.ndim());
  std::iota(order.begin(), order.end(), 0);
  const int i = graph::require_axis(a, x.ndim());
  const int j = graph::require_axis(b, x.ndim());
  std::swap(item(order, i), item(order, j));
  return permute(x, order);
}

Tensor broadcast_to(const Tensor& x, const Shape& shape) {
  const graph::Named named("broadcast_to", {{"x", x}});
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
  const graph::Named named("expand_dims", {{"x", x}});
  Shape shape = x.shape();
  const int at = graph::require_axis(axis, x.ndim() + 1);
  shape.insert(at, 1);
  return reshape(x, shape);
}

Tensor squeeze(const Tensor& x, const Axes& axes) {
  const graph::Named named("squeeze", {{"x", x}});
  const std::vector<int> chosen = graph::require_axes(axes.list(), x.ndim());
  Shape shape;
  for (int k = 0; k < x.ndim(); ++k) {
    const bool is_chosen = core::contains(chosen, k);
    if (is_chosen && x.shape()[k] != 1) {
      graph::fail("axis is not of size 1: axis is {}, x is {}; only axes of size 1 can go", k,
                  to_string(x.shape()));
    }
    const bool drop = is_chosen || (axes.all() && x.shape()[k] == 1);
    if (!drop) shape.push_back(x.shape()[k]);
  }
  return reshape(x, shape);
}

Tensor flip(const Tensor& x, const Axes& axes) {
  const graph::Named named("flip", {{"x", x}});
  const std::vector<int> chosen = graph::require_axes(axes.list(), x.ndim());
  graph::Region region;
  for (int k = 0; k < x.ndim(); ++k) {
    const std::int64_t n = x.shape()[k];
    const bool is_chosen = core::contains(chosen, k);
    const bool turn = n > 1 && (is_chosen || axes.all());
    region.push_axis(turn ? n - 1 : 0, turn ? -1 : 1, n);
  }
  return graph::slice(x, region);
}

Tensor stop_gradient(const Tensor& x) {
  const graph::Named named("stop_gradient", {{"x", x}});
  static const auto rules =
      std::make_shared<const graph::CallRules>(graph::CallRules{.name = "stop_gradient"});
  return graph::call(rules, std::span(&x, 1), {})[0];
}

Tensor moveaxis(const Tensor& x, const IntegerList<int>& sources,
                const IntegerList<int>& destinations) {
  const graph::Named named("moveaxis", {{"x", x}});
  if (sources.size() != destinations.size()) {
    graph::fail("numbers differ: {} sources, {} destinations; each source needs one",
                sources.size(), destinations.size());
  }
  auto order = vector_of<int>(x.ndim());
  std::fill(order.begin(), order.end(), -1);
  std::vector<bool> moved(order.size(), false);
  for (std::size_t k = 0; k < sources.size(); ++k) {
    const int from = graph::require_axis(sources[k], x.ndim());
    const int to = graph::require_axis(destinations[k], x.ndim());
    if (moved[static_cast<std::size_t>(from)] || item(order, to) >= 0) {
      graph::fail("an axis occurs twice: {} to {}; each may move once", sources[k],
                  destinations[k]);
    }
    moved[static_cast<std::size_t>(from)] = true;
    item(order, to) = from;
  }
  int rest = 0;
  for (int& axis : order) {
    if (axis >= 0) continue;
    while (moved[static_cast<std::size_t>(rest)]) ++rest;
    axis = rest++;
  }
  return transpose(x, order);
}

std::vector<Tensor> broadcast_arrays(const TensorList& xs) {
  const graph::Named named("broadcast_arrays", "x", xs);
  Shape shape;
  for (std::size_t k = 0; k < xs.size(); ++k) {
    const std::optional<Shape> both = broadcast(shape, xs[k].shape());
    if (!both) {
      graph::fail(
          "shapes do not broadcast: x {} is {}, those before it give {}; axes must be equal or 1, "
          "counted from the last",
          k, to_string(xs[k].shape()), to_string(shape));
    }
    shape = *both;
  }
  std::vector<Tensor> all;
  for (const Tensor& x : xs) all.push_back(graph::expand(x, shape));
  return all;
}

Tensor roll(const Tensor& x, std::int64_t shift, std::optional<int> axis) {
  const graph::Named named("roll", {{"x", x}});
  if (!axis.has_value()) return reshape(roll(ravel(x), shift, 0), x.shape());
  const int at = graph::require_axis(*axis, x.ndim());
  const std::int64_t n = x.shape()[at];
  if (n == 0 || shift % n == 0) return x;
  const std::int64_t first = shift % n > 0 ? n - shift % n : -(shift % n);
  return ops::slice_along(repeated(x, at, 2, false), at, Slice{first, first + n});
}

Tensor roll(const Tensor& x, const IntegerList<std::int64_t>& shifts,
            const IntegerList<int>& axes) {
  const graph::Named named("roll", {{"x", x}});
  if (shifts.size() != axes.size()) {
    graph::fail("numbers differ: {} shifts, {} axes; each shift needs an axis", shifts.size(),
                axes.size());
  }
  Tensor y = x;
  for (std::size_t k = 0; k < axes.size(); ++k) y = roll(y, shifts[k], axes[k]);
  return y;
}

Tensor rot90(const Tensor& x, int k, const std::array<int, 2>& axes) {
  const graph::Named named("rot90", {{"x", x}});
  const int from = graph::require_axis(axes[0], x.ndim());
  const int to = graph::require_axis(axes[1], x.ndim());
  if (from == to) {
    graph::fail("axes are the same: {} and {}; must differ", axes[0], axes[1]);
  }
  switch (((k % 4) + 4) % 4) {
    case 1: return swapaxes(flip(x, to), from, to);
    case 2: return flip(flip(x, from), to);
    case 3: return flip(swapaxes(x, from, to), to);
    default: return x;
  }
}

Tensor tile(const Tensor& x, const IntegerList<std::int64_t>& reps) {
  const graph::Named named("tile", {{"x", x}});
  for (const std::int64_t count : reps) check_count(count);
  const int rank = std::max(x.ndim(), static_cast<int>(reps.size()));
  if (rank > Shape::max_rank) {
    graph::fail("too many axes: {} counts; at most {}", reps.size(), Shape::max_rank);
  }
  Tensor y = ops::with_rank(x, rank);
  int axis = rank - static_cast<int>(reps.size());
  for (const std::int64_t count : reps) {
    if (count != 1) y = repeated(y, axis, count, false);
    ++axis;
  }
  return y;
}

Tensor repeat(const Tensor& x, std::int64_t repeats, std::optional<int> axis) {
  const graph::Named named("repeat", {{"x", x}});
  check_count(repeats);
  if (!axis.has_value()) return repeat(ravel(x), repeats, 0);
  const int at = graph::require_axis(*axis, x.ndim());
  return repeats == 1 ? x : repeated(x, at, repeats, true);
}

}  // namespace trigon
