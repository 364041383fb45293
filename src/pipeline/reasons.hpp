// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "plan/step.hpp"
#include "schedule/group.hpp"

namespace trigon::detail::pipeline {

/// The words of explain() for a schedule's choices. `kind`: of the entry that is stored.
std::string text_of(schedule::Reason reason, ir::Kind kind);
const char* text_of(schedule::Join join);
const char* text_of(schedule::SplitReason split_reason);
/// "t3 is set and t4 is not": the condition under which a draw is taken.
std::string text_of(const std::vector<plan::Guard>& guards);

}  // namespace trigon::detail::pipeline
