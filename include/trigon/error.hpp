// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

#include <trigon/config.hpp>

namespace trigon {

/// Thrown at the user's call when something is wrong with the arguments: shapes, dtypes, axes,
/// files. The text reads `trigon::function: what is wrong: values; rule`, with at most one more
/// line: one that starts with `hint:`, or the line of a kernel that does not compile. The function
/// is the one that was called, also where the fault is found in one that it calls; an alias
/// (ops/aliases.hpp) is named as what it stands for. Names and texts of users and of files are
/// shortened and escaped: `\x1b` for a control character or a byte that is not UTF-8, `\u{202e}`
/// for other characters that are not to be seen.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& text) : std::runtime_error(text) {}
};

/// Thrown when a device cannot do what is asked: it has no display or no float render target, its
/// memory or its limits are exceeded, or its profile lacks the op. Most are thrown by evaluations.
class DeviceError : public Error {
 public:
  explicit DeviceError(const std::string& text) : Error(text) {}
};

}  // namespace trigon
