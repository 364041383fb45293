// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <string_view>

#include "glsl_text/words.hpp"
#include "ir/graph.hpp"

namespace trigon::detail::ir {
namespace {

// Upper limit for one kernel, since even a longer one has to fit a draw.
constexpr std::int64_t most_of_a_kernel = 400;

/// Operators and calls in an expression: built-in functions count as two, our own, whose names end
/// in `_`, as ten.
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

/// A loop in a body counts as this many iterations.
constexpr std::int64_t iterations_of_a_loop = 16;

std::int64_t count(const KernelSpec& spec) {
  if (!spec.is_of_user()) return spec.instructions;
  std::int64_t sum = count(spec.body.c_str()) + count(spec.preamble.c_str());
  for (const glsl_text::Word& word : glsl_text::words_of(spec.body)) {
    if (word.text == "for" || word.text == "while") sum *= iterations_of_a_loop;
  }
  return std::min<std::int64_t>(sum, most_of_a_kernel);
}

}  // namespace

std::int64_t instructions_of(const Op& op) {
  switch (op.family) {
    case Family::unary: return count(op.unary().glsl);
    case Family::binary: return count(op.binary().glsl);
    case Family::ternary: return count(op.ternary().glsl);
    case Family::kernel: return count(op.kernel());
    default: return count(op.reduce().combine) + count(op.reduce().lift);
  }
}

}  // namespace trigon::detail::ir
