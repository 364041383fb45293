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

// A part with elements, and its first position along the axis.
struct Part {
  Tensor x;
  std::int64_t begin;
};

void check_any(std::span<const Tensor> parts) {
  if (parts.empty()) graph::fail("no parts: 0 given; needs at least one");
}

void check_part(const Tensor& first, const Tensor& part, std::size_t number, int axis) {
  bool fits = part.ndim() == first.ndim();
  for (int k = 0; fits && k < first.ndim(); ++k) {
    fits = k == axis || part.shape()[k] == first.shape()[k];
  }
  if (!fits) {
    graph::fail("shapes differ: part 0 is {}, part {} is {}; all must be equal but along axis {}",
                to_string(first.shape()), number, to_string(part.shape()), axis);
  }
}

// The parts side by side in a tensor of `shape`: a balanced tree of where(position < begin, ...).
Tensor join(std::span<const Part> parts, int axis, const Shape& shape) {
  if (parts.size() == 1) {
    auto before = vector_of<std::int64_t>(shape.rank());
    item(before, axis) = parts[0].begin;
    return graph::pad_to(parts[0].x, before, shape, 0);
  }
  const std::size_t half = parts.size() / 2;
  const Tensor position = graph::positions(shape[axis], axis, shape.rank());
  const Tensor before = join(parts.first(half), axis, shape);
  const Tensor after = join(parts.subspan(half), axis, shape);
  return where(position < parts[half].begin, before, after);
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

Tensor concatenate(const TensorList& parts, int axis) {
  const graph::Named named("concatenate", "part", parts);
  check_any(parts);
  const int k = graph::require_axis(axis, parts[0].ndim());
  Shape shape = parts[0].shape();
  shape[k] = 0;
  DType dtype = parts[0].dtype();
  std::vector<Part> filled;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    check_part(parts[0], parts[i], i, k);
    if (parts[i].dtype() != dtype) dtype = promote(dtype, parts[i].dtype());
    if (parts[i].shape()[k] > 0) filled.push_back({parts[i], shape[k]});
    const std::int64_t size = core::sum_or_none(shape[k], parts[i].shape()[k]);
    if (size < 0) {
      graph::fail("size too large: axis {} of the first {} parts; must stay below 2^63", k, i + 1);
    }
    shape[k] = size;
  }
  if (shape.numel() == 0) return zeros(shape, dtype);
  for (Part& part : filled) part.x = graph::cast(part.x, dtype);
  // where() computes float16 as float32, which changes no value.
  return graph::cast(join(filled, k, shape), dtype);
}

Tensor stack(const TensorList& parts, int axis) {
  const graph::Named named("stack", "part", parts);
  check_any(parts);
  const int k = graph::require_axis(axis, parts[0].ndim() + 1);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].shape() == parts[0].shape()) continue;
    graph::fail("shapes differ: part 0 is {}, part {} is {}; all must be equal",
                to_string(parts[0].shape()), i, to_string(parts[i].shape()));
  }
  Shape shape = parts[0].shape();
  shape.insert(k, std::ssize(parts));
  static_cast<void>(shape.numel());  // raises Error from 2^63 on
  std::vector<Tensor> layers;
  for (const Tensor& part : parts) layers.push_back(expand_dims(part, k));
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
  graph::check_part_count("sections", sections);
  std::vector<Tensor> parts;
  for (int part = 0; part < sections; ++part) {
    graph::Region region;
    for (int i = 0; i < x.ndim(); ++i) {
      const std::int64_t size = i == k ? n / sections : x.shape()[i];
      region.push_axis(i == k ? part * size : 0, 1, size);
    }
    parts.push_back(graph::slice(x, region));
  }
  return parts;
}

Tensor vstack(const TensorList& parts) {
  const graph::Named named("vstack", "part", parts);
  std::vector<Tensor> rows;
  for (const Tensor& part : parts) rows.push_back(ops::with_rank(part, 2));
  return concatenate(rows, 0);
}

Tensor hstack(const TensorList& parts) {
  const graph::Named named("hstack", "part", parts);
  std::vector<Tensor> all;
  for (const Tensor& part : parts) all.push_back(ops::with_rank(part, 1));
  return concatenate(all, all.empty() || all[0].ndim() == 1 ? 0 : 1);
}

std::vector<Tensor> detail::array_split(const Tensor& x, std::int64_t sections, int axis) {
  const graph::Named named("array_split", {{"x", x}});
  const int at = graph::require_axis(axis, x.ndim());
  if (sections < 1) {
    graph::fail("too few sections: {}; must be 1 or more", sections);
  }
  graph::check_part_count("sections", sections);
  const std::int64_t n = x.shape()[at];
  std::vector<Tensor> parts;
  for (std::int64_t k = 0, from = 0; k < sections; ++k) {
    const std::int64_t to = from + n / sections + (k < n % sections ? 1 : 0);
    parts.push_back(ops::part_of(x, at, Slice{from, to}));
    from = to;
  }
  return parts;
}

std::vector<Tensor> array_split(const Tensor& x, const IntegerList<std::int64_t>& positions,
                                int axis) {
  const graph::Named named("array_split", {{"x", x}});
  const int at = graph::require_axis(axis, x.ndim());
  std::vector<Tensor> parts;
  std::int64_t from = 0;
  for (const std::int64_t to : positions) {
    parts.push_back(ops::part_of(x, at, Slice{from, to}));
    from = to;
  }
  parts.push_back(ops::part_of(x, at, Slice{from, {}}));
  return parts;
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
