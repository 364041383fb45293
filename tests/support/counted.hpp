// SPDX-License-Identifier: MIT
#pragma once

#include <trigon/debug.hpp>

namespace trigon::support {

/// The difference that f() makes in the default device's counters.
template <class F>
Counters counted(const F& f) {
  const Counters before = counters();
  f();
  return counters() - before;
}

}  // namespace trigon::support
