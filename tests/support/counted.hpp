// SPDX-License-Identifier: MIT
#pragma once

#include <trigon/debug.hpp>

namespace trigon::support {

/// What f() adds to the counters of the default device.
template <class F>
Counters counted(const F& f) {
  const Counters before = counters();
  f();
  return counters() - before;
}

}  // namespace trigon::support
