// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/item.hpp"
#include "core/math.hpp"
#include "graph/build.hpp"
#include "graph/call.hpp"
#include "graph/check.hpp"
#include "trigon/create.hpp"
#include "trigon/index.hpp"
#include "trigon/join.hpp"
#include "trigon/shape.hpp"

namespace trigon {
namespace {

// A part with elements, and its first position along the axis.
struct Part {
  Tensor x;
  std::int64_t begin;
};

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

}  // namespace

Tensor concatenate(std::span<const Tensor> parts, int axis) {
  const graph::Call call("concatenate", "part", parts);
  if (parts.empty()) {
    graph::fail("no parts: 0 given; needs at least one");
  }
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

Tensor stack(std::span<const Tensor> parts, int axis) {
  const graph::Call call("stack", "part", parts);
  if (parts.empty()) graph::fail("no parts: 0 given; needs at least one");
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
  const graph::Call call("split", {{"x", x}});
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

}  // namespace trigon
