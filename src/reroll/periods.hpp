// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/rooms.hpp"

namespace trigon::detail::reroll {

/// Items from `begin` to before `end`: each equals the one `size` before it, and so do those that
/// lead up to it.
struct Period {
  std::int32_t begin, end, size;
};

/// Where a sequence repeats itself with a period of at most `longest`: all places with eight or
/// more repetitions, some with fewer. Takes time linear in the length of the sequence.
/// `visits`: is increased by the items that were looked at.
std::vector<Period> periods_of(std::span<const std::uint64_t> items, std::int32_t longest,
                               std::int64_t& visits);

}  // namespace trigon::detail::reroll
