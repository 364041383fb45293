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

// Below this many inner steps a fragment, what a quad saves is less than what sharing costs.
constexpr std::int64_t least_shared = 16;

constexpr const char* add_across_x = "pair_x_($0, $1)";
constexpr const char* add_across_y = "pair_y_($0, $1)";

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

/// Where a result of that shape goes, and so which fragments share its inner axis.
Layout Planner::place_block(Contraction& work, DType dtype, const Shape& shape) const {
  if (!block_fits(target_, shape, work.rows)) work.rows = 1;
  const Layout layout = block_layout(target_, dtype, shape, work.rows);
  work.team_x = work.team_y = 1;
  const bool one_row = shape.numel() == shape.back();
  if (!target_.share_quads || layout.layers != work.rows || (work.rows == 1 && !one_row)) {
    return layout;
  }
  if (layout.width % 2 == 0 && work.inner >= 2 * least_shared) work.team_x = 2;
  const bool quads = work.rows == 1 && layout.height % 2 == 0;
  if (quads && work.inner >= 4 * least_shared) work.team_y = 2;
  return layout;
}

/// The draw of a contraction; past the trip limit parts of the inner axis are multiplied on their
/// own and then added.
void Planner::plan_parts(Contraction& work, std::int32_t root, std::int32_t core) {
  Layout layout = place_block(work, node(root).dtype, work.shape);
  work.split = ceil_div(ceil_div(work.inner, 4 * work.team()), target_.trip_limit);
  if (work.split == 1) {
    Step step = contract_kernel(work, layout, root, core);
    step.output = new_slot();
    step.layout = with_shape(layout, node(root).shape);
    stored(root) = {step.output, step.layout};
    emit_step(std::move(step), root, "matmul");
    return;
  }
  work.split = ceil_div(ceil_div(work.inner, 4), target_.trip_limit);
  Shape parts = work.shape;
  parts.insert(0, work.split);
  layout = place_block(work, DType::float32, parts);
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
                                                const Column& column, const Affine& k4,
                                                const Affine& k1, std::int32_t mask) {
  static constexpr std::array<const char*, 4> keep{
      "$0.x != 0.0 ? $1 : vec4(0.0)", "$0.y != 0.0 ? $1 : vec4(0.0)",
      "$0.z != 0.0 ? $1 : vec4(0.0)", "$0.w != 0.0 ? $1 : vec4(0.0)"};
  std::vector<std::int32_t> values;
  for (std::int64_t j = 0; j < 4; ++j) {
    Indices index = batch;
    index.push_back(work.dots ? k4 : k1 + j);
    index.push_back(work.dots ? column.first + j : column.lanes);
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

/// Four inner steps of a trip: their numbers in the lanes, and the first of them.
Planner::Column Planner::inner_steps(KernelBuilder& b, const Contraction& work, const Affine& first,
                                     std::int64_t trips) {
  const std::int64_t team = work.team();
  if (team == 1) {
    return {first + b.variable(b.base_index(Code::counter4, 0, std::min(trips * 4, work.inner))),
            first + b.variable(b.base_index(Code::counter, 0, trips)) * 4};
  }
  Affine member = b.variable(b.base_index(Code::member_x, 0, work.team_x));
  if (work.team_y == 2) {
    member = b.variable(b.base_index(Code::member_y, 0, 2)) * work.team_x +
             (work.team_x == 2 ? member : Affine{});
  }
  const Affine k = b.variable(b.base_index(Code::counter, 0, trips)) * (4 * team) + member * 4;
  // Steps past the end are masked, so what counts lies below it.
  const std::int64_t end = std::min(trips * 4 * team, work.inner);
  return {first + b.within(k + b.variable(b.base_index(Code::lanes, 0, 4)), end),
          first + b.within(k, ceil_div(end, 4) * 4 - 3)};
}

/// The loop over the inner axis; its carried values are the rows of the block, for each of the
/// columns.
std::int32_t Planner::accumulate(KernelBuilder& b, Fuser& fuser, const Contraction& work,
                                 const std::vector<Indices>& rows,
                                 const std::vector<Column>& columns, const Affine& first,
                                 std::int64_t trips) {
  const Column k = inner_steps(b, work, first, trips);
  const std::int64_t team = work.team();
  const bool all_read = work.length < 0 && trips * 4 * team * work.split == work.inner;
  IntExpr limit{.base = work.inner};
  if (work.length >= 0) {
    limit = {.scalar = scalar_number(graph_, work.length), .low = 0, .high = work.inner};
  }
  const std::int32_t mask = all_read ? -1 : b.below(k.lanes, limit);
  const std::int32_t zero = b.constant(0);
  for (std::size_t i = 0; i < rows.size() * columns.size(); ++i) b.carry(zero, Type::f);
  const Indices batch(rows[0].begin(), rows[0].end() - 2);
  std::vector<std::vector<std::int32_t>> right;
  for (const Column& column : columns) {
    right.push_back(block_values(b, fuser, work, batch, column, k.lanes, k.first, mask));
  }
  // All fetches first: drivers that keep the order overlap them.
  std::vector<std::int32_t> left;
  for (const Indices& row : rows) {
    Indices index(row.begin(), row.end() - 1);
    index.push_back(work.inner == 1 ? Affine{} : k.lanes);
    const std::int32_t value = fuser.value(work.a, std::move(index));
    left.push_back(mask >= 0 ? b.select(mask, value, zero) : value);
  }
  std::int32_t number = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto& values : right) {
      Instr carried{.code = Code::carried, .type = Type::f, .lane = Lane::vector};
      carried.depth = Depth::loop;
      carried.mode = static_cast<std::int8_t>(number);
      std::vector<std::int32_t> args{b.add(std::move(carried)), left[i]};
      args.insert(args.end(), values.begin(), values.end());
      b.set_carried(number++,
                    b.text(Type::f, work.dots ? multiply_dots : multiply_rows, std::move(args)));
    }
  }
  b.multiply_adds_in_loop = 16 * static_cast<std::int64_t>(rows.size() * columns.size());

  std::int32_t count = -1;
  if (work.length >= 0 && work.split == 1) {
    count = b.materialise(b.split(b.scalar(limit) + (4 * team - 1), 4 * team).quotient);
  } else {
    count = b.materialise(b.scalar({.base = trips, .scale = 0}));
  }
  if (work.columns < 0) return count;
  // Columns that are not asked for fetch nothing; a team goes by the first of its columns.
  Instr only{.code = Code::trips_if, .type = Type::i};
  only.args = {count, b.materialise(columns[0].first)};
  only.ints = {b.int_slot(
      {.scalar = scalar_number(graph_, work.columns), .low = 0, .high = work.shape.back()})};
  return b.add(std::move(only));
}

/// The sum of a block's row `row` in the fragment's own columns.
std::int32_t Planner::row_sum(KernelBuilder& b, const Contraction& work, std::size_t row) {
  std::vector<std::int32_t> sums;
  const auto first = static_cast<std::int32_t>(row) * static_cast<std::int32_t>(work.team());
  for (std::int32_t k = 0; k < work.team(); ++k) sums.push_back(b.result(first + k, Type::f));
  if (work.team_x == 2) {
    std::vector<std::int32_t> added;
    for (std::size_t k = 0; k < sums.size(); k += 2) {
      added.push_back(b.text(Type::f, add_across_x, {sums[k], sums[k + 1]}));
    }
    sums = added;
  }
  return work.team_y == 2 ? b.text(Type::f, add_across_y, {sums[0], sums[1]}) : sums[0];
}

/// The columns of a fragment's team, its own alone where it has none.
std::vector<Planner::Column> Planner::team_columns(KernelBuilder& b, const Contraction& work,
                                                   const Layout& layout, const Column& own) {
  if (work.team() == 1) return {own};
  const bool block = work.rows > 1;
  const std::int64_t down = block ? 0 : layout.width;
  const auto base = [&](Code code, std::int64_t size) {
    return b.variable(b.base_index(code, 0, size));
  };
  Affine texel = work.team_x == 2 ? base(Code::pair_x, layout.width / 2) * 2
                                  : base(Code::frag_x, layout.width);
  if (down > 0 && layout.height > 1) {
    texel = texel + (work.team_y == 2 ? base(Code::pair_y, layout.height / 2) * (2 * down)
                                      : base(Code::frag_y, layout.height) * down);
  }
  // A row may end with a texel past its end, of which nothing is kept.
  const std::int64_t end = block ? work.shape.back() : layout.width * layout.height * 4;
  std::vector<Column> columns;
  for (std::int64_t y = 0; y < work.team_y; ++y) {
    for (std::int64_t x = 0; x < work.team_x; ++x) {
      const Affine first = texel * 4 + (x + y * down) * 4;
      columns.push_back(
          {b.within(first + base(Code::lanes, 4), end), b.within(first, ceil_div(end, 4) * 4 - 3)});
    }
  }
  return columns;
}

Step Planner::contract_kernel(const Contraction& work, const Layout& layout, std::int32_t root,
                              std::int32_t core) {
  Step step = start_step(layout, work.rows);
  KernelBuilder b(target_);
  Fuser fuser(b, graph_, stored_);
  const Fragment at = fragment(b, layout, step);
  const std::int64_t trips = ceil_div(ceil_div(work.inner, 4 * work.team()), work.split);
  Shape outer = work.shape;  // batch axes, the parts of the inner axis first
  if (work.split > 1) outer.insert(0, work.split);
  const std::int64_t m = outer[-2];
  outer.erase(-1);
  outer.erase(-1);

  Column own;
  Affine batch_number;
  Indices row;
  if (work.rows > 1) {
    own = {at.x4, at.x * 4};
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
    own = {lanes.remainder, one_row ? first_lane : b.split(first_lane, pitch).remainder};
    const auto by_row = b.split(lanes.quotient, m);
    batch_number = by_row.quotient;
    row.push_back(m == 1 ? Affine{} : by_row.remainder);
  }
  Indices batch = b.unravel(batch_number, {outer.begin(), outer.end()});
  Affine first;
  if (work.split > 1) {
    first = batch[0] * (trips * 4 * work.team());
    batch.erase(batch.begin());
  }
  std::vector<Indices> rows;
  for (const Affine& one : row) {
    Indices index = batch;
    index.push_back(one);
    index.push_back(work.shape.back() == 1 ? Affine{} : own.lanes);
    rows.push_back(std::move(index));
  }
  const std::vector<Column> columns = team_columns(b, work, layout, own);
  b.set_trips(accumulate(b, fuser, work, rows, columns, first, trips), trips);

  const DType dtype = root < 0 ? DType::float32 : node(root).dtype;
  std::vector<std::int32_t> values;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::int32_t sum = row_sum(b, work, i);
    if (work.columns >= 0) {
      const IntExpr limit{.scalar = scalar_number(graph_, work.columns), .high = work.shape.back()};
      sum = b.select(b.below(own.lanes, limit), sum, b.constant(0));
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
