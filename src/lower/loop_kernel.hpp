// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/item.hpp"
#include "lower/loop_run.hpp"
#include "lower/values.hpp"

namespace trigon::detail::lower {

/// The kernel of some trips of a loop, its carries in registers, four lanes a fragment. Loops in
/// its body are blocks within its block.
class LoopKernel {
 public:
  /// `outside`: the values around the loop, in whose block it stands.
  LoopKernel(Values& outside, const ir::Graph::Entry& loop, const LoopRun& run, core::Indices lane);

  /// Each lane ends with this trip, of which it has the outputs.
  void end_after(const core::Affine& trip) { last_ = trip; }

  /// The loop, and in registers the outputs of its last steps where `results` has such.
  void build(const std::vector<std::int64_t>& results);

  /// A carry after the loop, at an index past the lanes.
  std::int32_t result(std::int64_t carry, const core::Indices& index);

  /// A value of an output in one of the last steps, the oldest being 0.
  std::int32_t output(std::int64_t j, std::int64_t step, std::int64_t value);

  bool is_local() const;

 private:
  bool is_needed(std::int64_t j) const { return item(run_.needed, j); }

  /// Carries the outputs of the last steps: each trip moves them one step up and adds its own,
  /// where it still goes on.
  void keep_outputs(std::int64_t j, std::int32_t goes_on);

  const Shape& result_shape(std::int64_t j) const;
  int lane_axes(const Shape& shape) const;

  /// A carried value of a fragment that has one lane. Compilers see that what is computed on four
  /// equal lanes is equal, but not that four carried lanes stay so.
  std::int32_t same_lanes(std::int32_t carried);

  /// Calls f with the index of each value that a lane has of a carry.
  template <class F>
  void each_value(std::int64_t j, F f);

  /// The value `of` a carry's number at an index. Where that is not known while the kernel is
  /// built, it is chosen among all of them.
  template <class F>
  std::int32_t chosen(std::int64_t carry, const core::Indices& index, F of);
  std::int32_t is_equal(std::int32_t index, std::int64_t number);

  std::int32_t value_of(const ir::Graph::Entry& parameter, const core::Indices& index);

  /// A result of a loop in the body, which has the same lanes.
  std::int32_t inner_result(const ir::Graph::Entry& loop, const core::Indices& index);
  bool is_own(const Shape& shape, const core::Indices& index) const;

  /// Whether a reduction in the body is a loop: of carries it reads such of one value a lane, which
  /// need no index.
  bool rolls(std::int32_t reduction) const;

  /// Finished trips, with those of earlier draws.
  core::Affine trips();

  /// Finished trips + the first step, as int32: a sum that may wrap, unlike that of indices.
  std::int32_t step();
  std::int32_t as_value(const core::Affine& index);

  /// The value of a carry before the first trip of the draw.
  std::int32_t before(std::int64_t j, const core::Indices& index);

  /// Where the loop goes on, -1 in a counted loop. Past the elements it does not.
  std::int32_t condition();

  const ir::Graph::Entry& loop_;
  const ir::LoopNumbers numbers_;
  const LoopRun& run_;
  kernel::KernelBuilder& b_;
  const core::Indices lane_;  ///< the index along the lanes
  Values& outside_;
  const std::int32_t block_;
  const core::Affine counter_;
  const std::vector<Place> no_places_;
  const Scene body_scene_;
  Values body_;
  std::optional<core::Affine> last_;   ///< the trip with which each lane ends
  std::vector<std::int32_t> first_;    ///< of each result: the number of its first value
  std::vector<std::int32_t> carried_;  ///< each value within a trip
  std::vector<std::int32_t> next_;     ///< the same at its end
  bool local_ = true;

  /// A loop in the body.
  struct Inner {
    const ir::Graph::Entry* loop;
    LoopRun run;
    std::int32_t scope;  ///< of the builder, in which it was built
    std::unique_ptr<LoopKernel> kernel{};
  };
  std::vector<std::unique_ptr<Inner>> inner_;
};

}  // namespace trigon::detail::lower
