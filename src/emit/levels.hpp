// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/kernel.hpp"

namespace trigon::detail::emit {

/// How many loops within its block an instruction, or a loop, must wait for, one after the other.
struct Levels {
  std::vector<std::int32_t> code;
  std::vector<std::int32_t> blocks;
};

Levels levels_of(const kernel::Kernel& kernel);

}  // namespace trigon::detail::emit
