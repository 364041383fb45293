// SPDX-License-Identifier: MIT
#include "core/words.hpp"

#include <algorithm>
#include <cctype>

namespace trigon {
namespace {

bool begins_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool continues_word(char c) { return begins_word(c) || is_digit(c); }
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// The end of the comment that begins at k; k where none does.
std::size_t past_comment(std::string_view text, std::size_t k) {
  const std::string_view two = text.substr(k, 2);
  if (two != "//" && two != "/*") return k;
  const std::string_view end = two == "//" ? "\n" : "*/";
  const std::size_t at = text.find(end, k + 2);
  return at == std::string_view::npos ? text.size() : at + end.size();
}

/// The first sign past k that is neither space nor comment; the size of the text if there is none.
std::size_t next_sign(std::string_view text, std::size_t k) {
  while (k < text.size()) {
    const std::size_t end = past_comment(text, k);
    if (end == k && !is_space(text[k])) break;
    k = end == k ? k + 1 : end;
  }
  return k;
}

}  // namespace

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  std::string_view before;
  int depth = 0;
  for (std::size_t k = next_sign(text, 0); k < text.size(); k = next_sign(text, k)) {
    const std::size_t begin = k;
    if (begins_word(text[k])) {
      while (k < text.size() && continues_word(text[k])) ++k;
      const std::size_t next = next_sign(text, k);
      const std::string_view word = text.substr(begin, k - begin);
      if (before != ".") {
        words.push_back({word, begin, before, next < text.size() ? text[next] : '\0', depth});
      }
      before = word;
      continue;
    }
    const bool number =
        is_digit(text[k]) || (text[k] == '.' && k + 1 < text.size() && is_digit(text[k + 1]));
    if (number) {
      while (k < text.size() && (continues_word(text[k]) || text[k] == '.')) ++k;
    } else {
      if (text[k] == '{') ++depth;
      if (text[k] == '}') --depth;
      ++k;
    }
    before = text.substr(begin, k - begin);
  }
  return words;
}

std::string renamed(std::string_view text, const std::map<std::string, std::string>& names) {
  std::string result;
  std::size_t copied = 0;
  for (const Word& word : words_of(text)) {
    const auto found = names.find(std::string(word.text));
    if (found == names.end()) continue;
    result += text.substr(copied, word.at - copied);
    result += found->second;
    copied = word.at + word.text.size();
  }
  return result += text.substr(copied);
}

std::string with_calls(std::string_view text, const std::set<std::string>& names) {
  std::string result(text);
  for (const Word& word : words_of(text)) {
    if (word.after != '[' || !names.contains(std::string(word.text))) continue;
    const std::size_t open = next_sign(text, word.at + word.text.size());
    int depth = 0;
    for (std::size_t k = open; k < text.size(); k = next_sign(text, k + 1)) {
      if (text[k] == '[') ++depth;
      if (text[k] != ']' || --depth > 0) continue;
      result[open] = '(';
      result[k] = ')';
      break;
    }
  }
  return result;
}

bool has_loop(std::string_view text) {
  const std::vector<Word> words = words_of(text);
  return std::any_of(words.begin(), words.end(), [](const Word& word) {
    return word.text == "for" || word.text == "while" || word.text == "do";
  });
}

std::vector<std::string> names_defined_in(std::string_view preamble) {
  std::vector<std::string> names;
  for (const Word& word : words_of(preamble)) {
    const bool after_word = !word.before.empty() && begins_word(word.before.front());
    const bool returned = word.before == "return" || word.before == "else";
    const bool declares = word.after == '(' || word.after == '=' || word.after == '[' ||
                          word.after == ';' || word.after == '{';
    const bool is_macro = word.before == "define";
    if (is_macro || (word.depth == 0 && after_word && !returned && declares)) {
      names.emplace_back(word.text);
    }
  }
  return names;
}

std::string with_each_trip(std::string_view text, std::string_view counter) {
  std::vector<std::size_t> places;
  for (const Word& word : words_of(text)) {
    std::size_t k = word.at + word.text.size();
    if (word.text == "do") places.insert(places.end(), {word.at, next_sign(text, k)});
    if (word.text != "for" && word.text != "while") continue;
    int depth = 0;
    for (k = next_sign(text, k); k < text.size(); k = next_sign(text, k + 1)) {
      if (text[k] == '(') ++depth;
      if (text[k] == ')' && --depth == 0) break;
    }
    if (k >= text.size()) break;
    const std::size_t next = next_sign(text, k + 1);
    // The end of a do loop has no statement.
    const bool ends = word.text == "while" && next < text.size() && text[next] == ';';
    if (!ends) places.insert(places.end(), {word.at, next});
  }
  std::sort(places.begin(), places.end());
  std::string result;
  std::size_t copied = 0;
  for (const std::size_t place : places) {
    result += text.substr(copied, place - copied);
    result += counter;
    copied = place;
  }
  return result += text.substr(copied);
}

bool is_name(std::string_view text) {
  if (text.empty() || !begins_word(text.front())) return false;
  for (const char c : text) {
    if (!continues_word(c)) return false;
  }
  return true;
}

}  // namespace trigon
