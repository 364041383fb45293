// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "plan/step.hpp"
#include "schedule/schedule.hpp"

namespace trigon {

/// What explain() says of a schedule's choices.
const char* text_of(plan::Reason reason);
const char* text_of(plan::Join join);
const char* text_of(plan::Apart apart);
/// "t3 is set and t4 is not": where a draw is not skipped.
std::string text_of(const std::vector<plan::Guard>& guards);

}  // namespace trigon
