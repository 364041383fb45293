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
#include "pipeline/make_plan.hpp"

namespace trigon::plan {

/// What the graphs of a plan share: the device, the numbers that are taken, and what was said.
struct Numbering {
  const Target& target;
  const Costs& costs;
  std::int32_t slots = 0;    ///< the first number that is free
  std::int32_t scalars = 0;  ///< the same
  std::vector<std::string> notes{};
  std::unordered_set<std::shared_ptr<const Kernel>, KernelHash, KernelEqual> kernels{};
};

/// Makes the steps of a graph: that of a plan, or one trip of a loop. Groups are lowered in the
/// order of the schedule; one whose kernel is too large for the device is cut and its parts are
/// lowered.
class StepMaker {
 public:
  /// `wanted`: by entry, whether its value is asked for.
  StepMaker(const Graph& graph, const std::vector<bool>& wanted, Numbering& numbering,
            Recompute recompute = Recompute::if_cheaper, PlanRecord* record = nullptr);

  /// A leaf lies there.
  void place(std::int32_t leaf, const Place& place);
  /// Something else refers to the texture of the leaf.
  void share(std::int32_t leaf) { item(owned_, leaf) = false; }
  /// The entry is needed after the last step.
  void keep(std::int32_t entry) { item(kept_, entry) = true; }

  /// The steps; their nodes are entries of the graph.
  std::vector<Step> run();

  const Place& place_of(std::int32_t entry) const { return item(places_, entry); }
  bool stores(std::int32_t entry) const { return schedule_.stores(entry); }
  /// Whether a cond may skip the draw that stores it.
  bool may_skip(std::int32_t entry) const {
    return stores(entry) && !schedule_.sides.need(entry).empty();
  }
  Scene scene(const Literals* known = nullptr) const {
    return {graph_, numbering_.target, numbering_.costs, places_, &schedule_.sides, known};
  }

 private:
  void count_reads(Group& group, std::int32_t change);
  bool may_overwrite(const Group& write) const;
  Literals need_of(const Group& group) const;
  bool lower(const Group& group, Draft& draft);
  bool lower_form(const Group& group, const Literals& known, Draft& draft) const;
  bool lower_sides(const Group& group, const Literals& known, Draft& draft);
  bool lower_both(const Group& group, const Literals& known, std::int32_t predicate, Draft& draft);
  std::int32_t next_split(const Group& group, const Literals& known) const;
  std::optional<Guard> guard_of(const Literal& literal) const;
  void guard(const Literals& known, std::vector<Step>& steps) const;
  void add(const Group& group, std::size_t limit, Apart apart);
  void note(const Draft& draft, Apart apart);
  void take(const Group& group, Draft& draft);

  const Graph& graph_;
  Numbering& numbering_;
  Schedule schedule_;
  std::vector<Place> places_;
  std::vector<std::int32_t> readers_;  ///< groups still to come that read an entry
  std::unordered_map<std::int32_t, std::vector<std::int32_t>> holders_;  ///< entries in a slot
  std::vector<bool> kept_, owned_;
  PlanRecord* record_;
  std::vector<Step> steps_;
};

/// The steps of a loop: one draw where its lanes do not depend on each other, else one trip as a
/// plan of its own, which is repeated. False where a kernel passes the limits of the device.
bool lower_loop(const Scene& scene, const Group& group, Draft& draft);

}  // namespace trigon::plan
