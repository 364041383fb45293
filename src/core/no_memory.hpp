// SPDX-License-Identifier: MIT
#pragma once

#include "core/rooms.hpp"
#include "trigon/error.hpp"

namespace trigon::detail::core {

/// Thrown by refuse_memory(). File functions add the file's name.
class NoMemory : public Error {
 public:
  using Error::Error;
};

}  // namespace trigon::detail::core
