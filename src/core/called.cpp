// SPDX-License-Identifier: MIT
#include "core/called.hpp"

#include <string>

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

void fail_with(fmt::string_view format, fmt::format_args args) {
  const std::string text = fmt::vformat(format, args);
  throw Error(called == nullptr ? text : fmt::format("trigon::{}: {}", called, text));
}

}  // namespace trigon::detail::core
