// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "plan/canonical.hpp"

namespace trigon::plan {

/// Which nodes get a texture, and which reduction or contraction each of their kernels is built
/// around.
struct Schedule {
  std::vector<bool> boundary;
  std::vector<std::int32_t> core;  ///< of a boundary: the reduce or contract in its kernel, or -1
  std::vector<std::int32_t> end;  ///< of a reduce or contract: the boundary that computes it, or -1
  /// Needed after this evaluation: referred to from outside, or read by a lazy node that is.
  std::vector<bool> live;
  /// What the kernel of a boundary loads.
  std::vector<std::vector<std::int32_t>> loads;
};

inline constexpr std::size_t max_fused_ops = 64;

Schedule schedule(const Graph& graph, const Target& target);

/// Cuts the kernel of `root` into smaller ones: returns the new boundaries below it, inputs first.
/// `limit` is the number of ops that a kernel may hold.
std::vector<std::int32_t> cut(const Graph& graph, Schedule& schedule, std::int32_t root,
                              std::size_t limit);

bool is_view(graph::Kind kind);
/// Whether two shapes are equal but for axes of size 1.
bool same_but_ones(const Shape& a, const Shape& b);

}  // namespace trigon::plan
