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

// The words of a GLSL text: the names that a kernel's body uses, and those that it declares.

namespace trigon::detail::glsl_text {

/// Where a name is declared.
enum class Binding : std::uint8_t {
  free,    ///< not in the text, or after the word
  global,  ///< in the text, outside all braces
  local,   ///< in a function, a block, a loop or the parameters of a macro
};

/// A name in a text. Comments, numbers, fields of structs and the qualifiers in, out and inout do
/// not count.
struct Word {
  std::string_view text;
  std::size_t at = 0;  ///< position of its first character
  char after = 0;      ///< the sign after it; 0 at the end
  Binding binding = Binding::free;
  bool declares = false;  ///< it declares a variable, function, struct or macro
  bool is_macro = false;  ///< the name of a #define
};

std::vector<Word> words_of(std::string_view text);

/// The text with words replaced as the map says.
std::string renamed(std::string_view text, const std::map<std::string, std::string>& names);

/// The text with x[...] written as x(...) if x is one of the names and not declared in the text.
std::string with_calls(std::string_view text, const std::set<std::string>& names);

/// Whether the text contains a loop.
bool has_loop(std::string_view text);

/// The names that a preamble defines: functions, constants, structs and macros.
std::vector<std::string> names_defined_in(std::string_view preamble);

/// The macros that a text defines.
std::vector<std::string> macros_defined_in(std::string_view text);

/// The text with `counter` before each loop and before the statement that it repeats, since drivers
/// also count the last test of a loop. `counter` must make a statement with the one that follows
/// it, and must not capture a later `else`.
std::string with_each_iteration(std::string_view text, std::string_view counter);

/// The text with lines that end in a backslash joined with the next one, as GLSL ES 3.00 does
/// before anything else; 1.00 does not. Empty lines after them keep the line numbers.
std::string with_joined_lines(std::string_view text);

/// Whether the text is a name of letters, digits and underscores.
bool is_name(std::string_view text);

/// The number of the line that holds a position of the text, from 1.
int line_of(std::string_view text, std::size_t at);

}  // namespace trigon::detail::glsl_text
