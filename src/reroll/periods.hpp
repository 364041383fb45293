// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/rooms.hpp"

namespace trigon::detail::reroll {

/// Items from `begin` to before `end`: each equals the one `size` before it, and so do the items
/// just before `begin`.
struct Period {
  std::int32_t begin, end, size;
};

/// The places where a sequence repeats with a period of at most `longest`: all with eight or more
/// repetitions, some with fewer. Takes time linear in the length of the sequence. `visits` is
/// increased by the number of visited items.
std::vector<Period> periods_of(std::span<const std::uint64_t> items, std::int32_t longest,
                               std::int64_t& visits);

}  // namespace trigon::detail::reroll
