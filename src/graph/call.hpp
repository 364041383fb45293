// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "core/called.hpp"
#include "trigon/tensor.hpp"

// What a public function starts with.

namespace trigon::detail::graph {

/// A tensor that a user passes, and the name of its parameter.
struct Operand {
  const char* name;
  const Tensor& x;
  bool may_be_empty = false;
};

/// A core::Called of a public function, and the checks that all its operands pass. No Call stands
/// around evaluations and functions of users but those that UserCode shields.
class Call {
 public:
  /// Of functions of `namespace trigon`: "nn::softmax". The name must outlive the Call.
  explicit Call(const char* function) noexcept;
  /// Raises Error for an operand that is an empty handle and for operands on different devices.
  Call(const char* function, std::initializer_list<Operand> operands);
  /// Of a list: its operands are called "part 0", "part 1", ... for `what` = "part".
  Call(const char* function, const char* what, std::span<const Tensor> operands);

 private:
  const core::Called called_;
};

using core::UserCode;

/// The number of elements, by a Call of `function`. Raises Error from 2^63 on.
std::int64_t count_of(const char* function, const Shape& shape);

/// Raises Error for an operand that is an empty handle: what a Call checks first.
void check_operand(std::string_view name, const Tensor& x);

/// Raises Error for an operand that is not where those before it are, which are called `others`.
[[noreturn]] void refuse_device(const std::string& operand, const std::string& others);

}  // namespace trigon::detail::graph
