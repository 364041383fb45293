// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rewrite/progression.hpp"
#include "rewrite/stages.hpp"

namespace trigon::plan {

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

/// The body of a loop, and the entries outside of the loop that it reads.
struct StageBody {
  std::shared_ptr<const Graph> graph;
  std::vector<std::int32_t> captured;
};

/// The body that does what each of the equal stages does. `numbers`: of each slot that holds a
/// constant, in order, what it is in the first stage; `progressions`: as what it goes on, if not as
/// the same.
StageBody body_of(const Graph& graph, const Stage& stage, const Carries& carries,
                  std::span<const std::int32_t> numbers,
                  std::span<const std::optional<Progression>> progressions);

}  // namespace trigon::plan
