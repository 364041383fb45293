// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/rooms.hpp"

namespace trigon::detail::core {

/// The lowest 32 bits of a whole number.
inline std::uint32_t low_bits(double x) {
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(x));
}

}  // namespace trigon::detail::core
