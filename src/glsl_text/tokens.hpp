// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/rooms.hpp"

// A text in GLSL as its words, numbers and signs, and where brackets and statements end.

namespace trigon::detail::glsl_text {

struct Token {
  enum class Kind : std::uint8_t { word, number, sign };

  Kind kind = Kind::sign;
  std::string_view text;
  std::size_t at = 0;         ///< where it begins
  int depth = 0;              ///< of the brackets around it; they are around what they hold only
  bool in_directive = false;  ///< of the preprocessor
};

/// The tokens of a text, without comments. What is looked for and not found is at size().
class Tokens {
 public:
  explicit Tokens(std::string_view text);

  std::size_t size() const { return tokens_.size(); }
  const Token& operator[](std::size_t k) const { return tokens_[k]; }
  /// The text of token k, "" at size().
  std::string_view text(std::size_t k) const { return k < size() ? tokens_[k].text : ""; }
  /// The token behind k: within a directive of that directive, elsewhere of no directive.
  std::size_t next(std::size_t k) const;
  /// The bracket that closes the one at k.
  std::size_t closing(std::size_t k) const;
  /// The first of these signs behind k in its brackets; where they end before, their end.
  std::size_t find(std::size_t k, std::string_view signs) const;
  /// The last token of the statement that begins at k.
  std::size_t statement_end(std::size_t k) const;

 private:
  std::vector<Token> tokens_;
};

}  // namespace trigon::detail::glsl_text
