// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "reroll/progression.hpp"
#include "reroll/stages.hpp"

namespace trigon::detail::reroll {

/// The entries that equal stages read at one slot, from one stage to the next.
class Series {
 public:
  enum class How : std::uint8_t {
    same,     ///< one entry
    counted,  ///< constants that are a progression
    listed,   ///< other constants, and Scalars
    moved,    ///< views of one entry whose starts move by equal steps
    indexed,  ///< views of one entry of which one start is another Scalar
  };

  Series(const ir::Graph& graph, std::int32_t first) : graph_(&graph), first_(first) {}

  How how() const { return how_; }
  /// What the first stage reads.
  std::int32_t first() const { return first_; }
  /// How it goes on where stage t reads `entry`, all before being taken; none where it does not.
  std::optional<How> with(std::int32_t t, std::int32_t entry) const;
  /// Goes on with what stage t reads. `how`: as `with` gave it.
  void take(std::int32_t t, std::int32_t entry, How how);
  /// Whether the views of stage t stay inside their inputs.
  bool is_inside(std::int32_t t) const;

  /// Of a progression: that.
  const Progression& progression() const { return *progression_; }
  /// Of views that move: by how much the starts of all their axes do each stage, the last view
  /// first.
  const std::vector<std::int64_t>& steps() const { return steps_; }
  /// Of views that start at Scalars: the axis of that start, counted as the steps are.
  std::int64_t indexed_axis() const { return *indexed_axis_; }

  /// Of what a table holds: its dtype, and the plan's scalar or -1 and the value of an entry.
  bool has_table() const { return how_ == How::listed || how_ == How::indexed; }
  DType table_dtype() const;
  std::pair<std::int64_t, double> in_table(std::int32_t entry) const;

 private:
  bool moves_to(std::int32_t t, std::int32_t entry) const;
  /// The axis whose start is another Scalar than of the first stage, -1 if there is none; nothing
  /// where more differs.
  std::optional<std::int64_t> other_scalar(std::int32_t entry) const;
  std::optional<How> with_view(std::int32_t t, std::int32_t entry) const;

  const ir::Graph* graph_;
  std::int32_t first_;
  How how_ = How::same;
  std::optional<Progression> progression_;
  std::vector<std::int64_t> steps_;
  std::optional<std::int64_t> indexed_axis_;
};

/// The entries that stages from one on read at all slots that may differ between them, in order.
class Varying {
 public:
  /// `first`: the place of the first stage; `room`: vectors of uniforms for the numbers;
  /// `most_listed`: stages of which numbers may be listed.
  Varying(const Stage& stage, std::int32_t first, std::int64_t room, std::int64_t most_listed);

  /// Whether a loop of the stages before t may have this one, too; if so, it is taken.
  bool take(std::int32_t t);
  /// Whether the slot goes on with `entry` in stage t, the one after all that were taken.
  bool goes_on(std::int32_t t, std::size_t slot, std::int32_t entry) const {
    return item(series_, slot).with(t, entry) == item(series_, slot).how();
  }

  const std::vector<Series>& all() const { return series_; }
  /// The slot's number in the stage that the loop begins with: an offset and an input.
  std::pair<std::int32_t, std::size_t> at(std::size_t slot) const { return item(at_, slot); }
  /// What the slot reads in stage t.
  std::int32_t entry(std::int32_t t, std::size_t slot) const;
  /// The first slot that reads the same as this one in all stages.
  std::size_t leader(std::size_t slot) const { return item(leaders_, slot); }
  /// The vectors of uniforms that so many stages need.
  std::int64_t vectors(std::int64_t stages) const;

 private:
  const Stage& stage_;
  std::int32_t first_;
  std::int64_t room_;
  std::int64_t most_listed_;
  std::vector<std::pair<std::int32_t, std::size_t>> at_;
  std::vector<Series> series_;
  std::vector<std::size_t> leaders_;
  std::vector<Series::How> how_;  ///< of each slot, in the stage that is being taken
  std::int64_t numbers_ = 0;      ///< different ones that the first stage reads
};

}  // namespace trigon::detail::reroll
