// SPDX-License-Identifier: MIT
#pragma once

#include "core/rooms.hpp"

namespace trigon::detail::run {

/// Whether the driver can be called: neither in the child of a fork, where its threads and locks
/// are lost, nor while the process ends, when it may be unloaded already.
bool is_driver_usable();

/// Raises DeviceError, naming the reason, where the driver cannot be called.
void check_driver_usable();

/// To be called once a driver is loaded: from then on the two functions know of forks and of the
/// end.
void watch_process();

}  // namespace trigon::detail::run
