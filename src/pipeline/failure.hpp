// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "core/rooms.hpp"
#include "pipeline/values.hpp"

// The rules of failure: the state of tensors after a failed evaluation. src/README.md has them as a
// table, and tests/fault/promises_gl_test.cpp tests each cell.

namespace trigon::detail::pipeline {

/// Raises Error if a leaf lost its value in an evaluation that failed.
void refuse_lost(const graph::Collected& graph);

/// Call in the handler of an exception that ended a run after `drawn` whole steps. Hands drawn
/// values to their nodes, removes overwritten values, and rethrows the exception. If memory ran out
/// and values are lost, throws NoMemory instead, so that no second attempt is made.
[[noreturn]] void settle_failure(run::DeviceState& device, const graph::Collected& graph,
                                 const plan::Plan& plan, Slots& slots,
                                 std::span<const double> scalars, std::size_t drawn);

}  // namespace trigon::detail::pipeline
