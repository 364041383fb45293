// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <trigon/op.hpp>

#include "emit/dialect.hpp"
#include "kernel/kernel.hpp"

// The texts that users wrote for their kernels, within those that the library writes.

namespace trigon::detail::emit {

/// A kernel of a shader with the raw inputs that it reads: calls of equal ones share their
/// functions.
struct Body {
  const Op* op = nullptr;
  std::vector<std::int32_t> accesses{};  ///< the instruction of each raw input; -1: not raw
  bool masked = false;                   ///< it is told which elements there are

  friend bool operator==(const Body& a, const Body& b) {
    return *a.op == *b.op && a.accesses == b.accesses && a.masked == b.masked;
  }
};

/// The one that an instruction calls.
Body body_of(const kernel::Instr& call);
/// All of a shader, in the order of their first calls. A check writes their numbers, from 1.
std::vector<Body> bodies_in(const kernel::Kernel& kernel);

/// Those of users' reductions, in the order of their first calls, and the number of the first.
std::vector<const Op*> reductions_in(const kernel::Kernel& kernel);
inline constexpr std::size_t first_reduction = 101;

/// The name that no other kernel of the shader uses, and the user's own name again.
std::string own_name(std::string_view name, std::size_t number);
std::string without_own_names(std::string_view text);

/// Text of a user, between marks by which its lines are found again.
std::string marked(std::string_view kernel, std::string_view part, std::string_view text);
/// A preamble with its names made the kernel's own, which are added to `names`.
std::string preamble_text(std::string_view kernel, std::string_view preamble, std::size_t number,
                          bool check, std::map<std::string, std::string>& names);

/// The functions of a kernel; the last one, own_name(kernel, number), computes four lanes of
/// its outputs from four of its arguments.
std::string functions_of(const Body& body, std::size_t number, const kernel::Kernel& kernel,
                         const Dialect& dialect);

/// A line of a user's text that a compiler means.
struct UserLine {
  std::string kernel;
  std::string part;
  int number = 0;  ///< from 1; 0: the compiler names none of the user's lines
  std::string text;
};
/// That of a line of a shader; one without a kernel where the shader holds no user's text.
UserLine user_line(std::string_view source, int line);
/// The text of a line as the user wrote it, before inputs and types were named.
std::string written_line(const kernel::Kernel& kernel, const UserLine& line);

}  // namespace trigon::detail::emit
