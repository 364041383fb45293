// SPDX-License-Identifier: MIT
#pragma once

#include "core/target.hpp"
#include "graph/collect.hpp"
#include "ir/graph.hpp"

namespace trigon::detail::rewrite {

/// The user's graph in canonical form, for a device with or without a scatter.
ir::Graph rewrite(const graph::Collected& collected, const core::Target& target);

}  // namespace trigon::detail::rewrite
