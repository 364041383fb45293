// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "reroll/iterations.hpp"
#include "reroll/series.hpp"

namespace trigon::detail::reroll {

/// The values that iterations pass on: for each entry that a later iteration reads, its value one
/// iteration before, two before, and so on.
class Carries {
 public:
  static constexpr std::int32_t most_back = 4;  ///< iterations through which a value is passed on
  static constexpr std::size_t most = 32;

  explicit Carries(const Iteration& iteration);

  const std::vector<Carry>& all() const { return all_; }
  /// The largest distance of a carry, in iterations.
  std::int32_t furthest() const { return furthest_; }
  bool are_few() const { return !all_.empty() && all_.size() <= most && furthest_ <= most_back; }
  /// The number of a carry, or -1.
  std::int32_t number(Carry carry) const;

 private:
  std::vector<Carry> all_;
  std::vector<std::int32_t> first_;  ///< by entry of an iteration: its first carry, or -1
  std::int32_t furthest_ = 0;
};

/// The body of a loop, the sources whose numbers it reads from a table, one per iteration, and the
/// entries outside the loop that it reads.
struct IterationBody {
  std::shared_ptr<const ir::Graph> graph;
  std::vector<std::size_t> listed;
  std::vector<std::int32_t> captured;
};

/// A body that does the work of each iteration, for `total` iterations.
IterationBody body_of(const Iteration& iteration, const Carries& carries, const Varying& varying,
                      std::int32_t total);

}  // namespace trigon::detail::reroll
