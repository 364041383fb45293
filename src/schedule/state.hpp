// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "core/item.hpp"
#include "schedule/group.hpp"
#include "schedule/sides.hpp"

// Shared by all steps of the schedule: which entries are stored, decided step by step.

namespace trigon::detail::schedule {

using Ids = std::vector<std::int32_t>;

/// Decisions so far, by entry.
struct State {
  State(const ir::Graph& g, const core::Target& t, const core::Costs& c)
      : graph(g),
        target(t),
        costs(c),
        reasons(g.entries.size(), Reason::none),
        inlined(g.entries.size(), false),
        row(g.entries.size(), false),
        claimed(g.entries.size(), false),
        anchor_of(g.entries.size(), -1) {}

  const ir::Graph& graph;
  const core::Target& target;
  const core::Costs& costs;
  std::vector<Reason> reasons;  ///< why an entry gets a texture, or none
  std::vector<bool> inlined;    ///< a reduction that its readers compute for themselves
  std::vector<bool> row;        ///< of a contraction: its fragments compute its left operand
  std::vector<bool> claimed;    ///< computed in the draw of an anchor, or of a loop's outputs
  Ids anchor_of;  ///< of a stored entry: the reduction or contraction in its draw, or -1
  Sides sides{};  ///< draws that a cond skips

  const ir::Graph::Entry& at(std::int32_t k) const { return graph[k]; }
  Reason why(std::int32_t k) const { return item(reasons, k); }
  bool is_stored(std::int32_t k) const { return why(k) != Reason::none; }
  /// Stores an entry; the first reason counts.
  void store(std::int32_t k, Reason reason) {
    if (!is_stored(k)) item(reasons, k) = reason;
  }
  bool is_leaf(std::int32_t k) const { return at(k).kind == ir::Kind::leaf; }
  bool is_empty(std::int32_t k) const { return at(k).shape.numel() == 0; }
  /// Whether a draw is built around it: it is a contraction, or a reduction that is not inlined.
  bool is_anchor(std::int32_t k) const {
    return at(k).kind == ir::Kind::contract ||
           (at(k).kind == ir::Kind::reduce && !item(inlined, k));
  }
  /// Whether it is read from a texture.
  bool is_loaded(std::int32_t k) const { return is_leaf(k) || is_stored(k); }
};

/// Ops and loads below an entry, each once, down to loaded entries.
struct Region {
  std::int64_t instructions = 0;
  std::int64_t ops = 0;
  std::int64_t loads = 0;    ///< one for each index at which an entry is read
  std::int64_t sources = 0;  ///< entries read, each once
  bool gathers = false;      ///< or calls a user's kernel
  Ids reductions{};          ///< among them
};
Region region_of(const State& state, std::int32_t root);

/// Lowered instructions of one entry.
std::int64_t instructions_of(const ir::Graph& graph, std::int32_t k);

/// Finds the conds that skip draws of sides that are not taken, and stores their predicates.
void mark_sides(State& state);
/// Finds the ops that can be computed in the draw of a reduction or contraction, from its result.
void find_end(State& state, std::int32_t anchor);
/// Chooses the single rows that the fragments of a product compute for themselves, with the
/// reductions that only such a row reads.
void mark_rows(State& state);
/// Stores the operands of contractions, except those rows, and of scatters.
void mark_operands(State& state);
/// Stores values that loops capture, except a few operations: otherwise each draw would compute
/// them.
void mark_captured(State& state);
/// Stores values if that is cheaper than computing them wherever they are read.
void mark_shared(State& state);
/// Stores values that are read in several places, except a few operations.
void mark_all_shared(State& state);
/// Cuts kernels that would be too long.
void mark_long(State& state);
/// Groups entries that share a draw, and orders the draws.
Schedule make_groups(const State& state);

}  // namespace trigon::detail::schedule
