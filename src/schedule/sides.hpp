// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "ir/graph.hpp"

// Draws that only one side of a `cond` needs, on devices that run both sides of an `if`.

namespace trigon::detail::schedule {

/// Whether an entry is a `where` that chooses for all elements at once.
bool is_branch(const ir::Graph::Entry& entry);

/// The one element that decides a `cond`.
struct Predicate {
  std::int32_t entry = -1;
  ir::View at{};  ///< where it lies in a larger entry: starts and terms alone

  friend bool operator==(const Predicate&, const Predicate&) = default;
};
/// That of a `where` that is marked as a branch; none where its place follows from several scalars.
std::optional<Predicate> predicate_of(const ir::Graph& graph, std::int32_t where);

/// A predicate, by its number, and what it is.
struct Literal {
  std::int32_t predicate;
  bool holds;

  friend bool operator==(const Literal&, const Literal&) = default;
  friend bool operator<(const Literal& a, const Literal& b) {
    return std::tie(a.predicate, a.holds) < std::tie(b.predicate, b.holds);
  }
};
using Literals = std::vector<Literal>;  ///< in order

/// Predicates of one graph that are asked about a draw at most, whatever the device.
inline constexpr std::int64_t most_of_a_graph = 4;
/// Texels that a vertex stage looks at, at most: those of a loop's body and of a cond around it.
inline constexpr std::int64_t most_guards = 2 * most_of_a_graph;
/// Predicates of one graph that are asked about a draw at most.
std::size_t most_literals(const core::Target& target);

/// The conds of which a draw is skipped where its side is not taken.
struct Sides {
  std::vector<Predicate> predicates{};
  std::vector<Literals> needs{};  ///< by entry: under which alone it is read; empty without conds
  std::vector<bool> splits{};     ///< by entry: a `where` whose sides have draws of their own

  /// The predicates under which alone an entry is read.
  const Literals& need(std::int32_t entry) const;
  /// The number of the predicate of a `where`, or -1.
  std::int32_t predicate(const ir::Graph& graph, std::int32_t where) const;
};

/// Those and one more.
Literals with(Literals literals, const Literal& one);
/// What both have.
Literals common(const Literals& a, const Literals& b);

}  // namespace trigon::detail::schedule
