// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

namespace trigon {

/// Thrown at the user's call when something is wrong with the arguments: shapes, dtypes, axes,
/// files. The text reads `trigon::function: what is wrong: values; rule`, with at most one more
/// line that starts with `hint:`.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown when a device cannot do what is asked: it has no display or no float render target, its
/// memory or its limits are exceeded, or its profile lacks the op. Most are thrown by evaluations.
class DeviceError : public Error {
 public:
  using Error::Error;
};

}  // namespace trigon
