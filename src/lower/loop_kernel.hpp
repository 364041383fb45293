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

/// The kernel of some trips of a loop, its carries in registers, four elements per fragment. Loops
/// in its body are blocks within its block.
class LoopKernel {
 public:
  /// `outside`: the values around the loop, whose block holds the loop's.
  LoopKernel(Values& outside, const ir::Graph::Entry& loop, const LoopRun& run,
             core::Indices element);

  /// Each element ends after that trip, with the trip's outputs.
  void end_after(const core::Affine& trip) { last_ = trip; }

  /// Builds the loop, with the outputs of its last steps in registers if `results` has any.
  void build(const std::vector<std::int64_t>& results);

  /// A carry after the loop, at an index along the axes after the batch axes.
  std::int32_t result(std::int64_t carry, const core::Indices& index);

  /// A value of an output in one of the last steps, the oldest being 0.
  std::int32_t output(std::int64_t j, std::int64_t step, std::int64_t value);

  bool is_local() const;

 private:
  bool is_needed(std::int64_t j) const { return item(run_.needed, j); }

  /// Carries the outputs of the last steps: each trip moves them one step up and adds its own, in
  /// elements that still go on.
  void keep_outputs(std::int64_t j, std::int32_t goes_on);

  const Shape& result_shape(std::int64_t j) const;
  int batch_axes(const Shape& shape) const;

  /// A carried value of a fragment. If all four lanes are equal, says so with a swizzle: drivers do
  /// not infer it for loop-carried registers.
  std::int32_t same_lanes(std::int32_t carried);

  /// Calls f with the index of each of a carry's values for one element.
  template <class F>
  void each_value(std::int64_t j, F f);

  /// `of` of the number of a carry's value at an index. If the index is not known while the kernel
  /// is built, selects among all values.
  template <class F>
  std::int32_t chosen(std::int64_t carry, const core::Indices& index, F of);
  std::int32_t is_equal(std::int32_t index, std::int64_t number);

  std::int32_t value_of(const ir::Graph::Entry& parameter, const core::Indices& index);

  /// An output of a loop in the body that has the same elements.
  std::int32_t inner_result(const ir::Graph::Entry& output, const core::Indices& index);
  bool is_own(const Shape& shape, const core::Indices& index) const;

  /// Whether a reduction in the body becomes a loop. If so, it reads only carries with one value
  /// per element, which need no index.
  bool rolls(std::int32_t reduction) const;

  /// Finished trips, with those of earlier draws.
  core::Affine trips();

  /// Finished trips + the first step, as int32. This sum may wrap, unlike indices.
  std::int32_t step();
  std::int32_t as_value(const core::Affine& index);

  /// The value of a carry before the first trip of the draw.
  std::int32_t before(std::int64_t j, const core::Indices& index);

  /// A mask: where the loop goes on, which excludes lanes past the elements. -1 in a counted loop.
  std::int32_t condition();

  const ir::Graph::Entry& loop_;
  const ir::LoopAttrs numbers_;
  const LoopRun& run_;
  kernel::KernelBuilder& b_;
  const core::Indices element_;  ///< the index along the batch axes
  Values& outside_;
  const std::int32_t block_;
  const core::Affine counter_;
  const std::vector<Place> no_places_;
  const Scene body_scene_;
  Values body_;
  std::optional<core::Affine> last_;   ///< the trip with which each element ends
  std::vector<std::int32_t> first_;    ///< of each result: the number of its first value
  std::vector<std::int32_t> carried_;  ///< each value within a trip
  std::vector<std::int32_t> next_;     ///< the same at its end
  bool local_ = true;

  /// A loop in the body.
  struct Inner {
    const ir::Graph::Entry* loop;
    LoopRun run;
    std::int32_t scope;  ///< the builder's scope in which it was built
    std::unique_ptr<LoopKernel> kernel{};
  };
  std::vector<std::unique_ptr<Inner>> inner_;
};

}  // namespace trigon::detail::lower
