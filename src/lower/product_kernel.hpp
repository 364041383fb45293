// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "lower/contraction.hpp"
#include "lower/domain.hpp"
#include "lower/values.hpp"

namespace trigon::detail::lower {

/// The kernel of one contraction: a fragment's block of rows times the inner axis.
class ProductKernel {
 public:
  /// `work` and `layout`, which is the result's, outlive it.
  ProductKernel(Values& values, const Contraction& work, const core::Layout& layout)
      : values_(values), b_(values.builder()), work_(work), layout_(layout) {}

  /// Adds the loop over the inner axis. Call once.
  void multiply(const Fragment& at);

  /// The rows of the fragment's block, as indices (B..., row, column).
  const std::vector<core::Indices>& rows() const { return block_.rows; }
  /// The number of the section of the inner axis that is multiplied.
  const core::Affine& section() const { return section_; }
  /// The sums of a row in the fragment's own columns, 0 in columns past the number that counts.
  std::int32_t sum_of(std::size_t row);

 private:
  /// A texel's columns: its lanes, and the first of them.
  struct Column {
    core::Affine lanes, first;
  };
  /// Rows, the fragment's own column, and the section of the inner axis, which counts as the first
  /// batch axis.
  struct Block {
    std::vector<core::Indices> rows;
    Column own;
    core::Affine section;
  };
  /// Four inner steps, and the mask of those that count; -1: all.
  struct Steps {
    Column k;
    std::int32_t mask;
  };

  Block block_of(const Fragment& at);
  std::vector<Column> columns_of_quad();
  void accumulate();
  Column inner_steps(std::int32_t block, std::int64_t trips);
  std::int32_t trip_count(std::int64_t trips);
  /// The value where a lane of the mask is set, 0 elsewhere.
  std::int32_t kept(std::int32_t mask, std::int64_t lane, std::int32_t value);
  std::vector<std::int32_t> right_values(const Column& column, const Steps& steps);
  std::vector<std::int32_t> left_values(const Steps& steps, std::int32_t zero);
  std::int32_t row_sum(std::size_t row);

  Values& values_;
  kernel::KernelBuilder& b_;
  const Contraction& work_;
  const core::Layout& layout_;
  Block block_;
  core::Affine section_, first_;  ///< The section, and its first inner step.
  std::vector<Column> columns_;
  std::int32_t loop_ = -1;
};

}  // namespace trigon::detail::lower
