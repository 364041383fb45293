// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "ir/graph.hpp"

namespace trigon::detail::reroll {

/// Numbers that are equal for entries that compute the same, except for constants and Scalars and
/// for the starts of views.
std::vector<std::uint64_t> forms_of(const ir::Graph& graph);

/// Stacks entries of one form: a single entry computes them all, along a new axis.
class Stacker {
 public:
  /// `moved`: the builder's entry for each of the graph's entries that may be read.
  Stacker(ir::GraphBuilder& builder, const ir::Graph& graph, const std::vector<std::int32_t>& moved,
          const core::Target& target)
      : b_(builder), graph_(graph), moved_(moved), room_(target.uniform_vectors / 2) {}

  /// Entries one after the other along an axis that they have. -1 if they differ in more than
  /// numbers, or if their views do not start at equal distances.
  std::int32_t joined(const std::vector<std::int32_t>& members, int axis);

 private:
  using Ids = std::vector<std::int32_t>;

  /// Entries of one shape along a new first axis, or one entry that all of them share.
  struct Stacked {
    std::int32_t entry;
    bool has_axis;
  };
  std::optional<Stacked> of(const Ids& members);
  std::optional<Stacked> computed(const Ids& members);
  std::optional<Stacked> numbers(const Ids& members);
  std::optional<Stacked> view(const Ids& members);
  std::optional<Stacked> on_inputs(const Ids& members);
  std::optional<std::vector<Stacked>> inputs(const Ids& members);
  std::int32_t with_axis(const Stacked& one, std::int64_t count);

  ir::GraphBuilder& b_;
  const ir::Graph& graph_;
  const std::vector<std::int32_t>& moved_;
  std::int64_t room_;      ///< vectors of uniforms that numbers may use
  std::int64_t open_ = 0;  ///< entries that the present join may still visit
  std::map<Ids, Stacked> known_;
};

}  // namespace trigon::detail::reroll
