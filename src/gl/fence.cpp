// SPDX-License-Identifier: MIT
#include "gl/fence.hpp"

#include <chrono>
#include <thread>

namespace trigon::detail::gl {

bool is_passed(const Sync& fence) {
  return glClientWaitSync(fence.id(), GL_SYNC_FLUSH_COMMANDS_BIT, 0) != GL_TIMEOUT_EXPIRED;
}

void wait(const Sync& fence) {
  // The time of a few small draws; a waiting caller is hundreds of draws ahead.
  constexpr std::chrono::microseconds nap(50);
  constexpr std::chrono::seconds longest(10);
  const auto end = std::chrono::steady_clock::now() + longest;
  while (!is_passed(fence) && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(nap);
  }
}

}  // namespace trigon::detail::gl
