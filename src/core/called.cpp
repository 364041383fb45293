// SPDX-License-Identifier: MIT
#include "core/called.hpp"

#include <utility>

#include "trigon/error.hpp"

namespace trigon::detail::core {
namespace {

thread_local const char* called = nullptr;

}  // namespace

Called::Called(const char* function) noexcept : is_outermost_(called == nullptr) {
  if (is_outermost_) called = function;
}

Called::~Called() {
  if (is_outermost_) called = nullptr;
}

const char* called_function() noexcept { return called; }

UserCode::UserCode() noexcept : outer_(std::exchange(called, nullptr)) {}
UserCode::~UserCode() { called = outer_; }

std::string named(const std::string& text) {
  return called == nullptr ? fmt::format("trigon: {}", text)
                           : fmt::format("trigon::{}: {}", called, text);
}

void fail_with(fmt::string_view format, fmt::format_args args) {
  throw Error(named(fmt::vformat(format, args)));
}

void fail_on_device_with(std::string_view subject, fmt::string_view format, fmt::format_args args) {
  throw DeviceError(fmt::format("trigon::{}: {}", subject, fmt::vformat(format, args)));
}

}  // namespace trigon::detail::core
