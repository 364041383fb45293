// SPDX-License-Identifier: MIT
#include "reference/interpret_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <trigon/extend.hpp>
#include "core/bits.hpp"
#include "core/item.hpp"
#include "core/list.hpp"
#include "graph/build.hpp"
#include "trigon/error.hpp"

namespace trigon::detail::graph {
namespace {

using Values = std::vector<double>;
using Strides = std::array<std::int64_t, Shape::max_rank>;

// ---- Positions

Strides strides_of(const Shape& shape) {
  Strides strides{};
  std::int64_t stride = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    item(strides, axis) = stride;
    stride *= shape[axis];
  }
  return strides;
}

// Calls f(flat, position) for every element in C order.
template <class F>
void for_each(const Shape& shape, F f) {
  const std::int64_t count = shape.numel();
  Strides at{};
  for (std::int64_t flat = 0; flat < count; ++flat) {
    f(flat, at);
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
      if (++item(at, axis) < shape[axis]) break;
      item(at, axis) = 0;
    }
  }
}

std::int64_t offset_of(const Strides& at, const Strides& strides, int rank) {
  std::int64_t flat = 0;
  for (int k = 0; k < rank; ++k) flat += item(at, k) * item(strides, k);
  return flat;
}

// ---- Numbers

// x as an integer of `dtype`: its low bits if |x| < 2^63, otherwise the nearest value.
double wrap(double x, DType dtype) {
  if (std::isnan(x)) return 0;
  const double whole = std::trunc(x);
  if (std::abs(whole) >= 9.2e18) {
    return whole < 0 ? info(dtype).lowest : info(dtype).highest;
  }
  const auto bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(whole));
  if (dtype == DType::int32) return static_cast<std::int32_t>(bits & 0xffffffffU);
  if (dtype == DType::uint32) return static_cast<std::uint32_t>(bits & 0xffffffffU);
  return static_cast<std::uint8_t>(bits & 0xffU);
}

double keep(double x, DType dtype) {
  if (dtype == DType::boolean) return x != 0 ? 1 : 0;
  return is_integer(dtype) ? wrap(x, dtype) : x;
}

// ---- Elementwise

// Integers have no quotient by 0 and no NaN, so the result is 0.
double kept(double x, DType dtype) {
  return keep(is_integer(dtype) && !std::isfinite(x) ? 0 : x, dtype);
}

double element(const Op& op, DType dtype, std::span<const Operand> in, std::size_t i) {
  const auto x = [&](std::size_t k) { return in[k].values[i]; };
  const auto bits = [&](std::size_t k) { return core::low_bits(x(k)); };
  const bool whole = is_integer(dtype);
  switch (op.family) {
    case Family::unary: {
      const UnarySpec& spec = op.unary();
      return whole && spec.ref_bits != nullptr ? spec.ref_bits(bits(0)) : spec.ref.get()(x(0));
    }
    case Family::binary: {
      const BinarySpec& spec = op.binary();
      return whole && spec.ref_bits != nullptr ? spec.ref_bits(bits(0), bits(1))
                                               : spec.ref.get()(x(0), x(1));
    }
    default: return op.ternary().ref.get()(x(0), x(1), x(2));
  }
}

Values map(const Node& node, std::span<const Operand> in) {
  if (node.op->family == Family::kernel) return results_of_kernel(node, in)[0];
  Values y = vector_of<double>(node.shape.numel());
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = kept(element(*node.op, node.dtype, in, i), node.dtype);
  }
  return y;
}

Values cast(const Node& node, const Operand& x) {
  Values y = x.values;
  for (double& v : y) {
    if (node.dtype == DType::float16) {
      v = round_to_half(v);
    } else if (node.dtype == DType::float32) {
      if (is_integer(x.dtype)) v = static_cast<float>(v);
    } else if (node.dtype != DType::boolean && is_float(x.dtype)) {
      // A value in range loses its fraction; NumPy does not define the result for others.
      v = wrap(std::trunc(v), node.dtype);
    } else {
      v = keep(v, node.dtype);
    }
  }
  return y;
}

// ---- Views

Values permute(const Node& node, const Operand& x) {
  const std::vector<int>& axes = node.as<core::PermuteAttrs>().axes;
  const Strides from = strides_of(x.shape);
  Values y = vector_of<double>(node.shape.numel());
  for_each(node.shape, [&](std::int64_t flat, const Strides& at) {
    std::int64_t source = 0;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      source += at[axis] * item(from, axes[axis]);
    }
    item(y, flat) = item(x.values, source);
  });
  return y;
}

// Starts and steps of a slice or write of `written` out of `whole`; run-time starts count from the
// end if negative, and are clamped into [0, n - size].
struct Region {
  Strides start{};
  Strides step{};
};

Region region_of(const Node& node, const Shape& whole, const Shape& written,
                 std::span<const Operand> in) {
  Region region;
  for (int axis = 0; axis < whole.rank(); ++axis) {
    const core::RegionAttrs::Axis& attr = item(node.as<core::RegionAttrs>().axes, axis);
    std::int64_t start = attr.start;
    if (attr.scalar.is_given()) {
      double moved = item(in, attr.scalar.number).values[0];
      if (moved < 0) moved += static_cast<double>(whole[axis]);
      const std::int64_t extent = (written[axis] - 1) * attr.step + 1;
      const std::int64_t last = std::max<std::int64_t>(whole[axis] - extent, 0);
      start = std::clamp<std::int64_t>(start + static_cast<std::int64_t>(moved), 0, last);
    }
    item(region.start, axis) = start;
    item(region.step, axis) = attr.step;
  }
  return region;
}

std::int64_t place(const Region& region, const Strides& at, const Strides& strides, int rank) {
  std::int64_t flat = 0;
  for (int k = 0; k < rank; ++k) {
    flat += (item(region.start, k) + item(at, k) * item(region.step, k)) * item(strides, k);
  }
  return flat;
}

Values slice(const Node& node, std::span<const Operand> in) {
  const Operand& x = in[0];
  const Strides from = strides_of(x.shape);
  const Region region = region_of(node, x.shape, node.shape, in);
  Values y = vector_of<double>(node.shape.numel());
  for_each(node.shape, [&](std::int64_t flat, const Strides& at) {
    item(y, flat) = item(x.values, place(region, at, from, x.shape.rank()));
  });
  return y;
}

Values write(const Node& node, std::span<const Operand> in) {
  const Operand& v = in[1];
  const Strides to = strides_of(node.shape);
  const Region region = region_of(node, node.shape, v.shape, in);
  Values y = in[0].values;
  for_each(v.shape, [&](std::int64_t flat, const Strides& at) {
    item(y, place(region, at, to, node.shape.rank())) = item(v.values, flat);
  });
  return y;
}

Values broadcast_values(const Shape& shape, const Operand& x) {
  const Strides from = strides_of(x.shape);
  const int missing = shape.rank() - x.shape.rank();
  Values y = vector_of<double>(shape.numel());
  for_each(shape, [&](std::int64_t flat, const Strides& at) {
    std::int64_t source = 0;
    for (int axis = 0; axis < x.shape.rank(); ++axis) {
      if (x.shape[axis] == 1) continue;
      source += item(at, axis + missing) * item(from, axis);
    }
    item(y, flat) = item(x.values, source);
  });
  return y;
}

Values pad(const Node& node, const Operand& x) {
  const Strides to = strides_of(node.shape);
  Values y = vector_of(node.shape.numel(), keep(node.value, node.dtype));
  for_each(x.shape, [&](std::int64_t flat, const Strides& at) {
    std::int64_t target = 0;
    bool inside = true;
    for (int axis = 0; axis < x.shape.rank(); ++axis) {
      const std::int64_t i = item(at, axis) + item(node.as<core::PadAttrs>().before, axis);
      inside = inside && i >= 0 && i < node.shape[axis];
      target += i * item(to, axis);
    }
    if (inside) item(y, target) = item(x.values, flat);
  });
  return y;
}

Values take(const Node& node, const Operand& x, const Operand& indices) {
  const int axis = node.as<core::TakeAttrs>().axis;
  const std::int64_t before = core::product(x.shape, 0, axis);
  const std::int64_t after = core::product(x.shape, axis + 1, x.shape.rank());
  const std::int64_t n = x.shape[axis];
  Values y;
  for (std::int64_t b = 0; b < before; ++b) {
    for (const double index : indices.values) {
      auto i = static_cast<std::int64_t>(index);
      i = std::clamp<std::int64_t>(i < 0 ? i + n : i, 0, n - 1);
      const auto first = x.values.begin() + (b * n + i) * after;
      y.insert(y.end(), first, first + after);
    }
  }
  return y;
}

// The row that an index names, or -1 for one that is dropped.
std::int64_t row_of(double index, std::int64_t n, bool clamps) {
  auto row = static_cast<std::int64_t>(index);
  if (row < 0) row += n;
  if (clamps) return std::clamp<std::int64_t>(row, 0, n - 1);
  return row < n ? std::max<std::int64_t>(row, -1) : -1;
}

Values take_along(const Node& node, const Operand& x, const Operand& indices) {
  const int axis = node.as<core::TakeAttrs>().axis;
  const Strides from = strides_of(x.shape);
  Values y = vector_of<double>(node.shape.numel());
  for_each(node.shape, [&](std::int64_t flat, const Strides& at) {
    Strides source = at;
    item(source, axis) = row_of(item(indices.values, flat), x.shape[axis], true);
    item(y, flat) = item(x.values, offset_of(source, from, x.shape.rank()));
  });
  return y;
}

Values scatter_add(const Node& node, std::span<const Operand> in) {
  const auto& [axis, along, clamps] = node.as<core::ScatterAttrs>();
  const std::int64_t n = node.shape[axis];
  const std::int64_t after = core::product(node.shape, axis + 1, node.shape.rank());
  // Updates of a line: those of each column along the axis, or the same for all.
  const auto count = along ? in[2].shape[axis] : in[1].shape.numel();
  Values y = in[0].values;
  for (std::size_t flat = 0; flat < in[2].values.size(); ++flat) {
    const std::int64_t u = static_cast<std::int64_t>(flat);
    const std::int64_t index = along ? u : u / after % count;
    const std::int64_t row = row_of(item(in[1].values, index), n, clamps);
    if (row < 0) continue;
    double& sum = item(y, (u / (after * count) * n + row) * after + u % after);
    sum = keep(sum + in[2].values[flat], node.dtype);
  }
  return y;
}

Values affine(const Node& node, const Operand& x) {
  const Strides from = strides_of(x.shape);
  Values y = vector_of<double>(node.shape.numel());
  for_each(node.shape, [&](std::int64_t flat, const Strides& at) {
    Strides source{};
    for (int k = 0; k < x.shape.rank(); ++k) {
      const core::AffineAttrs::Axis& axis = item(node.as<core::AffineAttrs>().axes, k);
      std::int64_t& i = item(source, k);
      i = axis.start;
      for (int j = 0; j < node.shape.rank(); ++j) i += item(axis.factors, j) * item(at, j);
    }
    item(y, flat) = item(x.values, offset_of(source, from, x.shape.rank()));
  });
  return y;
}

// ---- Reductions and contractions

std::int64_t length_of(std::span<const Operand> in, core::ScalarNumber input, std::int64_t n) {
  if (!input.is_given()) return n;
  const auto length = static_cast<std::int64_t>(item(in, input.number).values[0]);
  return std::clamp<std::int64_t>(length, 0, n);
}

// The kept and the reduced axes of x, each with the strides of their elements in x.
struct Split {
  Shape kept;
  Shape reduced;
  std::vector<std::int64_t> kept_strides;
  std::vector<std::int64_t> reduced_strides;
};

Split split_axes(const Node& node, std::span<const Operand> in) {
  const Shape& shape = in[0].shape;
  const Strides strides = strides_of(shape);
  Split split;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const auto& [reduced, length] = node.as<core::ReduceAttrs>();
    if (item(reduced, axis)) {
      split.reduced.push_back(length_of(in, length, shape[axis]));
      split.reduced_strides.push_back(item(strides, axis));
    } else {
      split.kept.push_back(shape[axis]);
      split.kept_strides.push_back(item(strides, axis));
    }
  }
  return split;
}

std::int64_t dot(const Strides& at, std::span<const std::int64_t> strides) {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < strides.size(); ++k) sum += at[k] * strides[k];
  return sum;
}

// The operand with its leading axes broadcast to `batch`.
Values batched(Shape batch, const Operand& x) {
  batch.push_back(x.shape[-2]);
  batch.push_back(x.shape[-1]);
  return batch == x.shape ? x.values : broadcast_values(batch, x);
}

Values contract(const Node& node, std::span<const Operand> in) {
  const std::int64_t m = in[0].shape[-2];
  const std::int64_t inner = in[0].shape[-1];
  const std::int64_t n = in[1].shape[-1];
  const std::int64_t length = length_of(in, node.as<core::ContractAttrs>().inner, inner);
  const std::int64_t columns = length_of(in, node.as<core::ContractAttrs>().columns, n);
  Shape batch = node.shape;
  batch.erase(-1);
  batch.erase(-1);
  const Values a = batched(batch, in[0]);
  const Values b = batched(batch, in[1]);
  Values y = vector_of<double>(node.shape.numel());
  for (std::int64_t row = 0; row < batch.numel() * m; ++row) {
    double* out = y.data() + row * n;
    for (std::int64_t k = 0; k < length; ++k) {
      const double scale = item(a, row * inner + k);
      const double* line = b.data() + ((row / m) * inner + k) * n;
      for (std::int64_t j = 0; j < columns; ++j) out[j] += scale * line[j];
    }
  }
  return y;
}

}  // namespace

std::vector<Values> results_of_reduction(const Node& node, std::span<const Operand> in) {
  const ReduceSpec& spec = node.op->reduce();
  const bool by_bits = spec.ref_bits != nullptr && is_integer(node.dtype);
  const Split split = split_axes(node, in);
  auto y = vector_of<Values>(spec.outputs.get());
  Values line = vector_of<double>(split.reduced.numel());
  for_each(split.kept, [&](std::int64_t, const Strides& at) {
    const std::int64_t base = dot(at, split.kept_strides);
    for_each(split.reduced, [&](std::int64_t i, const Strides& position) {
      const std::int64_t flat = base + dot(position, split.reduced_strides);
      item(line, i) = item(in[0].values, flat);
    });
    std::array<double, 4> values{};
    if (by_bits) {
      std::vector<std::uint32_t> bits(line.size());
      std::transform(line.begin(), line.end(), bits.begin(), core::low_bits);
      values[0] = spec.ref_bits(bits);
    } else {
      spec.ref.get()(line, values.data());
    }
    for (std::size_t k = 0; k < y.size(); ++k) y[k].push_back(keep(values[k], node.dtype));
  });
  return y;
}

std::vector<Values> results_of_kernel(const Node& node, std::span<const Operand> in) {
  const KernelSpec& spec = node.op->kernel();
  if (spec.is_of_user()) {
    throw Error(
        fmt::format("trigon::interpret: no reference on the CPU: {} is a kernel", node.op->name));
  }
  auto results = vector_of<Values>(spec.outputs.size());
  for (std::int64_t i = 0; i < node.shape.numel(); ++i) {
    Values x, y(spec.outputs.size());
    for (const Operand& operand : in) x.push_back(item(operand.values, i));
    spec.ref(x, y);
    for (std::size_t k = 0; k < y.size(); ++k) {
      results[k].push_back(kept(y[k], spec.outputs[k].dtype));
    }
  }
  return results;
}

std::vector<double> compute(const Node& node, std::span<const Operand> in) {
  switch (node.kind) {
    case Kind::map: return map(node, in);
    case Kind::cast: return cast(node, in[0]);
    case Kind::reshape:
    case Kind::argument: return in[0].values;
    case Kind::permute: return permute(node, in[0]);
    case Kind::slice: return slice(node, in);
    case Kind::broadcast: return broadcast_values(node.shape, in[0]);
    case Kind::pad: return pad(node, in[0]);
    case Kind::take: return take(node, in[0], in[1]);
    case Kind::take_along: return take_along(node, in[0], in[1]);
    case Kind::affine: return affine(node, in[0]);
    case Kind::reduce: return results_of_reduction(node, in)[0];
    case Kind::contract: return contract(node, in);
    case Kind::write: return write(node, in);
    case Kind::scatter_add: return scatter_add(node, in);
    case Kind::kernel:
    case Kind::leaf:
    case Kind::constant:
    case Kind::scalar:
    case Kind::iota:
    case Kind::parameter:
    case Kind::loop:
    case Kind::call:
    case Kind::output: break;
  }
  // A kernel of a user: the interpreter itself computes the other kinds.
  throw Error(
      fmt::format("trigon::interpret: no reference on the CPU: {} is a kernel", node.op->name));
}

}  // namespace trigon::detail::graph
