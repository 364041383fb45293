// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "core/called.hpp"
#include "trigon/tensor.hpp"

// The first statement of a public function.

namespace trigon::detail::graph {

/// A tensor that a user passes, and the name of its parameter.
struct Operand {
  const char* name;
  const Tensor& x;
  bool may_be_empty = false;
};

/// A core::Called of a public function, and the checks of all its operands. No Named may live
/// during evaluations or calls of users' functions, unless a UserCode shields them.
class Named {
 public:
  /// `function` is relative to `namespace trigon`: "nn::softmax". It must outlive the Named.
  explicit Named(const char* function) noexcept;
  /// Raises Error for an operand that is an empty handle and for operands on different devices.
  Named(const char* function, std::initializer_list<Operand> operands);
  /// For a list of operands, named "part 0", "part 1", ... if `what` is "part".
  Named(const char* function, const char* what, std::span<const Tensor> operands);

 private:
  const core::Called called_;
};

using core::UserCode;

/// Raises Error for an operand that is an empty handle, as a Named does.
void check_operand(std::string_view name, const Tensor& x);

/// Raises Error for an operand on another device than those before it, which the text calls
/// `others`.
[[noreturn]] void refuse_device(const std::string& operand, const std::string& others);

}  // namespace trigon::detail::graph
