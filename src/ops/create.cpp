// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/internals.hpp"
#include "core/item.hpp"
#include "core/quote.hpp"
#include "graph/build.hpp"
#include "graph/check.hpp"
#include "graph/named.hpp"
#include "trigon/create.hpp"
#include "trigon/index.hpp"
#include "trigon/join.hpp"
#include "trigon/logic.hpp"
#include "trigon/math.hpp"
#include "trigon/shape.hpp"

namespace trigon {

namespace {

// (M, N): compare(column, row + k), true on, below or above the k-th diagonal.
Tensor diagonal(const Shape& shape, int k, Tensor (*compare)(const Tensor&, const Tensor&)) {
  const Tensor row = graph::positions(shape[-2], 0, 2);
  const Tensor column = graph::positions(shape[-1], 1, 2);
  return compare(column, k == 0 ? row : row + k);  // (M, N)
}

Tensor triangle(const Tensor& x, int k, Tensor (*compare)(const Tensor&, const Tensor&)) {
  graph::require_two_axes("x", x);
  return where(diagonal(x.shape(), k, compare), x, false);
}

std::int64_t checked_count(double count) {
  if (!(count >= 0 && count <= std::numeric_limits<std::int32_t>::max())) {
    graph::fail("number of elements out of range: {}; must be in [0, {}]", count,
                std::numeric_limits<std::int32_t>::max());
  }
  return static_cast<std::int64_t>(count);
}

[[noreturn]] void throw_zero_step() { graph::fail("step is zero: step is 0; must not be 0"); }

// ---- linspace

/// A number as the sum of two of float32.
struct TwoFloats {
  double high, low;
};

TwoFloats two_floats(double value) {
  const double high = static_cast<float>(value);
  return {high, std::isfinite(high) ? value - high : 0};
}

/// As `two_floats`; `high` has 12 bits and is no larger than the number.
TwoFloats head_and_rest(double value) {
  if (value == 0 || !std::isfinite(value)) return {value, 0};
  const int last = std::ilogb(value) - 11;
  const double high = std::ldexp(std::trunc(std::ldexp(value, -last)), last);
  return {high, value - high};
}

void line_values(std::span<const double> inputs, std::span<double> outputs) {
  const double step = inputs[1] + inputs[2], start = inputs[3] + inputs[4];
  outputs[0] = static_cast<float>(start + inputs[0] * step);
}

const Op& line_op() {
  static const Op op(KernelSpec{.name = "line",
                                .inputs = {{"k"}, {"sh"}, {"sl"}, {"vh"}, {"vl"}},
                                .outputs = {{"y"}},
                                .body = "y = line_(k, sh, sl, vh, vl)",
                                .ref = line_values,
                                .instructions = 25});
  return op.canonical();
}

// start + i * step for i below `count`, (count,), counted from the element next to 0, so that terms
// of different signs do not cancel.
Tensor line(double start, double step, std::int64_t count) {
  // The lower halves of the smallest would be subnormal, which devices may flush to 0.
  const double largest =
      std::max(std::fabs(start), std::fabs(start + static_cast<double>(count) * step));
  const double scale = largest < 0x1p-62 ? 0x1p62 : 1;
  start *= scale;
  step *= scale;
  const double nearest = std::round(-start / step);
  const double last = static_cast<double>(count - 1);
  const double first = nearest > 0 ? std::min(nearest, last) : 0;  // 0 where it is NaN, too
  const auto [sh, sl] = head_and_rest(step);
  const auto [vh, vl] = two_floats(first * step + start);
  Tensor k = iota(count);
  if (first != 0) k = k - static_cast<std::int64_t>(first);
  std::vector<Tensor> inputs{k.astype(float32)};
  for (const double number : {sh, sl, vh, vl}) {
    inputs.push_back(
        graph::expand(detail::Internals::tensor(graph::scalar(number, float32)), {count}));
  }
  const Tensor x = graph::kernel(line_op(), inputs, {count})[0];
  return scale == 1 ? x : x * (1 / scale);
}

}  // namespace

Tensor full(const Shape& shape, double value, DType dtype) {
  const graph::Named named("full");
  const Tensor number = detail::Internals::tensor(graph::weak_constant(value, DType::float32));
  return graph::expand(graph::cast(number, dtype), shape);
}

Tensor zeros(const Shape& shape, DType dtype) { return full(shape, 0, dtype); }
Tensor ones(const Shape& shape, DType dtype) { return full(shape, 1, dtype); }
Tensor zeros_like(const Tensor& x) {
  const graph::Named named("zeros_like", {{"x", x}});
  return full(x.shape(), 0, x.dtype());
}
Tensor ones_like(const Tensor& x) {
  const graph::Named named("ones_like", {{"x", x}});
  return full(x.shape(), 1, x.dtype());
}

Tensor iota(std::int64_t n) {
  const graph::Named named("iota");
  const Shape shape{checked_count(static_cast<double>(n))};
  return detail::Internals::tensor(graph::make(graph::Kind::iota, DType::int32, shape, {}));
}

namespace detail {

Tensor arange(std::int64_t start, std::int64_t stop, std::int64_t step) {
  const graph::Named named("arange");
  if (step == 0) throw_zero_step();
  const auto span = static_cast<double>(stop) - static_cast<double>(start);
  const double count = std::ceil(span / static_cast<double>(step));
  Tensor x = iota(checked_count(count > 0 ? count : 0));
  if (step != 1) x = x * step;
  return start == 0 ? x : x + start;
}

Tensor arange(double start, double stop, double step) {
  const graph::Named named("arange");
  if (step == 0) throw_zero_step();
  const double count = std::ceil((stop - start) / step);
  const Tensor x = iota(checked_count(count < 0 ? 0 : count)).astype(float32);
  return x * step + start;
}

}  // namespace detail

Tensor linspace(double start, double stop, std::int64_t n, bool endpoint) {
  const graph::Named named("linspace");
  const std::int64_t count = checked_count(static_cast<double>(n));
  const std::int64_t steps = endpoint ? count - 1 : count;
  if (steps < 1) return full({count}, start);
  const Tensor x = line(start, (stop - start) / static_cast<double>(steps), count);
  return endpoint ? where(equal(iota(count), steps), stop, x) : x;
}

Tensor eye(std::int64_t n, std::int64_t m, const EyeOptions& options) {
  const graph::Named named("eye");
  return diagonal({n, m == -1 ? n : m}, options.k, equal).astype(options.dtype);
}

Tensor tril(const Tensor& x, int k) {
  const graph::Named named("tril", {{"x", x}});
  return triangle(x, k, less_equal);
}
Tensor triu(const Tensor& x, int k) {
  const graph::Named named("triu", {{"x", x}});
  return triangle(x, k, greater_equal);
}

Tensor full_like(const Tensor& x, double value, std::optional<DType> dtype) {
  const graph::Named named("full_like", {{"x", x}});
  const Tensor number = detail::Internals::tensor(graph::weak_constant(value, DType::float32));
  return graph::expand(graph::cast(number, dtype.value_or(x.dtype())), x.shape());
}

Tensor empty(const Shape& shape, DType dtype) { return zeros(shape, dtype); }

Tensor empty_like(const Tensor& x) {
  const graph::Named named("empty_like", {{"x", x}});
  return zeros_like(x);
}

Tensor logspace(double start, double stop, std::int64_t n, const LogspaceOptions& options) {
  const graph::Named named("logspace");
  return power(options.base, linspace(start, stop, n, options.endpoint));
}

Tensor indices(const Shape& shape) {
  const graph::Named named("indices");
  const int rank = shape.rank();
  if (rank == 0) return zeros({0}, int32);
  std::vector<Tensor> all;
  for (int axis = 0; axis < rank; ++axis) {
    all.push_back(graph::expand(graph::positions(shape[axis], axis, rank), shape));
  }
  return stack(all);
}

std::vector<Tensor> meshgrid(const TensorList& xs, std::string_view indexing) {
  const graph::Named named("meshgrid", "x", xs);
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

}  // namespace trigon
