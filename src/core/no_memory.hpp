// SPDX-License-Identifier: MIT
#pragma once

#include "core/rooms.hpp"
#include "trigon/error.hpp"

namespace trigon::detail::core {

/// What refuse_memory() throws. Functions of files add the file.
class NoMemory : public Error {
 public:
  using Error::Error;
};

}  // namespace trigon::detail::core
