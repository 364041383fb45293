// SPDX-License-Identifier: MIT
#pragma once

#include <cfenv>

#include "core/rooms.hpp"

namespace trigon::detail::io {

/// Casts round to nearest for as long as it lives, whatever the caller's mode is.
class RoundToNearest {
 public:
  RoundToNearest() : before_(std::fegetround()) { std::fesetround(FE_TONEAREST); }
  ~RoundToNearest() { std::fesetround(before_); }
  RoundToNearest(const RoundToNearest&) = delete;
  RoundToNearest& operator=(const RoundToNearest&) = delete;

 private:
  int before_;
};

}  // namespace trigon::detail::io
