// SPDX-License-Identifier: MIT
#pragma once

#include "trigon/error.hpp"

namespace trigon::detail {

/// What refuse_memory() throws. Functions of files add the file.
class NoMemory : public Error {
 public:
  using Error::Error;
};

}  // namespace trigon::detail
