// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

namespace trigon {

/// Thrown at the user's call for anything wrong with the arguments: shapes, dtypes, axes, files.
/// The text reads `trigon::function: what is wrong: values; rule`, one line and at most one hint
/// line.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown when the device cannot do what is asked: no display, no float target, a size past its
/// limits.
class DeviceError : public Error {
 public:
  using Error::Error;
};

}  // namespace trigon
