// SPDX-License-Identifier: MIT
#pragma once

#include <cfenv>

#include "core/rooms.hpp"

namespace trigon::detail::io {

/// Makes casts round to nearest while it lives, whatever the caller's rounding mode is.
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
