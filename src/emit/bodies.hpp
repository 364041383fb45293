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

// Users' kernel texts, embedded in texts that the library writes.

namespace trigon::detail::emit {

/// A kernel of a shader with the raw inputs that it reads. Calls of equal bodies share their
/// functions.
struct Body {
  const Op* op = nullptr;
  std::vector<std::int32_t> accesses{};  ///< the instruction of each raw input; -1: not raw
  bool masked = false;                   ///< it is told which elements exist

  friend bool operator==(const Body& a, const Body& b) {
    return *a.op == *b.op && a.accesses == b.accesses && a.masked == b.masked;
  }
};

/// The body that is called.
Body body_of(const kernel::Call& call);
/// All bodies of a shader, in the order of their first calls. A check writes their numbers, from 1.
std::vector<Body> bodies_in(const kernel::Kernel& kernel);

/// Users' reductions of a shader, in the order of their first calls, and the first one's number.
std::vector<const Op*> reductions_in(const kernel::Kernel& kernel);
inline constexpr std::size_t first_reduction = 101;

/// A name that no other kernel of the shader uses; the other function restores the user's names.
std::string own_name(std::string_view name, std::size_t number);
std::string without_own_names(std::string_view text);

/// A user's text between marks by which its lines are found again.
std::string marked(std::string_view kernel, std::string_view section, std::string_view text);
/// A preamble whose names are made unique to the kernel; adds them to `names`.
std::string preamble_text(std::string_view kernel, std::string_view preamble, std::size_t number,
                          bool check, std::map<std::string, std::string>& names);

/// The functions of a kernel. The last one, own_name(kernel, number), computes four lanes of its
/// outputs from four lanes of its arguments.
std::string functions_of(const Body& body, std::size_t number, const kernel::Kernel& kernel,
                         const Dialect& dialect);

/// The line of a user's text to which a compiler's message refers.
struct UserLine {
  std::string kernel;
  std::string section;
  int number = 0;  ///< from 1; 0 if the compiler names none of the user's lines
  std::string text;
};
/// The user's line at a line of a shader; without a kernel if the shader holds no user's text.
UserLine user_line(std::string_view source, int line);
/// A line as the user wrote it, before inputs and types were renamed.
std::string written_line(const kernel::Kernel& kernel, const UserLine& line);

}  // namespace trigon::detail::emit
