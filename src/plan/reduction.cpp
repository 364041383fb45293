// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "plan/planner.hpp"

namespace trigon::plan {
namespace {

// A reduction is cut into stages where too few fragments would walk too far.
constexpr std::int64_t few_fragments = 256;
constexpr std::int64_t many_trips = 1024;
constexpr std::int64_t many_partials = 64;  // shorter: it keeps rounding errors small, too
constexpr std::int64_t wanted_fragments = 4096;
constexpr std::int64_t fewest_trips = 16;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::int32_t tuple(KernelBuilder& b, Code code, const Op* op, Type type,
                   std::vector<std::int32_t> args) {
  Instr instr{.code = code, .type = type};
  instr.op = op;
  instr.args = std::move(args);
  return b.add(std::move(instr));
}

std::vector<std::int32_t> components(KernelBuilder& b, std::int32_t from, Type type, int count) {
  std::vector<std::int32_t> values;
  for (int k = 0; k < count; ++k) {
    Instr instr{.code = Code::extract, .type = type, .mode = static_cast<std::int8_t>(k)};
    instr.args = {from};
    values.push_back(b.add(std::move(instr)));
  }
  return values;
}

std::vector<std::int32_t> joined(const std::vector<std::int32_t>& a,
                                 const std::vector<std::int32_t>& b) {
  std::vector<std::int32_t> both = a;
  both.insert(both.end(), b.begin(), b.end());
  return both;
}

/// Values of the fragments in a layout for `kept`: one texel an element, or four elements a texel.
std::int64_t fragments_of(const Shape& kept, bool across_lanes) {
  if (across_lanes || kept.rank() == 0) return kept.numel();
  return kept.numel() / kept.back() * ceil_div(kept.back(), 4);
}

Shape with_first(std::int64_t first, const Shape& rest) {
  Shape shape = rest;
  shape.insert(0, first);
  return shape;
}

}  // namespace

/// Whether the reduced axis is the one whose neighbours share a texel.
bool Planner::across_lanes(const graph::Node& reduce, std::int32_t source) {
  const Shape& shape = node(source).shape;
  int last = shape.rank() - 1;
  while (last > 0 && shape[last] == 1) --last;
  int last_kept = -1, last_reduced = -1;
  for (int k = 0; k < shape.rank(); ++k) {
    if (shape[k] != 1)
      (reduce.attrs[static_cast<std::size_t>(k)] != 0 ? last_reduced : last_kept) = k;
  }
  if (last_kept < 0) return true;
  if (last_reduced < 0) return false;
  const auto along = [&](int axis) { return lanes_along(source, axis); };
  if (along(last_reduced)) return true;
  if (along(last_kept)) return false;
  return reduce.attrs[static_cast<std::size_t>(last)] != 0;
}

void Planner::plan_reduction(std::int32_t root, std::int32_t core) {
  const graph::Node& reduce = node(core);
  const std::int32_t x = at(core).inputs[0];
  const Shape shape = node(x).shape;
  Reduction work{.op = reduce.op, .type = register_type(target_, node(x).dtype)};
  Shape reduced;
  for (int k = 0; k < shape.rank(); ++k) {
    if (shape[k] == 1) continue;
    (reduce.attrs[static_cast<std::size_t>(k)] != 0 ? reduced : work.kept).push_back(shape[k]);
  }
  work.count = reduced.numel();
  work.across_lanes = across_lanes(reduce, x);
  const int accumulators = work.op->reduce().accumulators;
  const bool stackable = target_.dialect == Dialect::es300 && accumulators <= target_.draw_buffers;
  if (!work.across_lanes && accumulators > 1 && !stackable) work.across_lanes = true;
  if (at(core).inputs.size() > 1) work.length = at(core).inputs[1];
  constexpr std::int64_t exact = std::int64_t{1} << 24;
  if (work.op->reduce().gives_index && work.type == Type::f && work.count > exact) {
    throw DeviceError(fmt::format(
        "trigon::{}: too many elements: {} along the axis; positions are exact up to {}",
        work.op->name, work.count, exact));
  }
  const std::vector<std::int64_t> attrs = reduce.attrs;
  work.source = [this, x, shape, reduced, attrs](KernelBuilder& b, const Indices& kept,
                                                 const Affine& k) {
    const Indices inner = b.unravel(k, {reduced.begin(), reduced.end()});
    Indices index(attrs.size());
    std::size_t next_kept = 0, next_reduced = 0;
    for (std::size_t axis = 0; axis < attrs.size(); ++axis) {
      if (shape[static_cast<int>(axis)] == 1) continue;
      index[axis] = attrs[axis] != 0 ? inner[next_reduced++] : kept[next_kept++];
    }
    Fuser fuser(b, graph_, stored_);
    return std::vector<std::int32_t>{fuser.value(x, std::move(index))};
  };
  plan_stages(std::move(work), root, core);
}

/// Into how many parts the reduced elements are cut, each a fragment's; 1: no further stage.
std::int64_t Planner::stages_split(const Reduction& work) const {
  const std::int64_t trips = work.across_lanes ? ceil_div(work.count, 4) : work.count;
  const std::int64_t fragments =
      std::max<std::int64_t>(fragments_of(work.kept, work.across_lanes), 1);
  const bool slow =
      fragments < few_fragments && trips > (work.partial ? many_partials : many_trips);
  if (trips <= target_.trip_limit && !slow) return 1;
  std::int64_t parts =
      slow ? std::min(ceil_div(wanted_fragments, fragments), trips / fewest_trips) : 1;
  parts = std::max({parts, ceil_div(trips, target_.trip_limit), std::int64_t{2}});
  return ceil_div(trips, ceil_div(trips, parts));
}

void Planner::plan_stages(Reduction work, std::int32_t root, std::int32_t core) {
  for (std::int64_t split; (split = stages_split(work)) > 1;) plan_partial(work, split);
  plan_last(work, root, core);
}

/// The accumulators over `trips` trips from reduced element `first` on.
std::vector<std::int32_t> Planner::reduce_kernel(KernelBuilder& b, const Reduction& work,
                                                 const Indices& kept, const Affine& first,
                                                 std::int64_t trips, bool all_read) {
  const ReduceSpec& spec = work.op->reduce();
  const int count = spec.accumulators;
  const Type type = work.type;
  const Affine counter = b.variable(
      work.across_lanes ? b.base_index(Code::counter4, 0, std::min(trips * 4, work.count))
                        : b.base_index(Code::counter, 0, trips));
  const Affine k = first + counter;
  const auto identity = components(b, tuple(b, Code::lift, work.op, type, {}), type, count);
  std::vector<std::int32_t> carried;
  for (int j = 0; j < count; ++j)
    carried.push_back(b.carry(identity[static_cast<std::size_t>(j)], type));
  std::vector<std::int32_t> lifted = work.source(b, kept, k);
  if (!work.partial) {
    Instr position{.code = Code::index, .type = type};
    position.args = {b.materialise(k)};
    const std::int32_t at = b.add(std::move(position));
    lifted = components(b, tuple(b, Code::lift, work.op, type, {lifted[0], at}), type, count);
  }
  if (work.length || !all_read) {
    IntExpr limit{.base = work.count};
    if (work.length) {
      limit = {.scalar = scalar_number(graph_, *work.length), .low = 0, .high = work.count};
    }
    const std::int32_t mask = b.below(k, limit);
    for (int j = 0; j < count; ++j) {
      auto& value = lifted[static_cast<std::size_t>(j)];
      value = b.select(mask, value, identity[static_cast<std::size_t>(j)]);
    }
  }
  const auto sum =
      components(b, tuple(b, Code::combine, work.op, type, joined(carried, lifted)), type, count);
  for (int j = 0; j < count; ++j) b.set_carried(j, sum[static_cast<std::size_t>(j)]);
  if (work.length) {
    const std::int64_t unit = work.across_lanes ? 4 : 1;
    const Affine length =
        b.scalar({.scalar = scalar_number(graph_, *work.length), .low = 0, .high = work.count});
    b.set_trips(trips * unit >= work.count ? b.split(length + (unit - 1), unit).quotient
                                           : b.scalar({.base = trips, .scale = 0}),
                trips);
  } else {
    b.set_trips(b.scalar({.base = trips, .scale = 0}), trips);
  }
  std::vector<std::int32_t> result;
  for (int j = 0; j < count; ++j) result.push_back(b.result(j, type));
  if (!work.across_lanes) return result;
  for (const char* swap : {"$0.yxwz", "$0.zwxy"}) {
    std::vector<std::int32_t> other;
    for (std::int32_t value : result) other.push_back(b.text(type, swap, {value}));
    result =
        components(b, tuple(b, Code::combine, work.op, type, joined(result, other)), type, count);
  }
  return result;
}

namespace {

/// One texel of up to four uniform values.
std::int32_t packed(KernelBuilder& b, Type type, const std::vector<std::int32_t>& values) {
  static constexpr std::array<std::array<const char*, 3>, 3> texts{{
      {"vec4($0.x, $1.x, 0.0, 0.0)", "vec4($0.x, $1.x, $2.x, 0.0)", "vec4($0.x, $1.x, $2.x, $3.x)"},
      {"ivec4($0.x, $1.x, 0, 0)", "ivec4($0.x, $1.x, $2.x, 0)", "ivec4($0.x, $1.x, $2.x, $3.x)"},
      {"uvec4($0.x, $1.x, 0u, 0u)", "uvec4($0.x, $1.x, $2.x, 0u)", "uvec4($0.x, $1.x, $2.x, $3.x)"},
  }};
  if (values.size() == 1) return values[0];
  return b.text(type, texts[static_cast<std::size_t>(type)][values.size() - 2], values);
}

DType dtype_of_register(Type type) {
  return type == Type::f ? DType::float32 : type == Type::i ? DType::int32 : DType::uint32;
}

}  // namespace

/// Reduces `split` parts on their own; `work` then reduces their accumulators.
void Planner::plan_partial(Reduction& work, std::int64_t split) {
  const int count = work.op->reduce().accumulators;
  const std::int64_t unit = work.across_lanes ? 4 : 1;
  const std::int64_t trips = ceil_div(ceil_div(work.count, unit), split);
  const Shape parts = with_first(split, work.kept);
  const Shape shape = with_first(count, parts);
  const DType dtype = dtype_of_register(work.type);
  const bool one_texel = work.across_lanes;
  const Layout layout = one_texel    ? texel_layout(target_, dtype, shape)
                        : count == 1 ? with_shape(padded_layout(target_, dtype, parts), shape)
                                     : stacked_layout(target_, dtype, shape);
  Step step = start_step(layout, one_texel ? 1 : count);
  KernelBuilder b(target_);
  const Fragment at = fragment(b, layout, step);
  Indices index;
  if (one_texel) {
    index = b.unravel(at.x + at.y * layout.width, {parts.begin(), parts.end()});
  } else {
    const std::int64_t pitch = (parts.back() + 3) / 4 * 4;
    const auto row = b.split(at.x4 + at.y * (layout.width * 4), pitch);
    Shape rows = parts;
    rows.erase(parts.rank() - 1);
    index = b.unravel(row.quotient, {rows.begin(), rows.end()});
    index.push_back(row.remainder);
  }
  const Affine first = index[0] * (trips * unit);
  const Indices kept(index.begin() + 1, index.end());
  const bool all_read = split * trips * unit == work.count;
  const auto values = reduce_kernel(b, work, kept, first, trips, all_read);
  store_values(b, one_texel ? std::vector{packed(b, work.type, values)} : values, dtype);
  b.finish(step);
  const std::int32_t slot = step.output = new_slot();
  step.label = fmt::format("partial {} of {} in {} parts", work.op->name, work.count, split);
  step.fragments = step.w * step.h * step.draws;
  plan_.steps.push_back(std::move(step));

  work.partial = true;
  work.count = split;
  work.length.reset();
  work.source = [slot, layout, count](KernelBuilder& kernel, const Indices& kept_index,
                                      const Affine& k) {
    std::vector<std::int32_t> tuple;
    const std::int32_t input = kernel.input(slot, layout);
    for (int j = 0; j < count; ++j) {
      Affine e = k * layout.strides[1] + j * layout.strides[0];
      for (std::size_t axis = 0; axis < kept_index.size(); ++axis) {
        e = e + kept_index[axis] * layout.strides[axis + 2];
      }
      tuple.push_back(kernel.load(input, layout, e));
    }
    return tuple;
  };
}

void Planner::plan_last(const Reduction& work, std::int32_t root, std::int32_t core) {
  const ReduceSpec& spec = work.op->reduce();
  const graph::Node& computed = node(root);
  const bool several = spec.outputs > 1;
  const Shape shape = several ? with_first(spec.outputs, work.kept) : work.kept;
  Layout layout;
  if (work.across_lanes) {
    layout = texel_layout(target_, computed.dtype, with_first(spec.outputs, work.kept));
  } else if (several) {
    layout = stacked_layout(target_, computed.dtype, shape);
  } else {
    layout = padded_layout(target_, computed.dtype, shape);
  }
  Step step = start_step(layout, several && !work.across_lanes ? spec.outputs.get() : 1);
  KernelBuilder b(target_);
  const Fragment at = fragment(b, layout, step);
  Indices kept;
  if (work.across_lanes) {
    kept = b.unravel(at.x + at.y * layout.width, {work.kept.begin(), work.kept.end()});
  } else if (work.kept.rank() == 1) {
    kept = {at.x4 + at.y * (layout.width * 4)};
  } else {
    const std::int64_t pitch = (work.kept.back() + 3) / 4 * 4;
    const auto row = b.split(at.x4 + at.y * (layout.width * 4), pitch);
    Shape rows = work.kept;
    rows.erase(work.kept.rank() - 1);
    kept = b.unravel(row.quotient, {rows.begin(), rows.end()});
    kept.push_back(row.remainder);
  }
  const std::int64_t unit = work.across_lanes ? 4 : 1;
  const std::int64_t trips = ceil_div(work.count, unit);
  const auto sums = reduce_kernel(b, work, kept, {}, trips, trips * unit == work.count);
  auto results =
      components(b, tuple(b, Code::finish, work.op, work.type, sums), work.type, spec.outputs);
  if (spec.gives_index && work.type == Type::f && target_.dialect == Dialect::es300) {
    for (std::int32_t& value : results) value = b.text(Type::i, "ivec4($0)", {value});
  }
  const bool index_of_uint = spec.gives_index && work.type == Type::u;
  if (index_of_uint) {
    for (std::int32_t& value : results) value = b.text(Type::i, "ivec4($0)", {value});
  }
  if (several) {
    if (work.across_lanes) results = {packed(b, b.type(results[0]), results)};
    store_values(b, results, computed.dtype);
    step.layout = with_shape(layout, computed.shape);
  } else {
    Fuser fuser(b, graph_, stored_);
    fuser.set(core, results[0]);
    store_values(b, {fuser.value(root, spread_index(computed.shape, kept))}, computed.dtype);
    step.layout = with_shape(layout, computed.shape);
  }
  b.finish(step);
  step.output = new_slot();
  stored(root) = {step.output, step.layout};
  emit_step(std::move(step), root, work.op->name.data());
}

}  // namespace trigon::plan
