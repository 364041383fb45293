// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/rooms.hpp"

// The words of a text in GLSL: what a kernel's body names, and what it declares itself.

namespace trigon::detail::glsl_text {

/// Where the declaration of a name stands.
enum class Binding : std::uint8_t {
  free,    ///< not in the text, or behind the word
  global,  ///< in the text, outside of all braces
  local,   ///< in a function, a block, a loop or the parameters of a macro
};

/// A name in a text. Comments, numbers, fields of structs and the qualifiers in, out and inout are
/// none.
struct Word {
  std::string_view text;
  std::size_t at = 0;  ///< where it begins
  char after = 0;      ///< the sign after it; 0 at the end
  Binding binding = Binding::free;
  bool declares = false;  ///< it is where a variable, function, struct or macro is declared
  bool is_macro = false;  ///< that of a #define
};

std::vector<Word> words_of(std::string_view text);

/// The text with words replaced by what the map gives for them.
std::string renamed(std::string_view text, const std::map<std::string, std::string>& names);

/// The text with x[...] written as x(...) where x is one of the names and not declared in the text.
std::string with_calls(std::string_view text, const std::set<std::string>& names);

/// Whether a loop stands in the text.
bool has_loop(std::string_view text);

/// The names that a preamble defines: functions, constants, structs and macros.
std::vector<std::string> names_defined_in(std::string_view preamble);

/// The macros that a text defines.
std::vector<std::string> macros_defined_in(std::string_view text);

/// The text with `counter` before each loop and before the statement that it repeats: drivers count
/// the last test of a loop, too. A counter is a statement but for the one that follows it, and must
/// take no `else` that comes later.
std::string with_each_trip(std::string_view text, std::string_view counter);

/// The text without backslashes at the ends of its lines, each joined with the next one as GLSL ES
/// 3.00 does first of all, and 1.00 does not. Empty lines behind keep the numbers of the others.
std::string with_joined_lines(std::string_view text);

/// Whether the text is a name of letters, digits and underscores.
bool is_name(std::string_view text);

/// The number of the line in which a place of the text lies, from 1.
int line_of(std::string_view text, std::size_t at);

}  // namespace trigon::detail::glsl_text
