// SPDX-License-Identifier: MIT
#pragma once

#include "core/rooms.hpp"

namespace trigon::detail::run {

/// Whether the driver can be called. Not in the child of a fork, where its threads and locks are
/// lost, and not while the process ends, when it may already be unloaded.
bool is_driver_usable();

/// Raises DeviceError with the reason if the driver cannot be called.
void check_driver_usable();

/// To be called once a driver is loaded: from then on the two functions notice forks and the
/// process's end.
void watch_process();

}  // namespace trigon::detail::run
