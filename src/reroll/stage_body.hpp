// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "reroll/series.hpp"
#include "reroll/stages.hpp"

namespace trigon::detail::reroll {

/// The values that equal stages hand on: of each entry that a later stage reads, what it was one
/// stage before, two stages before, and so on.
class Carries {
 public:
  static constexpr std::int32_t most_back = 4;  ///< stages that a value is handed on
  static constexpr std::size_t most = 32;

  explicit Carries(const Stage& stage);

  const std::vector<Carry>& all() const { return all_; }
  /// The most stages back.
  std::int32_t furthest() const { return furthest_; }
  bool are_few() const { return !all_.empty() && all_.size() <= most && furthest_ <= most_back; }
  /// The number of a carry, or -1.
  std::int32_t number(Carry carry) const;

 private:
  std::vector<Carry> all_;
  std::vector<std::int32_t> first_;  ///< of each entry of a stage: its first carry, or -1
  std::int32_t furthest_ = 0;
};

/// The body of a loop, the slots whose numbers it reads from a table, one per trip, and the entries
/// outside of the loop that it reads.
struct StageBody {
  std::shared_ptr<const ir::Graph> graph;
  std::vector<std::size_t> listed;
  std::vector<std::int32_t> captured;
};

/// The body that does what each of the equal stages does, so many `trips`.
StageBody body_of(const Stage& stage, const Carries& carries, const Varying& varying,
                  std::int32_t trips);

}  // namespace trigon::detail::reroll
