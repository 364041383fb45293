// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "core/item.hpp"
#include "core/math.hpp"
#include "lower/contraction.hpp"
#include "lower/copy.hpp"
#include "lower/domain.hpp"
#include "lower/reduction.hpp"

namespace trigon::detail::lower {
namespace {

// Below this many inner steps a fragment, what a quad saves is less than what sharing costs.
constexpr std::int64_t least_shared = 16;

/// A texel's columns: its lanes, and the first of them.
struct Column {
  core::Affine lanes, first;
};

/// What builds the kernel of one contraction.
struct Kit {
  const Scene& scene;
  kernel::KernelBuilder& b;
  Values& values;
  const Contraction& work;
};

/// Where a result of that shape goes, and so which fragments share its inner axis.
core::Layout place_block(const core::Target& target, Contraction& work, DType dtype,
                         const Shape& shape) {
  if (!core::block_fits(target, shape, work.rows_per_block)) {
    work.rows_per_block = 1;
    work.rows_in_lanes = false;
  }
  const core::Layout layout =
      work.rows_in_lanes ? core::interleaved_layout(target, dtype, shape, work.rows_per_block)
                         : core::block_layout(target, dtype, shape, work.rows_per_block);
  work.quad_columns = work.quad_rows = 1;
  const bool one_row = shape.numel() == shape.back();
  const bool blocks = layout.layers == work.rows_per_block;
  if (!target.share_quads || !blocks || (work.rows_per_block == 1 && !one_row)) return layout;
  if (layout.width % 2 == 0 && work.inner >= 2 * least_shared) work.quad_columns = 2;
  const bool quads = work.rows_per_block == 1 && layout.height % 2 == 0;
  if (quads && work.inner >= 4 * least_shared) work.quad_rows = 2;
  return layout;
}

/// The four texels of b for four inner steps: columns c ... c + 3 of k4, or rows k1 ... k1 + 3 of
/// c.
std::vector<std::int32_t> right_values(const Kit& kit, const core::Indices& batch,
                                       const Column& column, const Column& k, std::int32_t mask) {
  const auto& [scene, b, values, work] = kit;
  std::vector<std::int32_t> result;
  for (std::int64_t j = 0; j < 4; ++j) {
    core::Indices index = batch;
    index.push_back(work.inner_in_lanes ? k.lanes : k.first + j);
    index.push_back(work.inner_in_lanes ? column.first + j : column.lanes);
    if (work.inner == 1) index[index.size() - 2] = {};
    if (work.shape.back() == 1) index.back() = {};
    std::int32_t value = values.value(work.b, std::move(index));
    if (mask >= 0) {
      value = work.inner_in_lanes ? b.select(mask, value, b.constant(0))
                                  : b.add(kernel::Code::keep, core::Type::f, {mask, value},
                                          static_cast<std::int8_t>(j));
    }
    result.push_back(value);
  }
  return result;
}

/// Four inner steps of each of the rows, in the lanes of a value a row.
std::vector<std::int32_t> left_values(const Kit& kit, const std::vector<core::Indices>& rows,
                                      const Column& k, std::int32_t mask, std::int32_t zero) {
  const auto& [scene, b, values, work] = kit;
  std::vector<std::int32_t> result;
  if (work.rows_in_lanes) {
    // Texels of four rows each, for four inner steps; a lane of each is a row's.
    const core::Affine lanes = b.variable(b.base_index(kernel::Code::lanes, 0, 4));
    for (std::size_t first = 0; first < rows.size(); first += 4) {
      std::vector<std::int32_t> texels;
      for (std::int64_t j = 0; j < 4; ++j) {
        core::Indices index(rows[first].begin(), rows[first].end() - 1);
        // Rows past the last are computed and never read.
        index.back() = b.assume_below(index.back() + lanes, core::round_up(work.shape[-2], 4));
        index.push_back(work.inner == 1 ? core::Affine{} : k.first + j);
        std::int32_t texel = values.value(work.a, std::move(index));
        if (mask >= 0) {
          texel =
              b.add(kernel::Code::keep, core::Type::f, {mask, texel}, static_cast<std::int8_t>(j));
        }
        texels.push_back(texel);
      }
      for (std::size_t i = first; i < std::min(first + 4, rows.size()); ++i) {
        result.push_back(
            b.add(kernel::Code::column, core::Type::f, texels, static_cast<std::int8_t>(i % 4)));
      }
    }
    return result;
  }
  for (const core::Indices& row : rows) {
    core::Indices index(row.begin(), row.end() - 1);
    index.push_back(work.inner == 1 ? core::Affine{} : k.lanes);
    const std::int32_t value = values.value(work.a, std::move(index));
    result.push_back(mask >= 0 ? b.select(mask, value, zero) : value);
  }
  return result;
}

/// Four inner steps of a trip: their numbers in the lanes, and the first of them.
Column inner_steps(const Kit& kit, std::int32_t block, const core::Affine& first,
                   std::int64_t trips) {
  const auto& [scene, b, values, work] = kit;
  const std::int64_t quad = work.quad();
  if (quad == 1) {
    return {first + b.counter4(block, std::min(trips * 4, work.inner)),
            first + b.counter(block, trips) * 4};
  }
  const core::Affine member = member_of(b, work.quad_columns, work.quad_rows);
  const core::Affine k = b.counter(block, trips) * (4 * quad) + member * 4;
  // Steps past the end are masked, so what counts lies below it.
  const std::int64_t end = std::min(trips * 4 * quad, work.inner);
  return {first + b.assume_below(k + b.variable(b.base_index(kernel::Code::lanes, 0, 4)), end),
          first + b.assume_below(k, core::round_up(end, 4) - 3)};
}

/// How often the loop runs: up to the length, and not at all for columns that are not asked for.
std::int32_t trip_count(const Kit& kit, const Column& column, std::int64_t trips) {
  const auto& [scene, b, values, work] = kit;
  std::int32_t count = -1;
  if (work.length >= 0 && work.part_count == 1) {
    const std::int64_t step = 4 * work.quad();
    const core::Affine length =
        b.scalar_index({.scalar = work.length, .low = 0, .high = work.inner});
    count = b.materialise(b.split(length + (step - 1), step).quotient);
  } else {
    count = b.materialise(b.scalar({.base = trips, .scale = 0}));
  }
  if (work.columns < 0) return count;
  // A quad goes by the first of its columns.
  kernel::Instr only{.code = kernel::Code::trips_if, .type = core::Type::i};
  only.args = {count, b.materialise(column.first)};
  only.ints = {b.int_slot({.scalar = work.columns, .low = 0, .high = work.shape.back()})};
  return b.add(std::move(only));
}

/// The loop over the inner axis. It carries a sum for each row of the block and each column.
std::int32_t accumulate(const Kit& kit, const std::vector<core::Indices>& rows,
                        const std::vector<Column>& columns, const core::Affine& first,
                        std::int64_t trips) {
  const auto& [scene, b, values, work] = kit;
  const std::int32_t block = b.open_block(0);
  const Column k = inner_steps(kit, block, first, trips);
  const bool all_read =
      work.length < 0 && trips * 4 * work.quad() * work.part_count * work.blended == work.inner;
  kernel::IntExpr limit{.base = work.inner};
  if (work.length >= 0) limit = {.scalar = work.length, .low = 0, .high = work.inner};
  const std::int32_t mask = all_read ? -1 : b.below(k.lanes, limit);
  const std::int32_t zero = b.constant(0);
  std::vector<std::int32_t> sums;
  for (std::size_t i = 0; i < rows.size() * columns.size(); ++i) {
    sums.push_back(b.carry(block, zero));
  }
  const core::Indices batch(rows[0].begin(), rows[0].end() - 2);
  // All fetches first: drivers that keep the order overlap them.
  std::vector<std::vector<std::int32_t>> right;
  for (const Column& column : columns) {
    right.push_back(right_values(kit, batch, column, k, mask));
  }
  const std::vector<std::int32_t> left = left_values(kit, rows, k, mask, zero);
  const kernel::Code multiply = work.inner_in_lanes ? kernel::Code::dots : kernel::Code::rows;
  std::int32_t number = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto& texels : right) {
      std::vector<std::int32_t> args{item(sums, number), left[i]};
      args.insert(args.end(), texels.begin(), texels.end());
      b.set_carried(block, number++, b.add(multiply, core::Type::f, std::move(args)));
    }
  }
  b.set_trips(block, trip_count(kit, columns[0], trips), trips);
  return block;
}

/// The sum of a block's row in the fragment's own columns, from those of its quad.
std::int32_t row_sum(const Kit& kit, std::int32_t loop, std::size_t row) {
  const auto& [scene, b, values, work] = kit;
  const auto quad = static_cast<std::int32_t>(work.quad());
  const std::int32_t first = static_cast<std::int32_t>(row) * quad;
  std::vector<std::int32_t> sums;
  for (std::int32_t k = 0; k < quad; ++k) sums.push_back(b.result(loop, first + k));
  if (work.quad_columns == 2) {
    std::vector<std::int32_t> added;
    for (std::size_t k = 0; k < sums.size(); k += 2) {
      added.push_back(b.add(kernel::Code::exchange, core::Type::f, {sums[k], sums[k + 1]}, 0));
    }
    sums = added;
  }
  return work.quad_rows == 2 ? b.add(kernel::Code::exchange, core::Type::f, {sums[0], sums[1]}, 1)
                             : sums[0];
}

/// The columns of a fragment's quad, its own alone where it has none.
std::vector<Column> columns_of_quad(const Kit& kit, const core::Layout& layout, const Column& own) {
  const auto& [scene, b, values, work] = kit;
  if (work.quad() == 1) return {own};
  const bool block = work.rows_per_block > 1;
  const std::int64_t down = block ? 0 : layout.width;
  kernel::KernelBuilder& builder = b;
  const auto base = [&builder](kernel::Code code, std::int64_t size) {
    return builder.variable(builder.base_index(code, 0, size));
  };
  core::Affine texel = work.quad_columns == 2 ? base(kernel::Code::pair_x, layout.width / 2) * 2
                                              : base(kernel::Code::frag_x, layout.width);
  if (down > 0 && layout.height > 1) {
    texel =
        texel + (work.quad_rows == 2 ? base(kernel::Code::pair_y, layout.height / 2) * (2 * down)
                                     : base(kernel::Code::frag_y, layout.height) * down);
  }
  // A row may end with a texel past its end, of which nothing is kept.
  const std::int64_t end = block ? work.shape.back() : layout.width * layout.height * 4;
  std::vector<Column> columns;
  for (std::int64_t y = 0; y < work.quad_rows; ++y) {
    for (std::int64_t x = 0; x < work.quad_columns; ++x) {
      const core::Affine first = texel * 4 + (x + y * down) * 4;
      columns.push_back({b.assume_below(first + base(kernel::Code::lanes, 4), end),
                         b.assume_below(first, core::round_up(end, 4) - 3)});
    }
  }
  return columns;
}

/// The rows that a fragment computes, as indices (B..., row, column), and its own column; the parts
/// of the inner axis count as the first batch axis.
struct Block {
  std::vector<core::Indices> rows;
  Column own;
  core::Affine part;
};
Block block_of_fragment(const Kit& kit, const core::Layout& layout, const Fragment& at) {
  const auto& [scene, b, values, work] = kit;
  Shape outer = work.shape;
  if (work.part_count > 1) outer.insert(0, work.part_count);
  const std::int64_t m = outer[-2];
  outer.erase(-1);
  outer.erase(-1);
  Block block;
  core::Affine batch_number;
  core::Indices row;
  if (work.rows_per_block > 1) {
    block.own = {at.x4, at.x * 4};
    const std::int64_t height = core::ceil_div(m, work.rows_per_block);
    const auto parts = b.split(at.y, height);
    batch_number = parts.quotient;
    for (std::int64_t i = 0; i < work.rows_per_block; ++i) {
      row.push_back(work.rows_in_lanes ? parts.remainder * work.rows_per_block + i
                                       : parts.remainder + i * height);
    }
  } else {
    const core::Affine e = at.x4 + at.y * (layout.width * 4);
    const core::Affine first_lane = at.x * 4 + at.y * (layout.width * 4);
    const bool one_row = work.part_count * work.shape.numel() == work.shape.back();
    kernel::KernelBuilder::Split lanes{{}, e};
    if (!one_row) lanes = row_of(b, e, work.shape);
    block.own = {lanes.remainder,
                 one_row ? first_lane : row_of(b, first_lane, work.shape).remainder};
    const auto by_row = b.split(lanes.quotient, m);
    batch_number = by_row.quotient;
    row.push_back(m == 1 ? core::Affine{} : by_row.remainder);
  }
  core::Indices batch = b.unravel(batch_number, {outer.begin(), outer.end()});
  if (work.part_count > 1) {
    block.part = batch[0];
    batch.erase(batch.begin());
  }
  for (const core::Affine& one : row) {
    core::Indices index = batch;
    index.push_back(one);
    index.push_back(work.shape.back() == 1 ? core::Affine{} : block.own.lanes);
    block.rows.push_back(std::move(index));
  }
  return block;
}

/// The draw of a product, with `outputs` computed on it, or of the sums over parts of its inner
/// axis.
bool add_product(const Scene& scene, const Contraction& work, const core::Layout& layout,
                 const Copies& copies, const std::vector<std::int32_t>& outputs, Draft& draft) {
  plan::Step step = start_step(layout, work.rows_per_block);
  step.parts = work.blended;
  kernel::KernelBuilder b(scene.target);
  Values values(b, scene, copies);
  // A quad of one row's fragments: those of several rows compute different ones.
  if (work.rows_per_block == 1) values.share({work.quad_columns, work.quad_rows});
  const Kit kit{scene, b, values, work};
  const Block block = block_of_fragment(kit, layout, fragment(b, layout, step.draws));
  const std::int64_t trips = work.trips();
  const core::Affine part =
      work.blended > 1 ? b.variable(b.base_index(kernel::Code::part, 0, work.blended)) : block.part;
  const core::Affine first = part * (trips * 4 * work.quad());
  const std::vector<Column> columns = columns_of_quad(kit, layout, block.own);
  const std::int32_t loop = accumulate(kit, block.rows, columns, first, trips);

  std::vector<std::vector<std::int32_t>> stored(std::max<std::size_t>(outputs.size(), 1));
  for (std::size_t i = 0; i < block.rows.size(); ++i) {
    std::int32_t sum = row_sum(kit, loop, i);
    if (work.columns >= 0) {
      const kernel::IntExpr limit{.scalar = work.columns, .low = 0, .high = work.shape.back()};
      const std::int32_t zero = b.constant(0);
      sum = b.select(b.below(block.own.lanes, limit), sum, zero);
    }
    if (outputs.empty()) {
      stored[0].push_back(sum);
      continue;
    }
    // Each row has a result of its own, at an index of its own.
    Values of_row(b, scene, copies);
    of_row.set(work.anchor, sum);
    core::Indices index;
    for (int k = 0; k < work.shape.rank(); ++k) {
      if (work.shape[k] != 1) index.push_back(item(block.rows[i], k));
    }
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      const std::int32_t result =
          of_row.value(outputs[k], core::spread_index(scene.at(outputs[k]).shape, index));
      // What is added to the product is added once.
      stored[k].push_back(work.blended > 1
                              ? b.select(b.below(part, kernel::IntExpr{.base = 1}), result, sum)
                              : result);
    }
  }
  std::vector<plan::StepOutput> targets;
  for (std::size_t k = 0; k < stored.size(); ++k) {
    core::Layout own = layout;
    if (!outputs.empty()) {
      own = core::with_shape(layout, scene.at(outputs[k]).shape);
      own.dtype = scene.at(outputs[k]).dtype;
    }
    store(b, stored[k], own.dtype);
    targets.push_back({.layout = own, .attachments = work.rows_per_block});
  }
  const bool fits = finish(b, step);
  if (fits) {
    const bool partial = outputs.empty();
    step.label =
        label(partial ? "partial matmul" : "matmul", scene.at(partial ? work.anchor : outputs[0]));
    step.node = work.anchor;
    add_step(draft, std::move(step), outputs, targets);
  }
  return fits;
}

/// The sums over parts of the inner axis, added up.
bool add_sum_of_parts(const Scene& scene, const Contraction& work, const schedule::Group& group,
                      Draft& draft) {
  const plan::StepOutput parts = draft.steps.back().outputs[0];
  Reduction sum{.parts = {{find_op("sum"), core::Type::f}},
                .kept = core::without_ones(work.shape),
                .count = work.part_count,
                .across_lanes = work.shape.numel() == 1};
  sum.source = [parts](Values& values, std::size_t, const core::Indices& kept,
                       const core::Affine& k) {
    const core::Layout& layout = parts.layout;
    core::Affine e = k * layout.strides[0];
    std::size_t next = 0;
    for (int axis = 1; axis < layout.shape.rank(); ++axis) {
      if (layout.shape[axis] == 1) continue;
      e = e + kept[next++] * item(layout.strides, axis);
    }
    kernel::KernelBuilder& b = values.builder();
    return std::vector<std::int32_t>{b.load(b.input(parts.slot, layout), layout, e)};
  };
  return lower_stages(scene, std::move(sum), {work.anchor}, group.outputs, draft);
}

/// Rows of a block: as many as there are, up to what the draw buffers hold for each output.
std::int64_t rows_for(const core::Target& target, std::int64_t m, std::size_t outputs) {
  if (target.dialect == core::Dialect::es100) return 1;
  const std::int64_t most =
      std::min<std::int64_t>(target.draw_buffers / static_cast<std::int64_t>(outputs), 8);
  std::int64_t rows = 1;
  while (rows < std::min(m, most)) rows *= 2;
  return rows > most ? rows / 2 : rows;
}

}  // namespace

bool lower_contract(const Scene& scene, const schedule::Group& group, Draft& draft) {
  const ir::Graph::Entry& product = scene.at(group.anchors[0]);
  const int rank = product.shape.rank();
  Contraction work{.anchor = group.anchors[0],
                   .a = product.inputs[0],
                   .b = product.inputs[1],
                   .shape = product.shape,
                   .inner = scene.at(product.inputs[0]).shape.back()};
  work.length = static_cast<std::int32_t>(product.numbers[0]);
  work.columns = static_cast<std::int32_t>(product.numbers[1]);
  work.rows_per_block = rows_for(scene.target, product.shape[-2], group.outputs.size());

  // Copies serve this draw only: for others the operands stay where they are.
  Copies copies;
  const auto along = [&](std::int32_t operand, int axis) {
    return lanes_along(scene, copies, operand, axis);
  };
  const auto shows_stored = [&](std::int32_t k) {
    while (scene.place(k).slot < 0 && is_view(scene.at(k).kind)) k = scene.at(k).inputs[0];
    return scene.place(k).slot >= 0;
  };
  if (shows_stored(work.a) && !along(work.a, rank - 1)) {
    const bool whole = work.rows_per_block % 4 == 0;
    work.rows_in_lanes = whole && along(work.a, rank - 2);
    if (!work.rows_in_lanes &&
        !copy_padded(scene, work.a, "its inner axis does not lie in whole texels", draft, copies)) {
      return false;
    }
  }
  work.inner_in_lanes = along(work.b, rank - 2);
  if (!work.inner_in_lanes && !along(work.b, rank - 1)) {
    if (!copy_padded(scene, work.b, "neither of its axes lies in whole texels", draft, copies)) {
      return false;
    }
    work.inner_in_lanes = along(work.b, rank - 2);
  }

  const DType dtype = scene.at(group.outputs[0]).dtype;
  core::Layout layout = place_block(scene.target, work, dtype, work.shape);
  if (core::ceil_div(core::ceil_div(work.inner, 4 * work.quad()), scene.target.trip_limit) == 1) {
    work.blended = blended_parts(scene, group.outputs, work, layout);
    return add_product(scene, work, layout, copies, group.outputs, draft);
  }
  // Past the trip limit parts of the inner axis are multiplied on their own and then added.
  work.part_count = core::ceil_div(core::ceil_div(work.inner, 4), scene.target.trip_limit);
  Shape parts = work.shape;
  parts.insert(0, work.part_count);
  layout = place_block(scene.target, work, DType::float32, parts);
  return add_product(scene, work, layout, copies, {}, draft) &&
         add_sum_of_parts(scene, work, group, draft);
}

}  // namespace trigon::detail::lower
