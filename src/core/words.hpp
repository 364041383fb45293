// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// The words of a text in GLSL: what a kernel's body names.

namespace trigon {

/// A name in a text; comments, numbers and fields after a dot are none.
struct Word {
  std::string_view text;
  std::size_t at = 0;         ///< where it begins
  std::string_view before{};  ///< the word or the sign before it
  char after = 0;             ///< the sign after it; 0 at the end
  int depth = 0;              ///< of the braces around it
};

std::vector<Word> words_of(std::string_view text);

/// The text with words replaced by what the map gives for them.
std::string renamed(std::string_view text, const std::map<std::string, std::string>& names);

/// The text with x[...] written as x(...) where x is one of the names.
std::string with_calls(std::string_view text, const std::set<std::string>& names);

/// Whether a loop stands in the text.
bool has_loop(std::string_view text);

/// The names that a preamble defines: functions, constants, structs and macros.
std::vector<std::string> names_defined_in(std::string_view preamble);

/// The text with `counter` before each loop and before the statement that it repeats: drivers count
/// the last test of a loop, too.
std::string with_each_trip(std::string_view text, std::string_view counter);

/// Whether the text is a name of letters, digits and underscores.
bool is_name(std::string_view text);

}  // namespace trigon
