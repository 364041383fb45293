// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "lower/reduction.hpp"
#include "lower/values.hpp"

namespace trigon::detail::lower {

/// The accumulators of one element, from its value and index.
std::vector<std::int32_t> lift(kernel::KernelBuilder& b, const Reduction::ReduceOp& reduce_op,
                               std::int32_t value, std::int32_t index);
/// The accumulators without any element.
std::vector<std::int32_t> identity(kernel::KernelBuilder& b, const Reduction::ReduceOp& reduce_op);
/// Accumulators from two sets of them. `mask`: the lanes to combine; -1: all.
std::vector<std::int32_t> combine(kernel::KernelBuilder& b, const Reduction::ReduceOp& reduce_op,
                                  const std::vector<std::int32_t>& first,
                                  const std::vector<std::int32_t>& second, std::int32_t mask = -1);
/// The outputs of a reduce op from its accumulators.
std::vector<std::int32_t> finished(kernel::KernelBuilder& b, const Reduction::ReduceOp& reduce_op,
                                   const std::vector<std::int32_t>& sums);

/// The reduced elements that one loop walks over.
struct Walk {
  core::Affine first;
  std::int64_t trips = 0;
  bool all_read = false;  ///< Whether no trip goes past the last element.
};

/// The loop of a reduction in a kernel, and the accumulators of all its reduce ops.
class ReduceLoop {
 public:
  /// `quad`: the fragments that share the elements. `work` and `kept` outlive it.
  ReduceLoop(Values& values, const Reduction& work, const core::Indices& kept, Walk walk,
             const Values::Quad& quad = {});

  /// Adds the loop to the kernel; each reduce op's accumulators after it. Call once.
  std::vector<std::vector<std::int32_t>> run();

 private:
  int accumulators(std::size_t p) const { return work_.reduce_ops[p].op->reduce().accumulators; }
  void open();
  void combine_next(std::size_t p);
  std::vector<std::int32_t> combined(std::size_t p, const std::vector<std::int32_t>& a,
                                     const std::vector<std::int32_t>& b);
  void set_trips();
  std::vector<std::int32_t> result(std::size_t p);

  Values& values_;
  kernel::KernelBuilder& b_;
  const Reduction& work_;
  const core::Indices& kept_;
  const Walk walk_;
  const Values::Quad quad_;
  const std::int64_t unit_;      ///< Elements that a trip reduces.
  const kernel::IntExpr limit_;  ///< Elements past it do not count.
  std::int32_t block_ = -1;
  core::Affine at_;                  ///< The trip's element.
  std::vector<std::int32_t> masks_;  ///< One for each reduce op; -1: all lanes.
  std::int32_t carries_ = 0, results_ = 0;
};

}  // namespace trigon::detail::lower
