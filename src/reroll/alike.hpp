// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "ir/graph.hpp"

namespace trigon::detail::reroll {

/// Numbers that are equal for entries that compute the same but for numbers, and for where views
/// start.
std::vector<std::uint64_t> forms_of(const ir::Graph& graph);

/// Puts entries of one form side by side: one entry computes them all, with an axis more.
class Stacker {
 public:
  /// `moved`: the builder's entry of each of the graph's that may be read.
  Stacker(ir::GraphBuilder& builder, const ir::Graph& graph, const std::vector<std::int32_t>& moved,
          const core::Target& target)
      : b_(builder), graph_(graph), moved_(moved), room_(target.uniform_vectors / 2) {}

  /// The parts one after the other along an axis that they have; -1 where they differ in more than
  /// numbers, or their views do not start at equal distances.
  std::int32_t joined(const std::vector<std::int32_t>& parts, int axis);

 private:
  using Ids = std::vector<std::int32_t>;

  /// Entries of one shape in a first axis more, but for one that all parts share.
  struct Stacked {
    std::int32_t entry;
    bool has_axis;
  };
  std::optional<Stacked> of(const Ids& parts);
  std::optional<Stacked> computed(const Ids& parts);
  std::optional<Stacked> numbers(const Ids& parts);
  std::optional<Stacked> view(const Ids& parts);
  std::optional<Stacked> on_inputs(const Ids& parts);
  std::optional<std::vector<Stacked>> inputs(const Ids& parts);
  std::int32_t with_axis(const Stacked& one, std::int64_t count);

  ir::GraphBuilder& b_;
  const ir::Graph& graph_;
  const std::vector<std::int32_t>& moved_;
  std::int64_t room_;      ///< vectors of uniforms for numbers
  std::int64_t open_ = 0;  ///< entries of a part that may still be looked at
  std::map<Ids, Stacked> known_;
};

}  // namespace trigon::detail::reroll
