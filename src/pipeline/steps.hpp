// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lower/lower.hpp"
#include "pipeline/plan_record.hpp"
#include "plan/step.hpp"
#include "schedule/schedule.hpp"

namespace trigon::detail::pipeline {

/// Shared by the graphs of a plan: the device, the numbers in use, and the notes.
struct Numbering {
  const core::Target& target;
  const core::Costs& costs;
  std::int32_t slots = 0;    ///< the first free slot
  std::int32_t scalars = 0;  ///< the first free scalar
  std::vector<std::string> notes{};
  std::unordered_set<std::shared_ptr<const kernel::Kernel>, kernel::KernelHash, kernel::KernelEqual>
      kernels{};
};

/// Makes the steps of a graph: a plan's, or one iteration of a loop. Groups are lowered in the
/// order of the schedule. A group whose kernel is too large for the device is cut, and its pieces
/// are lowered.
class StepMaker {
 public:
  /// `schedule`: of the graph.
  StepMaker(const ir::Graph& graph, schedule::Schedule schedule, Numbering& numbering,
            PlanRecord* record = nullptr);

  /// Sets the place of a leaf.
  void place(std::int32_t leaf, const lower::Place& place);
  /// Notes that something else refers to the texture of the leaf.
  void share(std::int32_t leaf) { item(owned_, leaf) = false; }
  /// Notes that the entry is needed after the last step.
  void keep(std::int32_t entry) { item(kept_, entry) = true; }

  /// The steps; their nodes are entries of the graph.
  std::vector<plan::Step> run();

  const lower::Place& place_of(std::int32_t entry) const { return item(places_, entry); }
  bool stores(std::int32_t entry) const { return schedule_.stores(entry); }
  /// Whether a cond may skip the draw that stores it.
  bool may_skip(std::int32_t entry) const {
    return stores(entry) && !schedule_.sides.need(entry).empty();
  }
  lower::Scene scene(const schedule::Literals* known = nullptr) const {
    return {graph_, numbering_.target, numbering_.costs, places_, &schedule_.sides, known};
  }

 private:
  void count_reads(schedule::Group& group, std::int32_t change);
  bool may_overwrite(const schedule::Group& write) const;
  schedule::Literals need_of(const schedule::Group& group) const;
  bool lower(const schedule::Group& group, lower::Draft& draft);
  bool lower_form(const schedule::Group& group, const schedule::Literals& known,
                  lower::Draft& draft) const;
  bool lower_sides(const schedule::Group& group, const schedule::Literals& known,
                   lower::Draft& draft);
  bool lower_both(const schedule::Group& group, const schedule::Literals& known,
                  std::int32_t predicate, lower::Draft& draft);
  std::int32_t next_split(const schedule::Group& group, const schedule::Literals& known) const;
  std::optional<plan::Guard> guard_of(const schedule::Literal& literal) const;
  void guard(const schedule::Literals& known, std::vector<plan::Step>& steps) const;
  void add(const schedule::Group& group, std::size_t limit, schedule::SplitReason split_reason);
  void note(const lower::Draft& draft, schedule::SplitReason split_reason);
  void take(const schedule::Group& group, lower::Draft& draft);

  const ir::Graph& graph_;
  Numbering& numbering_;
  schedule::Schedule schedule_;
  std::vector<lower::Place> places_;
  std::vector<std::int32_t> readers_;  ///< remaining groups that read an entry
  std::unordered_map<std::int32_t, std::vector<std::int32_t>> holders_;  ///< entries in a slot
  std::vector<bool> kept_, owned_;
  PlanRecord* record_;
  std::vector<plan::Step> steps_;
};

/// The steps of a loop: one draw if its elements do not depend on each other, otherwise a plan of
/// one iteration, which is repeated. False if a kernel exceeds the limits of the device.
bool lower_loop(const lower::Scene& scene, const schedule::Group& group, lower::Draft& draft);

}  // namespace trigon::detail::pipeline
