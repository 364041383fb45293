// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/rooms.hpp"
#include "trigon/detail/called.hpp"

// The function that an Error names must be the one that the user called. But public functions call
// each other, and many share the check that finds a fault. So each public function registers its
// name while it runs, and fail() begins the text with the outermost one.

namespace trigon::detail::core {

/// The function that fail() names now, or null. It outlives the process, but for a user's kernel.
const char* called_function() noexcept;

/// While it lives, the Calleds around it do not count: errors of a user's function, and of
/// evaluations, name the functions that are called there.
class UserCode {
 public:
  UserCode() noexcept;
  UserCode(const UserCode&) = delete;
  UserCode& operator=(const UserCode&) = delete;
  ~UserCode();

 private:
  const char* const outer_;
};

/// `trigon::<called function>: <text>`, or `trigon: <text>` if no Called lives.
std::string named(const std::string& text);

[[noreturn]] void fail_with(fmt::string_view format, fmt::format_args args);
[[noreturn]] void fail_on_device_with(std::string_view subject, fmt::string_view format,
                                      fmt::format_args args);

/// Throws Error with the text as named() has it: `fail("{} is negative: {}; must be 0 or more",
/// what, value)`.
template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  fail_with(format, fmt::make_format_args(args...));
}

/// As fail(), naming `function` unless another one is called already. For checks that must cost
/// nothing if they hold, and for checks beside calls of users' functions, where no Called may live.
template <class... Args>
[[noreturn]] void fail_in(const char* function, fmt::format_string<Args...> format,
                          Args&&... args) {
  const Called called(function);
  fail_with(format, fmt::make_format_args(args...));
}

/// Throws DeviceError, `trigon::<subject>: <text>`, whatever is called: evaluations and devices
/// belong to no call. `subject` is "eval", "Device", "gl" or an op.
template <class... Args>
[[noreturn]] void fail_on_device(std::string_view subject, fmt::format_string<Args...> format,
                                 Args&&... args) {
  fail_on_device_with(subject, format, fmt::make_format_args(args...));
}

}  // namespace trigon::detail::core
