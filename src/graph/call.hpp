// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "core/rooms.hpp"
#include "trigon/tensor.hpp"

// The name that an Error has. Public functions call each other, and the text of an Error is made
// where the fault is found; it must name the function that the user called. Passing that name down
// as a parameter would give every public function a second form. Instead a public function that
// calls others starts with a Call, and Error's constructor (call.cpp) puts its name in front.

namespace trigon::detail::graph {

/// A tensor that a user passes, and the name of its parameter.
struct Operand {
  const char* name;
  const Tensor& x;
  bool may_be_empty = false;
};

/// While it lives, Errors of this thread name its function; of several Calls the outermost counts.
/// DeviceErrors keep their text. No Call stands around an evaluation, whose Errors name kernels,
/// and none around functions of users but those that UserCode shields.
class Call {
 public:
  /// Of functions of `namespace trigon`: "nn::softmax". The name must outlive the Call.
  explicit Call(const char* function) noexcept;
  /// Raises Error for an operand that is an empty handle and for operands on different devices.
  Call(const char* function, std::initializer_list<Operand> operands);
  /// Of a list: its operands are called "part 0", "part 1", ... for `what` = "part".
  Call(const char* function, const char* what, std::span<const Tensor> operands);
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call();

 private:
  const bool is_outermost_;
};

/// The function that Errors name now, or `own`. Both outlive the process.
const char* called_function(const char* own) noexcept;

/// While it lives, the Calls around it do not count: what a user's function calls has its own name.
class UserCode {
 public:
  UserCode() noexcept;
  UserCode(const UserCode&) = delete;
  UserCode& operator=(const UserCode&) = delete;
  ~UserCode();

 private:
  const char* const outer_;
};

/// The number of elements, by a Call of `function`. Raises Error from 2^63 on.
std::int64_t count_of(const char* function, const Shape& shape);

/// Raises Error for more than 2^20 parts, which would fill the memory with their nodes.
void check_part_count(const char* function, const char* what, std::int64_t count);

/// Raises Error for an operand that is an empty handle: what a Call checks first.
void check_operand(std::string_view function, std::string_view name, const Tensor& x);

/// The shape to which operands broadcast. Raises Error, naming all of them.
Shape common_shape(std::string_view function, std::initializer_list<Operand> operands);

/// Raises Error unless all are float32 or float16.
void check_floats(std::string_view function, std::initializer_list<Operand> operands);

/// Raises Error for an operand that is not where those before it are, which are called `others`.
[[noreturn]] void refuse_device(std::string_view function, const std::string& operand,
                                const std::string& others);

}  // namespace trigon::detail::graph
