// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "lower/copy.hpp"
#include "plan/steps.hpp"

namespace trigon::plan {

/// The trips of a loop without the first `done`; at most `most`.
IntExpr trips_left(const LoopNumbers& loop, std::int64_t done, std::int64_t most);

/// Lowers a loop as a graph of one trip, or of a few, whose steps are repeated.
class LoopTrips {
 public:
  LoopTrips(const Scene& scene, const Group& group, Numbering& numbering, Draft& draft);

  /// The loop's values in textures: carries, which trade places with the values that a trip
  /// computes, and stacked outputs, of which it writes one row. False past the caps.
  bool run();

  /// Adds a loop over steps whose carries lie there; a while loop ends where no lane goes on.
  bool add_repeat(Step repeat, const std::vector<Place>& carries);

 private:
  /// Trips that one Repeat does.
  struct Stretch {
    IntExpr trips{};
    std::int64_t first = 0;  ///< trips before it
    std::int64_t steps = 1;  ///< trips that are computed at once
  };

  /// Where values lie between trips.
  struct Home {
    std::vector<Layout> layouts{};  ///< of the carries
    bool may_change = true;         ///< carries may get other layouts
    bool changed = false;           ///< one did
    std::vector<Place> carries{}, outputs{};
  };

  bool may_take(std::int64_t steps) const;
  bool pays(const Draft& fewer) const;
  bool in_steps_of(std::int64_t steps);
  std::vector<Stretch> stretches(std::int64_t steps) const;
  bool add_stretches(const std::vector<Stretch>& all, std::int32_t counter, Home& home);
  bool add_body(const Graph& graph, bool repeats, Home& home, Step& repeat);
  Step in_chunks(Step trips);
  bool add_flag(const std::vector<Place>& carries, std::vector<Step>& steps, std::int32_t& slot);
  bool add_first(std::int64_t j, const Layout& layout, std::vector<Place>& places);
  bool add_rows(std::int64_t o, std::vector<Place>& places);
  bool place_leaves(StepMaker& maker, const Graph& graph, const std::vector<Place>& carries,
                    const std::vector<Place>& outputs);
  bool store(std::int32_t entry, Place& place);
  Layout carry_layout(std::int64_t j) const;
  std::int32_t new_scalar() { return numbering_.scalars++; }
  std::int32_t input(std::int64_t which) const { return item(loop_.inputs, which); }

  const Scene& scene_;
  const Group& group_;
  const Graph::Entry& loop_;
  const LoopNumbers numbers_;
  Numbering& numbering_;
  Draft& draft_;
  std::vector<Place> leaves_;  ///< of the graph placed last
  Copies stored_;              ///< inputs that were stored for the loop
};

}  // namespace trigon::plan
