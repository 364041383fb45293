// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

#include <trigon/config.hpp>

namespace trigon {

/// Thrown at the user's call when an argument is wrong: a shape, a dtype, an axis, a file.
///
/// The text reads `trigon::function: problem: values; rule`. At most one more line follows: a
/// `hint:`, or the line of a kernel that does not compile. The function is the one that the user
/// called, even if a function that it calls found the error. An alias (aliases.hpp) is named by
/// the function that it stands for. Names and texts of users and of files are shortened and
/// escaped: `\x1b` for a control character or a byte that is not UTF-8, `\u{202e}` for other
/// invisible characters.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& text) : std::runtime_error(text) {}
};

/// Thrown when a device cannot do the work. It has no display or no float render target, its memory
/// or limits are exceeded, or its profile lacks the op. Most are thrown by evaluations.
class DeviceError : public Error {
 public:
  explicit DeviceError(const std::string& text) : Error(text) {}
};

}  // namespace trigon
