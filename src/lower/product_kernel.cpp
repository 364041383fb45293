// SPDX-License-Identifier: MIT
#include "lower/product_kernel.hpp"

#include <algorithm>
#include <utility>

#include "core/item.hpp"
#include "core/math.hpp"

namespace trigon::detail::lower {

void ProductKernel::multiply(const Fragment& at) {
  block_ = block_of(at);
  section_ = work_.blended > 1
                 ? b_.variable(b_.base_index(kernel::OverlayNumber{}, 0, work_.blended))
                 : block_.section;
  first_ = section_ * (work_.trips() * 4 * work_.quad());
  columns_ = columns_of_quad();
  accumulate();
}

std::int32_t ProductKernel::sum_of(std::size_t row) {
  const std::int32_t sum = row_sum(row);
  if (work_.columns < 0) return sum;
  const kernel::IntExpr limit{.scalar = work_.columns, .low = 0, .high = work_.shape.back()};
  const std::int32_t zero = b_.constant(0);
  return b_.select(b_.below(block_.own.lanes, limit), sum, zero);
}

ProductKernel::Block ProductKernel::block_of(const Fragment& at) {
  Shape outer = work_.shape;
  if (work_.split_k > 1) outer.insert(0, work_.split_k);
  const std::int64_t m = outer[-2];
  outer.erase(-1);
  outer.erase(-1);
  Block block;
  core::Affine batch_number;
  core::Indices row;
  if (work_.rows_per_block > 1) {
    block.own = {at.x4, at.x * 4};
    const std::int64_t height = core::ceil_div(m, work_.rows_per_block);
    const auto found = b_.split(at.y, height);
    batch_number = found.quotient;
    for (std::int64_t i = 0; i < work_.rows_per_block; ++i) {
      row.push_back(work_.rows_in_lanes ? found.remainder * work_.rows_per_block + i
                                        : found.remainder + i * height);
    }
  } else {
    const core::Affine e = at.x4 + at.y * layout_.pitch();
    const core::Affine first_lane = at.x * 4 + at.y * layout_.pitch();
    const bool one_row = work_.split_k * work_.shape.numel() == work_.shape.back();
    kernel::KernelBuilder::Split lanes{{}, e};
    if (!one_row) lanes = row_of(b_, e, layout_, work_.shape);
    block.own = {lanes.remainder,
                 one_row ? first_lane : row_of(b_, first_lane, layout_, work_.shape).remainder};
    const auto by_row = b_.split(lanes.quotient, m);
    batch_number = by_row.quotient;
    row.push_back(m == 1 ? core::Affine{} : by_row.remainder);
  }
  core::Indices batch = b_.unravel(batch_number, {outer.begin(), outer.end()});
  if (work_.split_k > 1) {
    block.section = batch[0];
    batch.erase(batch.begin());
  }
  for (const core::Affine& one : row) {
    core::Indices index = batch;
    index.push_back(one);
    index.push_back(work_.shape.back() == 1 ? core::Affine{} : block.own.lanes);
    block.rows.push_back(std::move(index));
  }
  return block;
}

/// The columns of the fragment's quad, or only its own if it shares with no quad.
std::vector<ProductKernel::Column> ProductKernel::columns_of_quad() {
  if (work_.quad() == 1) return {block_.own};
  const bool block = work_.rows_per_block > 1;
  const std::int64_t down = block ? 0 : layout_.width;
  const auto base = [this](const kernel::Operation& operation, std::int64_t size) {
    return b_.variable(b_.base_index(operation, 0, size));
  };
  core::Affine texel = work_.quad_columns == 2 ? base(kernel::QuadColumn{}, layout_.width / 2) * 2
                                               : base(kernel::FragColumn{}, layout_.width);
  if (down > 0 && layout_.height > 1) {
    texel = texel + (work_.quad_rows == 2 ? base(kernel::QuadRow{}, layout_.height / 2) * (2 * down)
                                          : base(kernel::FragRow{}, layout_.height) * down);
  }
  // A quad at the end of a row may hold a texel past the end, whose values are dropped.
  const std::int64_t end = block ? work_.shape.back() : layout_.pitch() * layout_.height;
  std::vector<Column> columns;
  for (std::int64_t y = 0; y < work_.quad_rows; ++y) {
    for (std::int64_t x = 0; x < work_.quad_columns; ++x) {
      const core::Affine first = texel * 4 + (x + y * down) * 4;
      columns.push_back({b_.assume_below(first + base(kernel::LaneNumber{}, 4), end),
                         b_.assume_below(first, core::round_up(end, 4) - 3)});
    }
  }
  return columns;
}

/// The loop over the inner axis. It carries a sum for each row of the block and each column.
void ProductKernel::accumulate() {
  const std::int64_t trips = work_.trips();
  loop_ = b_.open_block(0);
  const Column k = inner_steps(loop_, trips);
  const bool all_read =
      work_.length < 0 && trips * 4 * work_.quad() * work_.split_k * work_.blended == work_.inner;
  kernel::IntExpr limit{.base = work_.inner};
  if (work_.length >= 0) limit = {.scalar = work_.length, .low = 0, .high = work_.inner};
  const Steps steps{k, all_read ? -1 : b_.below(k.lanes, limit)};
  const std::int32_t zero = b_.constant(0);
  std::vector<std::int32_t> sums;
  for (std::size_t i = 0; i < block_.rows.size() * columns_.size(); ++i) {
    sums.push_back(b_.carry(loop_, zero));
  }
  // All fetches first: drivers that keep the order overlap them.
  std::vector<std::vector<std::int32_t>> right;
  for (const Column& column : columns_) right.push_back(right_values(column, steps));
  const std::vector<std::int32_t> left = left_values(steps, zero);
  const auto form =
      work_.inner_in_lanes ? kernel::Product::Form::dots : kernel::Product::Form::rows;
  std::int32_t number = 0;
  for (std::size_t i = 0; i < block_.rows.size(); ++i) {
    for (const auto& texels : right) {
      const kernel::Product product{form, item(sums, number), left[i],
                                    kernel::operands_of<4>(texels)};
      b_.set_carried(loop_, number++, b_.add(product, core::Type::f));
    }
  }
  b_.set_trips(loop_, trip_count(trips), trips);
}

/// Four inner steps of a trip: their numbers in the lanes, and the first of them.
ProductKernel::Column ProductKernel::inner_steps(std::int32_t block, std::int64_t trips) {
  const std::int64_t quad = work_.quad();
  if (quad == 1) {
    return {first_ + b_.counter4(block, std::min(trips * 4, work_.inner)),
            first_ + b_.counter(block, trips) * 4};
  }
  const core::Affine member = member_of(b_, work_.quad_columns, work_.quad_rows);
  const core::Affine k = b_.counter(block, trips) * (4 * quad) + member * 4;
  // Steps past the end are masked, so the others lie below it.
  const std::int64_t end = std::min(trips * 4 * quad, work_.inner);
  return {first_ + b_.assume_below(k + b_.variable(b_.base_index(kernel::LaneNumber{}, 0, 4)), end),
          first_ + b_.assume_below(k, core::round_up(end, 4) - 3)};
}

/// Number of iterations: up to the length, and 0 for columns that are not asked for.
std::int32_t ProductKernel::trip_count(std::int64_t trips) {
  std::int32_t count = -1;
  if (work_.length >= 0 && work_.split_k == 1) {
    const std::int64_t step = 4 * work_.quad();
    const core::Affine length =
        b_.scalar_index({.scalar = work_.length, .low = 0, .high = work_.inner});
    count = b_.materialise(b_.split(length + (step - 1), step).quotient);
  } else {
    count = b_.materialise(b_.scalar({.base = trips, .scale = 0}));
  }
  if (work_.columns < 0) return count;
  // The first column decides for the whole quad.
  const std::int32_t first = b_.materialise(columns_[0].first);
  const std::int32_t end =
      b_.int_uniform({.scalar = work_.columns, .low = 0, .high = work_.shape.back()});
  return b_.add(kernel::TripsIf{count, first, end}, core::Type::i);
}

std::int32_t ProductKernel::kept(std::int32_t mask, std::int64_t lane, std::int32_t value) {
  return b_.add(kernel::Keep{mask, static_cast<std::int32_t>(lane), value}, core::Type::f);
}

/// The four texels of b for four inner steps: columns c ... c + 3 of k4, or rows k1 ... k1 + 3 of
/// c.
std::vector<std::int32_t> ProductKernel::right_values(const Column& column, const Steps& steps) {
  std::vector<std::int32_t> result;
  for (std::int64_t j = 0; j < 4; ++j) {
    core::Indices index(block_.rows[0].begin(), block_.rows[0].end() - 2);
    index.push_back(work_.inner_in_lanes ? steps.k.lanes : steps.k.first + j);
    index.push_back(work_.inner_in_lanes ? column.first + j : column.lanes);
    if (work_.inner == 1) index[index.size() - 2] = {};
    if (work_.shape.back() == 1) index.back() = {};
    std::int32_t value = values_.value(work_.b, std::move(index));
    if (steps.mask >= 0) {
      value = work_.inner_in_lanes ? b_.select(steps.mask, value, b_.constant(0))
                                   : kept(steps.mask, j, value);
    }
    result.push_back(value);
  }
  return result;
}

/// For each row, a value with four inner steps in its lanes.
std::vector<std::int32_t> ProductKernel::left_values(const Steps& steps, std::int32_t zero) {
  const std::vector<core::Indices>& rows = block_.rows;
  std::vector<std::int32_t> result;
  if (work_.rows_in_lanes) {
    // For each of four inner steps, a texel of four rows: row i is lane i % 4 of all four texels.
    const core::Affine lanes = b_.variable(b_.base_index(kernel::LaneNumber{}, 0, 4));
    for (std::size_t first = 0; first < rows.size(); first += 4) {
      std::vector<std::int32_t> texels;
      for (std::int64_t j = 0; j < 4; ++j) {
        core::Indices index(rows[first].begin(), rows[first].end() - 1);
        // Rows past the last are computed and never read.
        index.back() = b_.assume_below(index.back() + lanes, core::round_up(work_.shape[-2], 4));
        index.push_back(work_.inner == 1 ? core::Affine{} : steps.k.first + j);
        std::int32_t texel = values_.value(work_.a, std::move(index));
        if (steps.mask >= 0) texel = kept(steps.mask, j, texel);
        texels.push_back(texel);
      }
      for (std::size_t i = first; i < std::min(first + 4, rows.size()); ++i) {
        const auto lane = static_cast<std::int32_t>(i % 4);
        result.push_back(
            b_.add(kernel::Column{kernel::operands_of<4>(texels), lane}, core::Type::f));
      }
    }
    return result;
  }
  for (const core::Indices& row : rows) {
    core::Indices index(row.begin(), row.end() - 1);
    index.push_back(work_.inner == 1 ? core::Affine{} : steps.k.lanes);
    const std::int32_t value = values_.value(work_.a, std::move(index));
    result.push_back(steps.mask >= 0 ? b_.select(steps.mask, value, zero) : value);
  }
  return result;
}

/// The sum of a block's row in the fragment's own columns, from those of its quad.
std::int32_t ProductKernel::row_sum(std::size_t row) {
  const auto quad = static_cast<std::int32_t>(work_.quad());
  const std::int32_t first = static_cast<std::int32_t>(row) * quad;
  std::vector<std::int32_t> sums;
  for (std::int32_t k = 0; k < quad; ++k) sums.push_back(b_.result(loop_, first + k));
  const auto exchanged = [&](std::size_t k, kernel::Pair pair) {
    return b_.add(kernel::Exchange{sums[k], sums[k + 1], pair}, core::Type::f);
  };
  if (work_.quad_columns == 2) {
    std::vector<std::int32_t> added;
    for (std::size_t k = 0; k < sums.size(); k += 2) {
      added.push_back(exchanged(k, kernel::Pair::horizontal));
    }
    sums = added;
  }
  return work_.quad_rows == 2 ? exchanged(0, kernel::Pair::vertical) : sums[0];
}

}  // namespace trigon::detail::lower
