// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <trigon/error.hpp>

namespace trigon::support {

/// The text of the E that a call throws, or "no error".
template <class E = Error, class F>
std::string error_of(F call) {
  try {
    static_cast<void>(call());  // it should throw
  } catch (const E& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace trigon::support
