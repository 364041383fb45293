// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/rooms.hpp"

// A GLSL text as words, numbers and signs, with the ends of its brackets and statements.

namespace trigon::detail::glsl_text {

struct Token {
  enum class Kind : std::uint8_t { word, number, sign };

  Kind kind = Kind::sign;
  std::string_view text;
  std::size_t at = 0;         ///< position of its first character
  int depth = 0;              ///< number of brackets around it; a bracket is not within itself
  bool in_directive = false;  ///< part of a preprocessor directive
};

/// Whether a character is a letter, a digit or `_`.
bool continues_word(char c);

/// The tokens of a text, without comments. Searches return size() if nothing is found.
class Tokens {
 public:
  explicit Tokens(std::string_view text);

  std::size_t size() const { return tokens_.size(); }
  const Token& operator[](std::size_t k) const { return tokens_[k]; }
  /// The text of token k, "" at size().
  std::string_view text(std::size_t k) const { return k < size() ? tokens_[k].text : ""; }
  /// The token after k: in the same directive if k is in one, otherwise outside all directives.
  std::size_t next(std::size_t k) const;
  /// The bracket that closes the one at k.
  std::size_t closing(std::size_t k) const;
  /// The first of these signs from k on within k's brackets; their end if they end before.
  std::size_t find(std::size_t k, std::string_view signs) const;
  /// The last token of the statement that begins at k.
  std::size_t statement_end(std::size_t k) const;

 private:
  std::vector<Token> tokens_;
};

}  // namespace trigon::detail::glsl_text
