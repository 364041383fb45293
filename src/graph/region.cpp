// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/internals.hpp"
#include "core/item.hpp"
#include "graph/build.hpp"
#include "graph/check.hpp"
#include "trigon/create.hpp"

namespace trigon::detail::graph {
namespace {

struct Span {
  std::int64_t start;
  std::int64_t step;
  std::int64_t size;
};

// A bound of a slice, clamped to [low, high] by Python's rule.
std::int64_t clamp_bound(const std::optional<std::int64_t>& bound, std::int64_t otherwise,
                         std::int64_t n, std::int64_t low, std::int64_t high) {
  if (!bound) return otherwise;
  return std::clamp(*bound < 0 ? *bound + n : *bound, low, high);
}

Span resolve(const Slice& slice, int axis, std::int64_t n) {
  if (slice.step == 0) {
    fail("slice step is zero: axis is {}; must not be 0", axis);
  }
  // The most negative step cannot be negated; the next one selects the same single element.
  const std::int64_t step = std::max(slice.step, -std::numeric_limits<std::int64_t>::max());
  std::int64_t start, size;
  if (step > 0) {
    start = clamp_bound(slice.start, 0, n, 0, n);
    const std::int64_t stop = clamp_bound(slice.stop, n, n, 0, n);
    size = start < stop ? (stop - start - 1) / step + 1 : 0;
  } else {
    start = clamp_bound(slice.start, n - 1, n, -1, n - 1);
    const std::int64_t stop = clamp_bound(slice.stop, -1, n, -1, n - 1);
    size = stop < start ? (start - stop - 1) / -step + 1 : 0;
  }
  if (size == 0) return {0, 1, 0};
  return {start, size == 1 ? 1 : step, size};
}

std::int64_t resolve(std::int64_t integer, int axis, std::int64_t n) {
  if (integer < -n || integer >= n) {
    fail("index out of range: index is {}, axis {} has size {}; must be in [{}, {})", integer, axis,
         n, -n, n);
  }
  return integer < 0 ? integer + n : integer;
}

void check_window(std::int64_t size, int axis, std::int64_t n) {
  if (size < 0 || size > n) {
    fail("window does not fit: size is {}, axis {} has size {}; must be in [0, {}]", size, axis, n,
         n);
  }
}

bool takes_axis(const Index& entry) {
  return entry.kind != Index::Kind::new_axis && entry.kind != Index::Kind::other_axes;
}

// Number of axes that the ellipsis stands for.
int check_entries(const Shape& x, std::span<const Index> entries) {
  const auto taken = std::count_if(entries.begin(), entries.end(), takes_axis);
  const auto ellipses = std::count_if(entries.begin(), entries.end(), [](const Index& entry) {
    return entry.kind == Index::Kind::other_axes;
  });
  if (taken > x.rank()) {
    fail("too many entries: {} for x of {}; at most one an axis", taken, to_string(x));
  }
  if (ellipses > 1) {
    fail("more than one ellipsis: {} given; at most one may occur", ellipses);
  }
  return x.rank() - static_cast<int>(taken);
}

// Adds the axis as an entry selects it.
void select_axis(const Index& entry, int axis, std::int64_t n, Selected& out) {
  switch (entry.kind) {
    case Index::Kind::integer: out.region.push_axis(resolve(entry.integer, axis, n), 1, 1); return;
    case Index::Kind::slice: {
      const Span span = resolve(entry.slice, axis, n);
      out.region.push_axis(span.start, span.step, span.size);
      out.shape.push_back(span.size);
      return;
    }
    case Index::Kind::window:
    case Index::Kind::run_time: {
      const bool keeps = entry.kind == Index::Kind::window;
      const std::int64_t size = keeps ? entry.integer : 1;
      check_window(size, axis, n);
      const NodePtr start = whole_number("start", entry.start);
      // A window as wide as the axis can only start at 0.
      out.region.push_axis(0, 1, size, size == n ? nullptr : start);
      if (keeps) out.shape.push_back(size);
      return;
    }
    default: return;
  }
}

// A region of a padded x as a region of x, or as the filler if it lies beside x; empty if it holds
// some of both.
Tensor slice_of_pad(const Tensor& padded, const Region& region) {
  const Node& node = *Internals::node(padded);
  const std::vector<NodePtr> inputs = inputs_of(node);
  if (node.kind != Kind::pad || inputs.empty() || !region.scalars.empty()) return {};
  const Shape& x = inputs[0]->shape;
  Region inner;
  bool inside = true;
  for (int k = 0; k < x.rank(); ++k) {
    const core::RegionAttrs::Axis& at = item(region.box.axes, k);
    const std::int64_t size = region.shape[k];
    if (at.step != 1 || size == 0) return {};
    const std::int64_t start = at.start - item(node.as<core::PadAttrs>().before, k);
    if (start + size <= 0 || start >= x[k]) return full(region.shape, node.value, node.dtype);
    inside = inside && start >= 0 && start + size <= x[k];
    inner.push_axis(start, 1, size);
  }
  return inside ? slice(Internals::tensor(inputs[0]), inner) : Tensor();
}

}  // namespace

void Region::push_axis(std::int64_t start, std::int64_t step, std::int64_t size,
                       const NodePtr& run_time_start) {
  core::ScalarNumber scalar;
  if (run_time_start != nullptr) {
    scalar.number = static_cast<std::int32_t>(scalars.size());
    scalars.push_back(run_time_start);
  }
  box.axes.push_back({start, step, scalar});
  shape.push_back(size);
}

core::RegionAttrs renumbered(core::RegionAttrs box, std::int32_t by) {
  for (core::RegionAttrs::Axis& axis : box.axes) {
    if (axis.scalar.is_given()) axis.scalar.number += by;
  }
  return box;
}

bool is_whole(const Region& region, const Shape& shape) {
  return region.shape == shape &&
         std::all_of(region.box.axes.begin(), region.box.axes.end(),
                     [](const core::RegionAttrs::Axis& axis) { return axis.step == 1; });
}

Region region_of(const Node& node, std::span<const NodePtr> inputs, std::size_t first,
                 const Shape& shape) {
  return {renumbered(node.as<core::RegionAttrs>(), -static_cast<std::int32_t>(first)),
          shape,
          {inputs.begin() + static_cast<std::ptrdiff_t>(first), inputs.end()}};
}

Selected select(const Shape& x, std::span<const Index> entries) {
  const int rest = check_entries(x, entries);
  Selected out;
  int axis = 0;
  const auto take_whole = [&](int axes) {
    for (int k = 0; k < axes; ++k, ++axis) {
      out.region.push_axis(0, 1, x[axis]);
      out.shape.push_back(x[axis]);
    }
  };
  for (const Index& entry : entries) {
    if (entry.kind == Index::Kind::new_axis) {
      out.shape.push_back(1);
    } else if (entry.kind == Index::Kind::other_axes) {
      take_whole(rest);
    } else {
      select_axis(entry, axis, x[axis], out);
      ++axis;
    }
  }
  take_whole(x.rank() - axis);
  return out;
}

Tensor slice(const Tensor& x, const Region& region) {
  if (is_whole(region, x.shape())) return x;
  if (const Tensor inner = slice_of_pad(x, region); inner.has_value()) return inner;
  const NodePtr node = make(Kind::slice, x.dtype(), region.shape, {Internals::node(x)});
  for (const NodePtr& scalar : region.scalars) add_input(*node, scalar);
  node->attrs = renumbered(region.box, 1);
  return Internals::tensor(node);
}

}  // namespace trigon::detail::graph
