// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "plan/planner.hpp"

namespace trigon::plan {
namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// Four steps of the inner axis for one row: b's four texels hold a row each, or a column each.
constexpr const char* multiply_rows = "$0 + $1.x * $2 + $1.y * $3 + $1.z * $4 + $1.w * $5";
constexpr const char* multiply_dots =
    "$0 + vec4(dot($1, $2), dot($1, $3), dot($1, $4), dot($1, $5))";

}  // namespace

/// Whether four neighbours of `operand` along `axis` are one texel.
bool Planner::lanes_along(std::int32_t operand, int axis) {
  const Shape& shape = node(operand).shape;
  if (shape[axis] == 1) return true;
  KernelBuilder b(target_);
  Fuser fuser(b, graph_, stored_);
  Indices index(static_cast<std::size_t>(shape.rank()));
  for (int k = 0; k < shape.rank(); ++k) {
    if (shape[k] == 1) continue;
    index[static_cast<std::size_t>(k)] =
        k == axis ? b.variable(b.base_index(Code::counter4, 0, shape[k]))
                  : b.scalar({.base = 0, .scalar = 0, .low = 0, .high = shape[k] - 1});
  }
  std::int32_t base = -1;
  Affine e;
  return fuser.offset(operand, std::move(index), base, e) && b.fetch_of(e) == Fetch::row;
}

void Planner::plan_contraction(std::int32_t root, std::int32_t core) {
  const graph::Node& contract = node(core);
  const int rank = contract.shape.rank();
  Contraction work{.a = at(core).inputs[0], .b = at(core).inputs[1], .shape = contract.shape};
  work.inner = node(work.a).shape.back();
  const auto scalar_input = [&](std::size_t which) {
    const std::int64_t input = contract.attrs[which];
    return input > 0 ? at(core).inputs[static_cast<std::size_t>(input)] : -1;
  };
  work.length = scalar_input(0);
  work.columns = scalar_input(1);

  work.rows = 1;
  while (work.rows < std::min<std::int64_t>({contract.shape[-2], target_.draw_buffers, 8})) {
    work.rows *= 2;
  }
  if (work.rows > target_.draw_buffers) work.rows /= 2;
  if (target_.dialect == Dialect::es100) work.rows = 1;

  const bool computed_row = work.rows == 1 && stored(work.a).slot < 0 && !at(work.a).stored &&
                            !is_view(node(work.a).kind);
  // A stored operand stays where it is for others: its copy serves this contraction only.
  const Stored a_before = stored(work.a);
  const Stored b_before = stored(work.b);
  if (!computed_row && !lanes_along(work.a, rank - 1)) {
    store_padded(work.a, "its inner axis does not lie in whole texels");
  }
  work.dots = lanes_along(work.b, rank - 2);
  if (!work.dots && !lanes_along(work.b, rank - 1)) {
    store_padded(work.b, "neither of its axes lies in whole texels");
    work.dots = lanes_along(work.b, rank - 2);
  }

  plan_parts(work, root, core);
  if (a_before.slot >= 0) stored(work.a) = a_before;
  if (b_before.slot >= 0) stored(work.b) = b_before;
}

/// The draw of a contraction; past the trip limit parts of the inner axis are multiplied on their
/// own and then added.
void Planner::plan_parts(Contraction& work, std::int32_t root, std::int32_t core) {
  const std::int64_t trips = ceil_div(work.inner, 4);
  work.split = ceil_div(trips, target_.trip_limit);
  if (work.split == 1) {
    if (!block_fits(target_, work.shape, work.rows)) work.rows = 1;
    const Layout layout = block_layout(target_, node(root).dtype, work.shape, work.rows);
    Step step = contract_kernel(work, layout, root, core);
    step.output = new_slot();
    step.layout = with_shape(layout, node(root).shape);
    stored(root) = {step.output, step.layout};
    emit_step(std::move(step), root, "matmul");
    return;
  }
  Shape parts = work.shape;
  parts.insert(0, work.split);
  if (!block_fits(target_, parts, work.rows)) work.rows = 1;
  const Layout layout = block_layout(target_, DType::float32, parts, work.rows);
  Step step = contract_kernel(work, layout, -1, core);
  const std::int32_t slot = step.output = new_slot();
  step.layout = layout;
  emit_step(std::move(step), core, "partial matmul");
  Reduction sum{.op = find_op("sum"),
                .type = Type::f,
                .kept = without_ones(work.shape),
                .count = work.split,
                .across_lanes = work.shape.numel() == 1};
  sum.source = [slot, layout](KernelBuilder& b, const Indices& kept, const Affine& k) {
    Affine e = k * layout.strides[0];
    std::size_t next = 0;
    for (int axis = 1; axis < layout.shape.rank(); ++axis) {
      if (layout.shape[axis] == 1) continue;
      e = e + kept[next++] * layout.strides[static_cast<std::size_t>(axis)];
    }
    return std::vector<std::int32_t>{b.load(b.input(slot, layout), layout, e)};
  };
  plan_stages(std::move(sum), root, core);
}

/// The four texels of b for four inner steps: columns c ... c + 3 of k4, or rows k1 ... k1 + 3 of
/// c.
std::vector<std::int32_t> Planner::block_values(KernelBuilder& b, Fuser& fuser,
                                                const Contraction& work, const Indices& batch,
                                                const Affine& column, const Affine& c,
                                                const Affine& k4, const Affine& k1,
                                                std::int32_t mask) {
  static constexpr std::array<const char*, 4> keep{
      "$0.x != 0.0 ? $1 : vec4(0.0)", "$0.y != 0.0 ? $1 : vec4(0.0)",
      "$0.z != 0.0 ? $1 : vec4(0.0)", "$0.w != 0.0 ? $1 : vec4(0.0)"};
  std::vector<std::int32_t> values;
  for (std::int64_t j = 0; j < 4; ++j) {
    Indices index = batch;
    index.push_back(work.dots ? k4 : k1 + j);
    index.push_back(work.dots ? column + j : c);
    if (work.inner == 1) index[index.size() - 2] = {};
    if (work.shape.back() == 1) index.back() = {};
    std::int32_t value = fuser.value(work.b, std::move(index));
    if (mask >= 0 && work.dots) value = b.select(mask, value, b.constant(0));
    if (mask >= 0 && !work.dots)
      value = b.text(Type::f, keep[static_cast<std::size_t>(j)], {mask, value});
    values.push_back(value);
  }
  return values;
}

/// The loop over the inner axis; its carried values are the rows of the block.
std::int32_t Planner::accumulate(KernelBuilder& b, Fuser& fuser, const Contraction& work,
                                 const std::vector<Indices>& rows, const Affine& column,
                                 const Affine& first, std::int64_t trips) {
  const Affine k4 =
      first + b.variable(b.base_index(Code::counter4, 0, std::min(trips * 4, work.inner)));
  const Affine k1 = first + b.variable(b.base_index(Code::counter, 0, trips)) * 4;
  const bool all_read = work.length < 0 && trips * 4 * work.split == work.inner;
  IntExpr limit{.base = work.inner};
  if (work.length >= 0) {
    limit = {.scalar = scalar_number(graph_, work.length), .low = 0, .high = work.inner};
  }
  const std::int32_t mask = all_read ? -1 : b.below(k4, limit);
  const std::int32_t zero = b.constant(0);
  for (std::size_t i = 0; i < rows.size(); ++i) b.carry(zero, Type::f);
  const Indices batch(rows[0].begin(), rows[0].end() - 2);
  const std::vector<std::int32_t> right =
      block_values(b, fuser, work, batch, column, rows[0].back(), k4, k1, mask);
  // All fetches first: drivers that keep the order overlap them.
  std::vector<std::int32_t> left;
  for (const Indices& row : rows) {
    Indices index(row.begin(), row.end() - 1);
    index.push_back(work.inner == 1 ? Affine{} : k4);
    const std::int32_t value = fuser.value(work.a, std::move(index));
    left.push_back(mask >= 0 ? b.select(mask, value, zero) : value);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Instr carried{.code = Code::carried, .type = Type::f, .lane = Lane::vector};
    carried.depth = Depth::loop;
    carried.mode = static_cast<std::int8_t>(i);
    std::vector<std::int32_t> args{b.add(std::move(carried)), left[i]};
    args.insert(args.end(), right.begin(), right.end());
    b.set_carried(static_cast<std::int32_t>(i),
                  b.text(Type::f, work.dots ? multiply_dots : multiply_rows, std::move(args)));
  }
  b.multiply_adds_in_loop = 16 * static_cast<std::int64_t>(rows.size());

  std::int32_t count = -1;
  if (work.length >= 0 && work.split == 1) {
    count = b.materialise(b.split(b.scalar(limit) + 3, 4).quotient);
  } else {
    count = b.materialise(b.scalar({.base = trips, .scale = 0}));
  }
  if (work.columns < 0) return count;
  // Columns that are not asked for fetch nothing.
  Instr only{.code = Code::trips_if, .type = Type::i};
  only.args = {count, b.materialise(column)};
  only.ints = {b.int_slot(
      {.scalar = scalar_number(graph_, work.columns), .low = 0, .high = work.shape.back()})};
  return b.add(std::move(only));
}

Step Planner::contract_kernel(const Contraction& work, const Layout& layout, std::int32_t root,
                              std::int32_t core) {
  Step step = start_step(layout, work.rows);
  KernelBuilder b(target_);
  Fuser fuser(b, graph_, stored_);
  const Fragment at = fragment(b, layout, step);
  const std::int64_t trips = ceil_div(ceil_div(work.inner, 4), work.split);
  Shape outer = work.shape;  // batch axes, the parts of the inner axis first
  if (work.split > 1) outer.insert(0, work.split);
  const std::int64_t m = outer[-2];
  outer.erase(-1);
  outer.erase(-1);

  Affine c, column, batch_number;
  Indices row;
  if (work.rows > 1) {
    c = at.x4;
    column = at.x * 4;
    const auto by_slab = b.split(at.y, layout.slab);
    batch_number = by_slab.quotient;
    for (std::int64_t i = 0; i < work.rows; ++i) row.push_back(by_slab.remainder + i * layout.slab);
  } else {
    const std::int64_t pitch = (work.shape.back() + 3) / 4 * 4;
    const Affine e = at.x4 + at.y * (layout.width * 4);
    const Affine first_lane = at.x * 4 + at.y * (layout.width * 4);
    const bool one_row = work.split * work.shape.numel() == work.shape.back();
    KernelBuilder::Split lanes{{}, e};
    if (!one_row) lanes = b.split(e, pitch);
    c = lanes.remainder;
    column = one_row ? first_lane : b.split(first_lane, pitch).remainder;
    const auto by_row = b.split(lanes.quotient, m);
    batch_number = by_row.quotient;
    row.push_back(m == 1 ? Affine{} : by_row.remainder);
  }
  Indices batch = b.unravel(batch_number, {outer.begin(), outer.end()});
  Affine first;
  if (work.split > 1) {
    first = batch[0] * (trips * 4);
    batch.erase(batch.begin());
  }
  std::vector<Indices> rows;
  for (const Affine& one : row) {
    Indices index = batch;
    index.push_back(one);
    index.push_back(work.shape.back() == 1 ? Affine{} : c);
    rows.push_back(std::move(index));
  }
  b.set_trips(accumulate(b, fuser, work, rows, column, first, trips), trips);

  const DType dtype = root < 0 ? DType::float32 : node(root).dtype;
  std::vector<std::int32_t> values;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::int32_t sum = b.result(static_cast<std::int32_t>(i), Type::f);
    if (work.columns >= 0) {
      const IntExpr limit{.scalar = scalar_number(graph_, work.columns), .high = work.shape.back()};
      sum = b.select(b.below(c, limit), sum, b.constant(0));
    }
    if (root < 0) {
      values.push_back(sum);
      continue;
    }
    fuser.set(core, sum);
    Indices index;
    for (int k = 0; k < work.shape.rank(); ++k) {
      if (work.shape[k] != 1) index.push_back(rows[i][static_cast<std::size_t>(k)]);
    }
    values.push_back(fuser.value(root, spread_index(node(root).shape, index)));
  }
  store_values(b, values, dtype);
  b.finish(step);
  return step;
}

}  // namespace trigon::plan
