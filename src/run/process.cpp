// SPDX-License-Identifier: MIT
#include "run/process.hpp"

#include <pthread.h>

#include <atomic>
#include <cstdlib>

#include "core/called.hpp"

namespace trigon::detail::run {
namespace {

enum class State { usable, forked, ending };
std::atomic<State> state = State::usable;

}  // namespace

bool is_driver_usable() { return state == State::usable; }

void check_driver_usable() {
  switch (state) {
    case State::usable: return;
    case State::forked:
      core::fail_on_device("Device",
                           "used after a fork: a child cannot use the driver of its parent; fork "
                           "before the first device is opened, or call exec in the child");
    case State::ending:
      core::fail_on_device("Device",
                           "used while the process ends: the driver may be unloaded; read tensors "
                           "before main returns");
  }
}

void watch_process() {
  // Handlers run in reverse order, so this one runs before the driver's own.
  static const bool is_watched = [] {
    pthread_atfork(nullptr, nullptr, [] { state = State::forked; });
    std::atexit([] { state = State::ending; });
    return true;
  }();
  static_cast<void>(is_watched);
}

}  // namespace trigon::detail::run
