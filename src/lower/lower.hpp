// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/item.hpp"
#include "core/target.hpp"
#include "ir/graph.hpp"
#include "plan/step.hpp"
#include "schedule/group.hpp"

namespace trigon::detail::lower {

/// The place of an entry's value once computed; slot -1: none.
struct Place {
  std::int32_t slot = -1;
  core::Layout layout{};
};

/// The input of lowering: the graph, the device and the places of values so far.
struct Scene {
  const ir::Graph& graph;
  const core::Target& target;
  const core::Costs& costs;
  const std::vector<Place>& places;           ///< by entry
  const schedule::Sides* sides = nullptr;     ///< the conds whose sides have separate draws
  const schedule::Literals* known = nullptr;  ///< the values of their predicates in this draw
  bool may_overwrite = false;  ///< nothing else will read the tensor that the group writes to

  const ir::Graph::Entry& at(std::int32_t k) const { return graph[k]; }
  const Place& place(std::int32_t k) const { return item(places, k); }
};

/// The side of a `where` that a draw computes alone: 1 or 2, its input; 0: both.
int side_of(const Scene& scene, std::int32_t where);

/// Entries that one kernel reads from separate copies.
using Copies = std::vector<std::pair<std::int32_t, Place>>;
const Place& place_of(const Scene& scene, const Copies& copies, std::int32_t entry);

/// The result of lowering: steps, and the places in which they leave values of entries.
struct Draft {
  std::int32_t slots;    ///< the first free slot number
  std::int32_t scalars;  ///< the first free scalar number; loops count trips in them
  std::vector<plan::Step> steps{};
  std::vector<std::pair<std::int32_t, Place>> places{};
  std::vector<std::string> notes{};

  /// An empty draft that continues these numbers.
  Draft next() const { return {.slots = slots, .scalars = scalars}; }
};

/// The steps of a group. False if its kernel exceeds the target; the draft is then useless.
bool lower_map(const Scene& scene, const schedule::Group& group, Draft& draft);
bool lower_reduce(const Scene& scene, const schedule::Group& group, Draft& draft);
bool lower_contract(const Scene& scene, const schedule::Group& group, Draft& draft);
bool lower_write(const Scene& scene, const schedule::Group& group, Draft& draft);
/// In place or over a copy. Raises DeviceError past int32 elements.
bool lower_scatter(const Scene& scene, const schedule::Group& group, Draft& draft);

/// The function that lowers groups of a form; null for loops, which pipeline/ plans, and for kinds
/// around which no kernel is built.
constexpr auto function_for(ir::Kind form) {
  switch (form) {
    case ir::Kind::map: return &lower_map;
    case ir::Kind::reduce: return &lower_reduce;
    case ir::Kind::contract: return &lower_contract;
    case ir::Kind::write: return &lower_write;
    case ir::Kind::scatter: return &lower_scatter;
    default: return decltype(&lower_map){};
  }
}
static_assert(std::all_of(ir::kind_table.begin(), ir::kind_table.end(),
                          [](const ir::KindInfo& one) {
                            return !one.is_drawn || one.kind == ir::Kind::output ||
                                   function_for(one.kind) != nullptr;
                          }),
              "a kind with separate draws has a function that lowers it");

}  // namespace trigon::detail::lower
