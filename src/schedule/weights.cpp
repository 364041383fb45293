// SPDX-License-Identifier: MIT
#include <cctype>
#include <string_view>

#include "schedule/schedule.hpp"

namespace trigon::plan {
namespace {

/// Operators of an expression, and calls: built-in functions count as two, those of our own,
/// whose names end in `_`, as ten.
std::int64_t count(const char* expression) {
  if (expression == nullptr) return 0;
  constexpr std::int64_t built_in = 2;
  constexpr std::int64_t of_our_own = 10;
  const std::string_view text = expression;
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char before = k > 0 ? text[k - 1] : ' ';
    if (text[k] == '(' && before == '_') sum += of_our_own;
    if (text[k] == '(' && std::isalnum(static_cast<unsigned char>(before)) != 0) sum += built_in;
    const bool operation = std::string_view("+-*/?<>&|^%").find(text[k]) != std::string_view::npos;
    if (operation) ++sum;
  }
  return sum > 0 ? sum : 1;
}

}  // namespace

std::int64_t instructions_of(const Op& op) {
  switch (op.family) {
    case Family::unary: return count(op.unary().glsl);
    case Family::binary: return count(op.binary().glsl);
    case Family::ternary: return count(op.ternary().glsl);
    default: return count(op.reduce().combine) + count(op.reduce().lift);
  }
}

}  // namespace trigon::plan
