// SPDX-License-Identifier: MIT
#pragma once

#include "core/target.hpp"
#include "graph/collect.hpp"
#include "ir/graph.hpp"

namespace trigon::plan {

/// The user's graph in canonical form, for a device that has a scatter or has none.
Graph rewrite(const Collected& collected, const Target& target);

}  // namespace trigon::plan
