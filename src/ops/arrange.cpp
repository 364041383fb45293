// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "core/item.hpp"
#include "core/quote.hpp"
#include "graph/build.hpp"
#include "graph/call.hpp"
#include "graph/check.hpp"
#include "trigon/create.hpp"
#include "trigon/index.hpp"
#include "trigon/join.hpp"
#include "trigon/linalg.hpp"
#include "trigon/math.hpp"
#include "trigon/reduce.hpp"
#include "trigon/shape.hpp"

namespace trigon {
namespace {

void check_count(std::int64_t count) {
  if (count >= 0) return;
  graph::fail("negative count: {}; must be 0 or more", count);
}

// Whether a product of sizes is 2^63 or more.
bool is_past_largest(std::int64_t a, std::int64_t b) {
  return b > 0 && a > std::numeric_limits<std::int64_t>::max() / b;
}

// `count` times the axis, as a whole or each of its elements in a row.
Tensor repeated(const Tensor& x, int axis, std::int64_t count, bool each) {
  Shape wide = x.shape();
  // If another size is 0, only the sizes can be too large, not the number of elements.
  if (is_past_largest(wide[axis], count)) {
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

Tensor with_rank(const Tensor& x, int rank) {
  Shape shape = x.shape();
  while (shape.rank() < rank) shape.insert(0, 1);
  return reshape(x, shape);
}

Tensor part_of(const Tensor& x, int axis, const Slice& slice) {
  std::vector<Index> entries(static_cast<std::size_t>(axis), Index(Slice{}));
  entries.emplace_back(slice);
  return index(x, entries);
}

// The index of the element at each position of an axis of n elements with a border.
Tensor bordered(std::int64_t n, const PadWidth& width, std::string_view mode) {
  const Tensor place = iota(n + width.before + width.after) - width.before;
  if (mode == "edge") return clip(place, 0, n - 1);
  if (mode == "wrap") return place % n;
  const bool twice = mode == "symmetric";  // repeats the outermost elements, too
  const std::int64_t period = twice ? 2 * n : std::max<std::int64_t>(2 * n - 2, 1);
  const Tensor turn = place % period;
  return minimum(turn, (twice ? period - 1 : period) - turn);
}

}  // namespace

Tensor full_like(const Tensor& x, double value, std::optional<DType> dtype) {
  const graph::Call call("full_like", {{"x", x}});
  const Tensor number(graph::weak_constant(value, DType::float32));
  return graph::expand(graph::cast(number, dtype.value_or(x.dtype())), x.shape());
}
Tensor empty(const Shape& shape, DType dtype) { return zeros(shape, dtype); }
Tensor empty_like(const Tensor& x) {
  const graph::Call call("empty_like", {{"x", x}});
  return zeros_like(x);
}

Tensor logspace(double start, double stop, std::int64_t n, const LogspaceOptions& options) {
  const graph::Call call("logspace");
  return power(options.base, linspace(start, stop, n, options.endpoint));
}

Tensor indices(const Shape& shape) {
  const graph::Call call("indices");
  const int rank = shape.rank();
  if (rank == 0) return zeros({0}, int32);
  std::vector<Tensor> all;
  for (int axis = 0; axis < rank; ++axis) {
    all.push_back(graph::expand(graph::positions(shape[axis], axis, rank), shape));
  }
  return stack(all);
}

Tensor roll(const Tensor& x, std::int64_t shift, std::optional<int> axis) {
  const graph::Call call("roll", {{"x", x}});
  if (!axis.has_value()) return reshape(roll(ravel(x), shift, 0), x.shape());
  const int at = graph::require_axis(*axis, x.ndim());
  const std::int64_t n = x.shape()[at];
  if (n == 0 || shift % n == 0) return x;
  const std::int64_t first = shift % n > 0 ? n - shift % n : -(shift % n);
  return part_of(repeated(x, at, 2, false), at, Slice{first, first + n});
}

Tensor roll(const Tensor& x, std::span<const std::int64_t> shifts, std::span<const int> axes) {
  const graph::Call call("roll", {{"x", x}});
  if (shifts.size() != axes.size()) {
    graph::fail("numbers differ: {} shifts, {} axes; each shift needs an axis", shifts.size(),
                axes.size());
  }
  Tensor y = x;
  for (std::size_t k = 0; k < axes.size(); ++k) y = roll(y, shifts[k], axes[k]);
  return y;
}

Tensor tile(const Tensor& x, std::span<const std::int64_t> reps) {
  const graph::Call call("tile", {{"x", x}});
  for (const std::int64_t count : reps) check_count(count);
  const int rank = std::max(x.ndim(), static_cast<int>(reps.size()));
  if (rank > Shape::max_rank) {
    graph::fail("too many axes: {} counts; at most {}", reps.size(), Shape::max_rank);
  }
  Tensor y = with_rank(x, rank);
  int axis = rank - static_cast<int>(reps.size());
  for (const std::int64_t count : reps) {
    if (count != 1) y = repeated(y, axis, count, false);
    ++axis;
  }
  return y;
}

Tensor repeat(const Tensor& x, std::int64_t repeats, std::optional<int> axis) {
  const graph::Call call("repeat", {{"x", x}});
  check_count(repeats);
  if (!axis.has_value()) return repeat(ravel(x), repeats, 0);
  const int at = graph::require_axis(*axis, x.ndim());
  return repeats == 1 ? x : repeated(x, at, repeats, true);
}

Tensor rot90(const Tensor& x, int k, const std::array<int, 2>& axes) {
  const graph::Call call("rot90", {{"x", x}});
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

Tensor moveaxis(const Tensor& x, std::span<const int> sources, std::span<const int> destinations) {
  const graph::Call call("moveaxis", {{"x", x}});
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

Tensor pad(const Tensor& x, std::span<const PadWidth> widths, std::string_view mode) {
  const graph::Call call("pad", {{"x", x}});
  const Tensor zeros_around = pad(x, widths);  // checks the widths
  if (mode == "constant") return zeros_around;
  if (mode != "edge" && mode != "reflect" && mode != "symmetric" && mode != "wrap") {
    graph::fail("unknown mode: {}; must be constant, edge, reflect, symmetric or wrap",
                core::quote(mode));
  }
  Tensor y = x;
  for (int axis = 0; axis < x.ndim(); ++axis) {
    const PadWidth& width = item(widths, widths.size() == 1 ? 0 : axis);
    if (width.before == 0 && width.after == 0) continue;
    if (x.shape()[axis] == 0) {
      graph::fail(
          "nothing to pad with: axis {} of x, {}, has no elements; the mode must be constant", axis,
          to_string(x.shape()));
    }
    y = take(y, bordered(x.shape()[axis], width, mode), axis);
  }
  return y;
}

std::vector<Tensor> meshgrid(std::span<const Tensor> xs, std::string_view indexing) {
  const graph::Call call("meshgrid", "x", xs);
  if (indexing != "xy" && indexing != "ij") {
    graph::fail("unknown indexing: {}; must be xy or ij", core::quote(indexing));
  }
  const auto rank = static_cast<int>(xs.size());
  if (rank > Shape::max_rank) {
    graph::fail("too many vectors: {}; at most {}", rank, Shape::max_rank);
  }
  std::vector<Tensor> shaped;
  for (int k = 0; k < rank; ++k) {
    const Tensor& x = item(xs, k);
    if (x.ndim() > 1) {
      graph::fail("x {} is not a vector: it is {}; must have one axis", k, to_string(x.shape()));
    }
    const bool swapped = indexing == "xy" && rank > 1 && k < 2;
    auto shape = Shape();
    for (int axis = 0; axis < rank; ++axis) {
      shape.push_back(axis == (swapped ? 1 - k : k) ? x.size() : 1);
    }
    shaped.push_back(reshape(x, shape));
  }
  return broadcast_arrays(shaped);
}

std::vector<Tensor> broadcast_arrays(std::span<const Tensor> xs) {
  const graph::Call call("broadcast_arrays", "x", xs);
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

Tensor vstack(std::span<const Tensor> parts) {
  const graph::Call call("vstack", "part", parts);
  std::vector<Tensor> rows;
  for (const Tensor& part : parts) rows.push_back(with_rank(part, 2));
  return concatenate(rows, 0);
}

Tensor hstack(std::span<const Tensor> parts) {
  const graph::Call call("hstack", "part", parts);
  std::vector<Tensor> all;
  for (const Tensor& part : parts) all.push_back(with_rank(part, 1));
  return concatenate(all, all.empty() || all[0].ndim() == 1 ? 0 : 1);
}

std::vector<Tensor> array_split(const Tensor& x, std::int64_t sections, int axis) {
  const graph::Call call("array_split", {{"x", x}});
  const int at = graph::require_axis(axis, x.ndim());
  if (sections < 1) {
    graph::fail("too few sections: {}; must be 1 or more", sections);
  }
  graph::check_part_count("sections", sections);
  const std::int64_t n = x.shape()[at];
  std::vector<Tensor> parts;
  for (std::int64_t k = 0, from = 0; k < sections; ++k) {
    const std::int64_t to = from + n / sections + (k < n % sections ? 1 : 0);
    parts.push_back(part_of(x, at, Slice{from, to}));
    from = to;
  }
  return parts;
}

std::vector<Tensor> array_split(const Tensor& x, std::span<const std::int64_t> positions,
                                int axis) {
  const graph::Call call("array_split", {{"x", x}});
  const int at = graph::require_axis(axis, x.ndim());
  std::vector<Tensor> parts;
  std::int64_t from = 0;
  for (const std::int64_t to : positions) {
    parts.push_back(part_of(x, at, Slice{from, to}));
    from = to;
  }
  parts.push_back(part_of(x, at, Slice{from, {}}));
  return parts;
}

Tensor trace(const Tensor& x, std::int64_t offset, int axis1, int axis2) {
  const graph::Call call("trace", {{"x", x}});
  return sum(diagonal(x, offset, axis1, axis2), -1);
}

Tensor kron(const Tensor& a, const Tensor& b) {
  const graph::Call call("kron", {{"a", a}, {"b", b}});
  const int rank = std::max(a.ndim(), b.ndim());
  const Shape of_a = with_rank(a, rank).shape(), of_b = with_rank(b, rank).shape();
  Shape left, right, result;
  if (2 * rank > Shape::max_rank) {
    graph::fail("too many axes: {} and {}; at most {}", to_string(a.shape()), to_string(b.shape()),
                Shape::max_rank / 2);
  }
  for (int k = 0; k < rank; ++k) {
    if (is_past_largest(of_a[k], of_b[k])) {
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
