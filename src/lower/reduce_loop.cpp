// SPDX-License-Identifier: MIT
#include "lower/reduce_loop.hpp"

#include <algorithm>
#include <utility>

#include "glsl_text/words.hpp"
#include "lower/domain.hpp"

namespace trigon::detail::lower {
namespace {

/// The components of a tuple that an operation gives.
std::vector<std::int32_t> components(kernel::KernelBuilder& b, kernel::Operation operation,
                                     core::Type type, int count) {
  const std::int32_t tuple = b.add(std::move(operation), type);
  std::vector<std::int32_t> values;
  for (int k = 0; k < count; ++k) values.push_back(b.add(kernel::Extract{tuple, k}, type));
  return values;
}

/// The mask of lanes that hold elements, if the reduction's own loops might never end on other
/// values; otherwise -1.
std::int32_t mask_of(kernel::KernelBuilder& b, const Reduction& work,
                     const Reduction::ReduceOp& reduce_op, const core::Indices& kept,
                     const core::Affine& first) {
  const ReduceSpec& spec = reduce_op.op->reduce();
  if (!spec.per_element || !glsl_text::has_loop(spec.preamble)) return -1;
  std::int32_t mask = -1;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    if (kept[k].terms.empty()) continue;
    mask = b.both(mask, b.is_element(kept[k], work.kept[static_cast<int>(k)]));
  }
  if (!first.terms.empty()) mask = b.both(mask, b.is_element(first, work.count));
  return mask;
}

}  // namespace

std::vector<std::int32_t> lift(kernel::KernelBuilder& b, const Reduction::ReduceOp& reduce_op,
                               std::int32_t value, std::int32_t index) {
  return components(b, kernel::Lift{reduce_op.op->id, value, index}, reduce_op.type,
                    reduce_op.op->reduce().accumulators);
}

std::vector<std::int32_t> identity(kernel::KernelBuilder& b, const Reduction::ReduceOp& reduce_op) {
  return lift(b, reduce_op, -1, -1);
}

std::vector<std::int32_t> combine(kernel::KernelBuilder& b, const Reduction::ReduceOp& reduce_op,
                                  const std::vector<std::int32_t>& first,
                                  const std::vector<std::int32_t>& second, std::int32_t mask) {
  kernel::Combine operation{
      .accumulators = {first.begin(), first.end()}, .op = reduce_op.op->id, .mask = mask};
  operation.accumulators.insert(operation.accumulators.end(), second.begin(), second.end());
  return components(b, std::move(operation), reduce_op.type, reduce_op.op->reduce().accumulators);
}

std::vector<std::int32_t> finished(kernel::KernelBuilder& b, const Reduction::ReduceOp& reduce_op,
                                   const std::vector<std::int32_t>& sums) {
  const ReduceSpec& spec = reduce_op.op->reduce();
  kernel::Finish operation{.accumulators = {sums.begin(), sums.end()}, .op = reduce_op.op->id};
  auto results = components(b, std::move(operation), reduce_op.type, spec.outputs);
  const bool es300 = b.target().dialect != core::Dialect::es100;
  if (spec.gives_index && reduce_op.type != core::Type::i &&
      (es300 || reduce_op.type == core::Type::u)) {
    for (std::int32_t& value : results) value = b.convert(value, core::Type::i);
  }
  return results;
}

ReduceLoop::ReduceLoop(Values& values, const Reduction& work, const core::Indices& kept, Walk walk,
                       const Values::Quad& quad)
    : values_(values),
      b_(values.builder()),
      work_(work),
      kept_(kept),
      walk_(std::move(walk)),
      quad_(quad),
      unit_((work.across_lanes ? core::lanes : 1) * quad.size()),
      limit_(work.length < 0
                 ? kernel::IntExpr{.base = work.count}
                 : kernel::IntExpr{.scalar = work.length, .low = 0, .high = work.count}) {}

std::vector<std::vector<std::int32_t>> ReduceLoop::run() {
  open();
  for (std::size_t p = 0; p < work_.reduce_ops.size(); ++p) combine_next(p);
  set_trips();
  std::vector<std::vector<std::int32_t>> sums;
  for (std::size_t p = 0; p < work_.reduce_ops.size(); ++p) sums.push_back(result(p));
  return sums;
}

void ReduceLoop::open() {
  std::int32_t outer = std::max(values_.block(), b_.block_of(walk_.first));
  for (const core::Affine& index : kept_) outer = std::max(outer, b_.block_of(index));
  block_ = b_.open_block(outer);
  const std::int64_t trips = walk_.trips;
  at_ = walk_.first + (work_.across_lanes ? b_.counter4(block_, std::min(trips * 4, work_.count))
                                          : b_.counter(block_, trips));
  if (quad_.size() > 1) {
    const core::Affine member = member_of(b_, quad_.columns, quad_.rows);
    const core::Affine lanes = b_.variable(b_.base_index(kernel::LaneNumber{}, 0, 4));
    at_ = b_.assume_below(b_.counter(block_, trips) * unit_ + member * 4 + lanes,
                          std::min(trips * unit_, work_.count));
  }
}

/// Adds the trip's element to the accumulators of a reduce op.
void ReduceLoop::combine_next(std::size_t p) {
  const Reduction::ReduceOp& reduce_op = work_.reduce_ops[p];
  const auto before = identity(b_, reduce_op);
  std::vector<std::int32_t> carried;
  for (std::int32_t value : before) carried.push_back(b_.carry(block_, value));
  std::vector<std::int32_t> lifted = work_.source(values_, p, kept_, at_);
  if (!work_.partial) {
    const std::int32_t at = b_.add(kernel::IndexValue{b_.number_of(at_)}, reduce_op.type);
    lifted = lift(b_, reduce_op, lifted[0], at);
  }
  if (work_.length >= 0 || !walk_.all_read) {
    const std::int32_t mask = b_.below(at_, limit_);
    for (std::size_t j = 0; j < lifted.size(); ++j) {
      lifted[j] = b_.select(mask, lifted[j], before[j]);
    }
  }
  masks_.push_back(mask_of(b_, work_, reduce_op, kept_, walk_.first));
  for (std::int32_t value : combined(p, carried, lifted)) {
    b_.set_carried(block_, carries_++, value);
  }
}

std::vector<std::int32_t> ReduceLoop::combined(std::size_t p, const std::vector<std::int32_t>& a,
                                               const std::vector<std::int32_t>& b) {
  return combine(b_, work_.reduce_ops[p], a, b, masks_[p]);
}

void ReduceLoop::set_trips() {
  const kernel::IntExpr most{.base = walk_.trips, .scale = 0};
  if (work_.length < 0) return b_.set_trips(block_, b_.scalar(most), walk_.trips);
  const core::Affine length = b_.scalar_index(limit_);
  b_.set_trips(block_,
               walk_.trips * unit_ >= work_.count ? b_.split(length + (unit_ - 1), unit_).quotient
                                                  : b_.scalar(most),
               walk_.trips);
}

/// A reduce op's accumulators after the loop, combined with those of the quad and of the lanes.
std::vector<std::int32_t> ReduceLoop::result(std::size_t p) {
  std::vector<std::int32_t> values;
  for (int j = 0; j < accumulators(p); ++j) values.push_back(b_.result(block_, results_++));
  const auto combine_with = [&](const auto& other_of) {
    std::vector<std::int32_t> others;
    for (std::int32_t value : values) others.push_back(other_of(value));
    values = combined(p, values, others);
  };
  const auto neighbour = [&](kernel::Pair pair) {
    return [this, pair](std::int32_t value) {
      return b_.add(kernel::Neighbour{value, pair}, core::Type::f);
    };
  };
  if (quad_.columns > 1) combine_with(neighbour(kernel::Pair::horizontal));
  if (quad_.rows > 1) combine_with(neighbour(kernel::Pair::vertical));
  if (work_.across_lanes) {
    for (const kernel::Swizzle swap : {kernel::Swizzle::yxwz, kernel::Swizzle::zwxy}) {
      combine_with([&](std::int32_t value) { return b_.swizzle(value, swap); });
    }
  }
  return values;
}

}  // namespace trigon::detail::lower
