// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "reroll/iterations.hpp"
#include "reroll/progression.hpp"

namespace trigon::detail::reroll {

/// The entries that equal iterations read at one source, in order.
class Series {
 public:
  enum class How : std::uint8_t {
    same,     ///< the same entry
    counted,  ///< constants that form a progression
    listed,   ///< other constants, and Scalars, from a table
    moved,    ///< views of one entry whose starts move by equal steps
  };

  Series(const ir::Graph& graph, std::int32_t first) : graph_(&graph), first_(first) {}

  How how() const { return how_; }
  /// The entry that the first iteration reads.
  std::int32_t first() const { return first_; }
  /// How it continues if iteration t reads `entry`; none if it cannot. Call for t = 1, 2, ... in
  /// order.
  std::optional<How> with(std::int32_t t, std::int32_t entry) const;
  /// Adds the entry that iteration t reads. `how`: the result of `with`.
  void take(std::int32_t t, std::int32_t entry, How how);
  /// Whether the views of iteration t stay inside their inputs.
  bool is_inside(std::int32_t t) const;

  /// For counted constants: their progression.
  const Progression& progression() const { return *progression_; }
  /// For moved views: the step of each axis's start per iteration, the last view first.
  const std::vector<std::int64_t>& steps() const { return steps_; }

  /// For tables: their dtype, and the plan's scalar (or -1) and the value for an entry.
  bool has_table() const { return how_ == How::listed; }
  DType table_dtype() const;
  std::pair<std::int64_t, double> in_table(std::int32_t entry) const;

 private:
  bool moves_to(std::int32_t t, std::int32_t entry) const;

  const ir::Graph* graph_;
  std::int32_t first_;
  How how_ = How::same;
  std::optional<Progression> progression_;
  std::vector<std::int64_t> steps_;
};

/// The entries that iterations read at all sources that may differ between them, in order.
class Varying {
 public:
  /// `first`: the place of the first iteration; `room`: vectors of uniforms for the numbers;
  /// `most_listed`: the most iterations whose numbers may be listed.
  Varying(const Iteration& iteration, std::int32_t first, std::int64_t room,
          std::int64_t most_listed);

  /// Whether a loop of the iterations before t can include this one, too; if so, adds it.
  bool take(std::int32_t t);
  /// Whether the source continues with `entry` in iteration t, which follows all added ones.
  bool goes_on(std::int32_t t, std::size_t source, std::int32_t entry) const {
    return item(series_, source).with(t, entry) == item(series_, source).how();
  }

  const std::vector<Series>& all() const { return series_; }
  /// The entry that the source reads in iteration t.
  std::int32_t entry(std::int32_t t, std::size_t source) const;
  /// The first source that reads the same as this one in all iterations.
  std::size_t leader(std::size_t source) const { return item(leaders_, source); }
  /// Whether a source's numbers are listed.
  bool has_tables() const {
    return std::any_of(series_.begin(), series_.end(),
                       [](const Series& s) { return s.has_table(); });
  }
  /// The vectors of uniforms that so many iterations need.
  std::int64_t vectors(std::int64_t iterations) const;

 private:
  const Iteration& iteration_;
  std::int32_t first_;
  std::int64_t room_;
  std::int64_t most_listed_;
  std::vector<std::pair<std::int32_t, std::size_t>> at_;
  std::vector<Series> series_;
  std::vector<std::size_t> leaders_;
  std::vector<Series::How> how_;  ///< by source, in the iteration that is being added
  std::int64_t numbers_ = 0;      ///< different numbers that the first iteration reads
};

}  // namespace trigon::detail::reroll
