// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/item.hpp"
#include "core/math.hpp"
#include "core/quote.hpp"
#include "graph/build.hpp"
#include "graph/check.hpp"
#include "graph/named.hpp"
#include "ops/shape.hpp"
#include "trigon/create.hpp"
#include "trigon/index.hpp"
#include "trigon/join.hpp"
#include "trigon/math.hpp"
#include "trigon/shape.hpp"

namespace trigon {
namespace {

// A tensor with elements, and its first position along the axis.
struct Placed {
  Tensor x;
  std::int64_t begin;
};

void check_any(std::span<const Tensor> arrays) {
  if (arrays.empty()) graph::fail("no parts: 0 given; needs at least one");
}

void check_shape(const Tensor& first, const Tensor& array, std::size_t number, int axis) {
  bool fits = array.ndim() == first.ndim();
  for (int k = 0; fits && k < first.ndim(); ++k) {
    fits = k == axis || array.shape()[k] == first.shape()[k];
  }
  if (!fits) {
    graph::fail("shapes differ: part 0 is {}, part {} is {}; all must be equal but along axis {}",
                to_string(first.shape()), number, to_string(array.shape()), axis);
  }
}

// Tensors side by side in a tensor of `shape`: a balanced tree of where(position < begin, ...).
Tensor join(std::span<const Placed> placed, int axis, const Shape& shape) {
  if (placed.size() == 1) {
    auto before = vector_of<std::int64_t>(shape.rank());
    item(before, axis) = placed[0].begin;
    return graph::pad_to(placed[0].x, before, shape, 0);
  }
  const std::size_t half = placed.size() / 2;
  const Tensor position = graph::positions(shape[axis], axis, shape.rank());
  const Tensor before = join(placed.first(half), axis, shape);
  const Tensor after = join(placed.subspan(half), axis, shape);
  return where(position < placed[half].begin, before, after);
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

Tensor concatenate(const TensorList& arrays, int axis) {
  const graph::Named named("concatenate", "part", arrays);
  check_any(arrays);
  const int k = graph::require_axis(axis, arrays[0].ndim());
  Shape shape = arrays[0].shape();
  shape[k] = 0;
  DType dtype = arrays[0].dtype();
  std::vector<Placed> filled;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    check_shape(arrays[0], arrays[i], i, k);
    if (arrays[i].dtype() != dtype) dtype = promote(dtype, arrays[i].dtype());
    if (arrays[i].shape()[k] > 0) filled.push_back({arrays[i], shape[k]});
    const std::int64_t size = core::sum_or_none(shape[k], arrays[i].shape()[k]);
    if (size < 0) {
      graph::fail("size too large: axis {} of the first {} parts; must stay below 2^63", k, i + 1);
    }
    shape[k] = size;
  }
  if (shape.numel() == 0) return zeros(shape, dtype);
  for (Placed& one : filled) one.x = graph::cast(one.x, dtype);
  // where() computes float16 as float32, which changes no value.
  return graph::cast(join(filled, k, shape), dtype);
}

Tensor stack(const TensorList& arrays, int axis) {
  const graph::Named named("stack", "part", arrays);
  check_any(arrays);
  const int k = graph::require_axis(axis, arrays[0].ndim() + 1);
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i].shape() == arrays[0].shape()) continue;
    graph::fail("shapes differ: part 0 is {}, part {} is {}; all must be equal",
                to_string(arrays[0].shape()), i, to_string(arrays[i].shape()));
  }
  Shape shape = arrays[0].shape();
  shape.insert(k, std::ssize(arrays));
  static_cast<void>(shape.numel());  // raises Error from 2^63 on
  std::vector<Tensor> layers;
  for (const Tensor& array : arrays) layers.push_back(expand_dims(array, k));
  return concatenate(layers, k);
}

std::vector<Tensor> split(const Tensor& x, int sections, int axis) {
  const graph::Named named("split", {{"x", x}});
  const int k = graph::require_axis(axis, x.ndim());
  const std::int64_t n = x.shape()[k];
  if (sections < 1 || n % sections != 0) {
    graph::fail(
        "no equal parts: {} sections, axis {} has size {}; the size must be a multiple of the "
        "sections",
        sections, k, n);
  }
  graph::check_result_count("sections", sections);
  std::vector<Tensor> made;
  for (int section = 0; section < sections; ++section) {
    graph::Region region;
    for (int i = 0; i < x.ndim(); ++i) {
      const std::int64_t size = i == k ? n / sections : x.shape()[i];
      region.push_axis(i == k ? section * size : 0, 1, size);
    }
    made.push_back(graph::slice(x, region));
  }
  return made;
}

Tensor vstack(const TensorList& arrays) {
  const graph::Named named("vstack", "part", arrays);
  std::vector<Tensor> rows;
  for (const Tensor& array : arrays) rows.push_back(ops::with_rank(array, 2));
  return concatenate(rows, 0);
}

Tensor hstack(const TensorList& arrays) {
  const graph::Named named("hstack", "part", arrays);
  std::vector<Tensor> all;
  for (const Tensor& array : arrays) all.push_back(ops::with_rank(array, 1));
  return concatenate(all, all.empty() || all[0].ndim() == 1 ? 0 : 1);
}

std::vector<Tensor> detail::array_split(const Tensor& x, std::int64_t sections, int axis) {
  const graph::Named named("array_split", {{"x", x}});
  const int at = graph::require_axis(axis, x.ndim());
  if (sections < 1) {
    graph::fail("too few sections: {}; must be 1 or more", sections);
  }
  graph::check_result_count("sections", sections);
  const std::int64_t n = x.shape()[at];
  std::vector<Tensor> made;
  for (std::int64_t k = 0, from = 0; k < sections; ++k) {
    const std::int64_t to = from + n / sections + (k < n % sections ? 1 : 0);
    made.push_back(ops::slice_along(x, at, Slice{from, to}));
    from = to;
  }
  return made;
}

std::vector<Tensor> array_split(const Tensor& x, const IntegerList<std::int64_t>& positions,
                                int axis) {
  const graph::Named named("array_split", {{"x", x}});
  const int at = graph::require_axis(axis, x.ndim());
  std::vector<Tensor> made;
  std::int64_t from = 0;
  for (const std::int64_t to : positions) {
    made.push_back(ops::slice_along(x, at, Slice{from, to}));
    from = to;
  }
  made.push_back(ops::slice_along(x, at, Slice{from, {}}));
  return made;
}

Tensor pad(const Tensor& x, const PadWidths& widths, double value) {
  const graph::Named named("pad", {{"x", x}});
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

Tensor pad(const Tensor& x, const PadWidths& widths, std::string_view mode) {
  const graph::Named named("pad", {{"x", x}});
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

}  // namespace trigon
