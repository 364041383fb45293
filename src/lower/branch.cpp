// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <span>

#include "core/walk.hpp"
#include "lower/values.hpp"

// Choices made once for all elements, which become branches of the kernel.

namespace trigon::detail::lower {
namespace {

// A side with less work is always computed, which costs less than a jump.
constexpr std::int64_t least_work = 8;
constexpr std::int64_t work_of_a_fetch = 4;

}  // namespace

int side_of(const Scene& scene, std::int32_t where) {
  if (scene.known == nullptr || scene.known->empty()) return 0;
  const std::int32_t p = scene.sides->predicate(scene.graph, where);
  for (const schedule::Literal& one : *scene.known) {
    if (one.predicate == p) return one.holds ? 1 : 2;
  }
  return 0;
}

/// The entries that `root` reads at its own index, whichever way the branches below it go.
std::set<std::int32_t> Values::at_same_index(std::int32_t root) const {
  core::Walk<std::int32_t> walk({root});
  for (const std::int32_t at : walk) {
    if (fixed_.contains(at)) continue;
    if (place_of(scene_, copies_, at).slot >= 0) continue;
    const ir::Graph::Entry& entry = scene_.at(at);
    if (!info(entry.kind).keeps_index) continue;
    const int side = side_of(scene_, at);
    const std::span inputs(entry.inputs);
    walk.add(core::is_branch(entry.attrs) ? inputs.subspan(static_cast<std::size_t>(side), 1)
                                          : inputs);
  }
  return walk.seen();
}

/// Whether a side has enough work for a jump, not counting entries that are always computed.
bool Values::is_worth_a_branch(std::int32_t side, const std::set<std::int32_t>& shared) const {
  core::Walk<std::int32_t> walk({side}, shared);
  std::int64_t work = 0;
  for (const std::int32_t at : walk) {
    if (work >= least_work) break;
    if (fixed_.contains(at)) continue;
    const ir::Graph::Entry& entry = scene_.at(at);
    if (place_of(scene_, copies_, at).slot >= 0) {
      work += work_of_a_fetch;
      continue;
    }
    switch (entry.kind) {
      case ir::Kind::map: work += ir::instructions_of(*entry.op); break;
      case ir::Kind::cast:
      case ir::Kind::pad:
      case ir::Kind::write: ++work; break;
      case ir::Kind::kernel:
      case ir::Kind::loop:
      case ir::Kind::reduce:
      case ir::Kind::contract: work += least_work; break;
      default: break;
    }
    walk.add(entry.inputs);
  }
  return work >= least_work;
}

/// The value of a side, computed only if it is taken; otherwise `before`.
std::int32_t Values::side(const ir::Graph::Entry& entry, const core::Indices& index,
                          kernel::Runs runs, std::int32_t before) {
  std::int32_t outer = inside_.block;
  for (const core::Affine& one : index) outer = std::max(outer, b_.block_of(one));
  b_.open_branch(outer, value(entry.inputs[0], index), runs);
  const std::int32_t id = value(entry.inputs[runs == kernel::Runs::if_set ? 1 : 2], index);
  return b_.close_branch(b_.type(id) == b_.type(before) ? id : b_.convert(id, b_.type(before)),
                         before);
}

/// A choice for all elements at once; -1 if the sides are too short for a branch.
std::int32_t Values::branch(const ir::Graph::Entry& entry, const core::Indices& index) {
  // Fragments that share reductions exchange values, which must not happen within a branch.
  if (quad_.size() > 1) return -1;
  const std::set<std::int32_t> of_yes = at_same_index(entry.inputs[1]);
  const std::set<std::int32_t> of_no = at_same_index(entry.inputs[2]);
  std::set<std::int32_t> shared;
  std::set_intersection(of_yes.begin(), of_yes.end(), of_no.begin(), of_no.end(),
                        std::inserter(shared, shared.end()));
  const bool yes_waits = is_worth_a_branch(entry.inputs[1], shared);
  const bool no_waits = is_worth_a_branch(entry.inputs[2], shared);
  if (!yes_waits && !no_waits) return -1;
  for (const std::int32_t one : shared) value(one, index);
  std::int32_t chosen = yes_waits && no_waits ? typed_constant(0, entry.dtype)
                                              : value(entry.inputs[yes_waits ? 2 : 1], index);
  if (yes_waits) chosen = side(entry, index, kernel::Runs::if_set, chosen);
  if (no_waits) chosen = side(entry, index, kernel::Runs::if_unset, chosen);
  return chosen;
}

}  // namespace trigon::detail::lower
