// SPDX-License-Identifier: MIT
#include "glsl_text/tokens.hpp"

#include <cctype>

namespace trigon::detail::glsl_text {
namespace {

bool begins_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// The end of the comment that begins at k; k if none does.
std::size_t past_comment(std::string_view text, std::size_t k) {
  const std::string_view two = text.substr(k, 2);
  if (two != "//" && two != "/*") return k;
  const std::size_t end = text.find(two == "//" ? "\n" : "*/", k + 2);
  if (end == std::string_view::npos) return text.size();
  return two == "//" ? end : end + 2;
}

std::size_t past_token(std::string_view text, std::size_t k) {
  const bool is_fraction = text[k] == '.' && k + 1 < text.size() && is_digit(text[k + 1]);
  const bool is_number = is_digit(text[k]) || is_fraction;
  if (!is_number && !begins_word(text[k])) return k + 1;
  while (k < text.size() && (continues_word(text[k]) || (is_number && text[k] == '.'))) ++k;
  return k;
}

bool opens(std::string_view sign) { return sign == "(" || sign == "[" || sign == "{"; }
bool closes(std::string_view sign) { return sign == ")" || sign == "]" || sign == "}"; }

/// Whether parentheses and then a statement follow the word.
bool heads(std::string_view word) {
  return word == "if" || word == "for" || word == "while" || word == "switch";
}

}  // namespace

bool continues_word(char c) { return begins_word(c) || is_digit(c); }

Tokens::Tokens(std::string_view text) {
  int depth = 0, depth_outside = 0;
  bool in_directive = false, continued = false;
  for (std::size_t k = 0; k < text.size();) {
    if (const std::size_t end = past_comment(text, k); end > k) {
      k = end;
      continue;
    }
    if (text[k] == '\n' && in_directive && !continued) {
      in_directive = false;
      depth = depth_outside;
    }
    if (is_space(text[k]) || text[k] == '\\') {
      continued = text[k] == '\\' || (continued && text[k] != '\n');
      ++k;
      continue;
    }
    if (text[k] == '#' && !in_directive) {
      in_directive = true;
      depth_outside = depth;
      depth = 0;
    }
    const std::size_t end = past_token(text, k);
    const std::string_view one = text.substr(k, end - k);
    const Token::Kind kind = begins_word(one[0])                  ? Token::Kind::word
                             : one.size() > 1 || is_digit(one[0]) ? Token::Kind::number
                                                                  : Token::Kind::sign;
    if (closes(one)) --depth;
    tokens_.push_back(
        {.kind = kind, .text = one, .at = k, .depth = depth, .in_directive = in_directive});
    if (opens(one)) ++depth;
    k = end;
  }
}

std::size_t Tokens::next(std::size_t k) const {
  if (k >= size()) return size();
  const bool in_directive = tokens_[k].in_directive;
  for (++k; k < size(); ++k) {
    const bool begins = tokens_[k].in_directive && tokens_[k].text == "#";
    if (in_directive) return tokens_[k].in_directive && !begins ? k : size();
    if (!tokens_[k].in_directive) return k;
  }
  return size();
}

std::size_t Tokens::closing(std::size_t k) const {
  if (k >= size()) return size();
  const int depth = tokens_[k].depth;
  for (std::size_t j = next(k); j < size(); j = next(j)) {
    if (tokens_[j].depth <= depth && closes(tokens_[j].text)) return j;
  }
  return size();
}

std::size_t Tokens::find(std::size_t k, std::string_view signs) const {
  if (k >= size()) return size();
  const int depth = tokens_[k].depth;
  for (; k < size(); k = next(k)) {
    const Token& token = tokens_[k];
    if (token.depth < depth) return k;
    const bool found = token.kind == Token::Kind::sign && token.depth == depth;
    if (found && signs.find(token.text) != std::string_view::npos) return k;
  }
  return size();
}

std::size_t Tokens::statement_end(std::size_t k) const {
  std::vector<std::size_t> heads_around;
  for (;;) {
    while (heads(text(k)) || text(k) == "do") {
      heads_around.push_back(k);
      k = text(k) == "do" ? next(k) : next(closing(next(k)));
    }
    std::size_t end = text(k) == "{" ? closing(k) : find(k, ";");
    for (bool ended = true; ended;) {
      if (heads_around.empty()) return end;
      const std::string_view head = text(heads_around.back());
      heads_around.pop_back();
      if (head == "do") end = find(next(end), ";");
      ended = head != "if" || text(next(end)) != "else";
      if (!ended) k = next(next(end));
    }
  }
}

}  // namespace trigon::detail::glsl_text
