// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "support/plans.hpp"
#include "support/random_graph.hpp"

namespace trigon {

/// A random graph whose leaves have no texels, so that it can be planned for any Target.
inline support::RandomGraph random_host_graph(std::uint32_t seed, int steps, Profile profile) {
  support::RandomHooks hooks;
  hooks.leaf = [](const std::vector<double>&, DType dtype, const Shape& shape) {
    return host_leaf(shape, dtype);
  };
  return support::RandomGraph(seed, steps, profile, hooks);
}

}  // namespace trigon
