// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "ir/graph.hpp"

// Draws that only one side of a `cond` needs, on devices that run both sides of an `if`.

namespace trigon::detail::schedule {

/// The one element that decides a `cond`.
struct Predicate {
  std::int32_t entry = -1;
  ir::View at{};  ///< where it lies in a larger entry: only starts and terms

  friend bool operator==(const Predicate&, const Predicate&) = default;
};
/// The predicate of a `where` marked as a branch; none if several scalars determine its place.
std::optional<Predicate> predicate_of(const ir::Graph& graph, std::int32_t where);

/// A predicate, by its number, and its value.
struct Literal {
  std::int32_t predicate;
  bool holds;

  friend bool operator==(const Literal&, const Literal&) = default;
  friend bool operator<(const Literal& a, const Literal& b) {
    return std::tie(a.predicate, a.holds) < std::tie(b.predicate, b.holds);
  }
};
using Literals = std::vector<Literal>;  ///< sorted

/// The most predicates of one graph that may decide about a draw, on any device.
inline constexpr std::int64_t most_of_a_graph = 4;
/// The most texels that a vertex stage looks at: for a loop's body and for a cond around it.
inline constexpr std::int64_t most_guards = 2 * most_of_a_graph;
/// The most predicates of one graph that may decide about a draw.
std::size_t most_literals(const core::Target& target);

/// The conds that skip the draws of a side that is not taken.
struct Sides {
  std::vector<Predicate> predicates{};
  std::vector<Literals> needs{};  ///< by entry: it is read only if these hold; empty without conds
  std::vector<bool> splits{};     ///< by entry: a `where` whose sides have separate draws

  /// The predicates without which an entry is not read.
  const Literals& need(std::int32_t entry) const;
  /// The number of the predicate of a `where`, or -1.
  std::int32_t predicate(const ir::Graph& graph, std::int32_t where) const;
};

/// The literals and one more.
Literals with(Literals literals, const Literal& one);
/// The literals that both have.
Literals common(const Literals& a, const Literals& b);

}  // namespace trigon::detail::schedule
