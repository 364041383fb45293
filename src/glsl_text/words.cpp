// SPDX-License-Identifier: MIT
#include "glsl_text/words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "core/list.hpp"
#include "glsl_text/tokens.hpp"

namespace trigon::detail::glsl_text {
namespace {

/// Words that may stand before a name but are not its type.
constexpr std::array<std::string_view, 18> no_types{
    "return",  "else", "do",      "case", "const",  "in",       "out",       "inout",     "highp",
    "mediump", "lowp", "uniform", "flat", "smooth", "centroid", "invariant", "precision", "struct"};
constexpr std::array<std::string_view, 3> directions{"in", "out", "inout"};
constexpr std::array<std::string_view, 5> statements{"if", "for", "while", "do", "switch"};

/// Reads a text from its first token to its last and determines the meaning of each word.
class Reader {
 public:
  explicit Reader(std::string_view source) : tokens_(source) {}

  std::vector<Word> run() {
    scopes_.push_back({.end = tokens_.size()});
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      while (scopes_.back().end < k) scopes_.pop_back();
      const Token& token = tokens_[k];
      if (token.in_directive) {
        if (token.text == "#") directive(k);
        continue;
      }
      if (token.kind == Token::Kind::word) word(k);
      if (token.text == "{") scopes_.push_back({.end = tokens_.closing(k)});
      before_ = k;
    }
    return std::move(words_);
  }

 private:
  struct Scope {
    std::size_t end = 0;                              ///< its last token
    std::map<std::string_view, std::size_t> names{};  ///< with the token from which each is visible
  };

  bool is_word(std::size_t k) const {
    return k < tokens_.size() && tokens_[k].kind == Token::Kind::word;
  }

  /// Whether the word is a name that is declared here.
  bool declares(std::size_t k) const {
    static constexpr std::string_view behind{"=;,([){"};
    const std::size_t next = tokens_.next(k);
    const std::string_view sign = tokens_.text(next);
    if (behind.find(sign) == std::string_view::npos) return false;
    if (core::contains(statements, tokens_[k].text)) return false;
    if (sign == "=" && tokens_.text(next + 1) == "=") return false;
    const std::string_view before = tokens_.text(before_);
    if (before == "struct" || before == "]") return true;
    if (before == "}") return before_ == struct_end_;
    if (before == ",") return k < list_end_ && tokens_[k].depth == list_depth_;
    return is_word(before_) && !core::contains(no_types, before) && !heads_.contains(before);
  }

  void word(std::size_t k) {
    const std::string_view text = tokens_[k].text;
    const std::size_t next = tokens_.next(k);
    const bool is_qualifier = core::contains(directions, text) && is_word(next);
    if (is_qualifier || tokens_.text(before_) == ".") return;
    if (text == "for" || text == "while") scopes_.push_back({.end = tokens_.statement_end(k)});
    if (text == "struct") open_struct(k);
    if (!declares(k)) {
      add(k, binding(k));
      return;
    }
    if (tokens_.text(before_) != "struct" && k >= parameters_end_) {
      list_depth_ = tokens_[k].depth;
      list_end_ = tokens_.find(k, ";");
    }
    const bool is_field = struct_begin_ < k && k < struct_end_;
    if (is_field) return;
    // An initializer does not see the name.
    const bool has_initializer = tokens_.text(next) == "=";
    scopes_.back().names.emplace(text, has_initializer ? tokens_.find(k, ",;") : k);
    add(k, scopes_.size() == 1 ? Binding::global : Binding::local);
    words_.back().declares = true;
    if (tokens_.text(next) == "(") open_function(next);
  }

  void open_struct(std::size_t k) {
    std::size_t begin = tokens_.next(k);
    if (tokens_.text(begin) != "{") begin = tokens_.next(begin);
    if (tokens_.text(begin) != "{") return;
    struct_begin_ = begin;
    struct_end_ = tokens_.closing(begin);
  }

  /// Parameters are visible from their parenthesis to the end of the function's body.
  void open_function(std::size_t parenthesis) {
    parameters_end_ = tokens_.closing(parenthesis);
    list_end_ = 0;
    const std::size_t body = tokens_.next(parameters_end_);
    scopes_.push_back({.end = tokens_.text(body) == "{" ? tokens_.closing(body) : parameters_end_});
  }

  Binding binding(std::size_t k) const {
    for (std::size_t level = scopes_.size(); level-- > 0;) {
      const auto found = scopes_[level].names.find(tokens_[k].text);
      if (found == scopes_[level].names.end() || found->second > k) continue;
      return level == 0 ? Binding::global : Binding::local;
    }
    return Binding::free;
  }

  /// Adds the words of the directive that begins at k.
  void directive(std::size_t k) {
    std::set<std::string_view> parameters;
    const bool defines = tokens_.text(tokens_.next(k)) == "define";
    const std::size_t name = defines ? tokens_.next(tokens_.next(k)) : tokens_.size();
    if (is_word(name)) {
      scopes_.front().names.emplace(tokens_[name].text, name);
      // A macro's parameters begin right after its name.
      const std::size_t open = tokens_.next(name);
      const bool has_parameters = tokens_.text(open) == "(" &&
                                  tokens_[open].at == tokens_[name].at + tokens_[name].text.size();
      const std::size_t close = has_parameters ? tokens_.closing(open) : open;
      for (std::size_t j = open; j < close; j = tokens_.next(j)) {
        if (is_word(j)) parameters.insert(tokens_[j].text);
      }
      const std::string_view first = tokens_.text(has_parameters ? tokens_.next(close) : open);
      if (core::contains(statements, first)) heads_.insert(tokens_[name].text);
    }
    for (std::size_t j = tokens_.next(k); j < tokens_.size(); j = tokens_.next(j)) {
      if (!is_word(j)) continue;
      const bool is_parameter = j != name && parameters.contains(tokens_[j].text);
      add(j, is_parameter ? Binding::local : j == name ? Binding::global : binding(j));
      words_.back().declares = words_.back().is_macro = j == name;
    }
  }

  void add(std::size_t k, Binding binding) {
    const std::string_view sign = tokens_.text(tokens_.next(k));
    words_.push_back({.text = tokens_[k].text,
                      .at = tokens_[k].at,
                      .after = sign.empty() ? char{0} : sign.front(),
                      .binding = binding});
  }

  Tokens tokens_;
  std::vector<Scope> scopes_{};
  std::vector<Word> words_{};
  std::size_t before_ = tokens_.size();  ///< the token before, outside directives
  std::size_t list_end_ = 0;             ///< of the declaration whose commas precede further names
  int list_depth_ = 0;
  std::size_t struct_begin_ = 0, struct_end_ = 0;  ///< the braces of the last struct
  std::size_t parameters_end_ = 0;                 ///< of the last function
  std::set<std::string_view> heads_{};             ///< macros that begin a statement
};

/// The words that a filter accepts, each once, in order.
template <class F>
std::vector<std::string> names_of(std::string_view text, F takes) {
  std::vector<std::string> names;
  for (const Word& word : words_of(text)) {
    if (takes(word)) core::place_in(names, std::string(word.text));
  }
  return names;
}

}  // namespace

std::vector<Word> words_of(std::string_view text) { return Reader(text).run(); }

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
  const Tokens tokens(text);
  std::set<std::size_t> reads;
  for (const Word& word : words_of(text)) {
    const bool is_read = word.after == '[' && word.binding == Binding::free;
    if (is_read && names.contains(std::string(word.text))) reads.insert(word.at);
  }
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (!reads.contains(tokens[k].at)) continue;
    const std::size_t open = tokens.next(k);
    const std::size_t close = tokens.closing(open);
    if (close == tokens.size()) continue;
    result[tokens[open].at] = '(';
    result[tokens[close].at] = ')';
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
  return names_of(
      preamble, [](const Word& word) { return word.declares && word.binding == Binding::global; });
}

std::vector<std::string> macros_defined_in(std::string_view text) {
  return names_of(text, [](const Word& word) { return word.is_macro; });
}

std::string with_each_iteration(std::string_view text, std::string_view counter) {
  const Tokens tokens(text);
  std::vector<std::size_t> places;
  // If a macro contains the head of a loop, the loop's statement may follow the macro's use.
  const auto after = [&](std::size_t k) {
    const std::size_t next = tokens.next(k);
    return next < tokens.size() ? tokens[next].at : tokens[k].at + tokens[k].text.size();
  };
  std::set<std::size_t> ends;  // a `while` that ends a `do` repeats no statement
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (tokens[k].text == "do") {
      places.insert(places.end(), {tokens[k].at, after(k)});
      ends.insert(tokens.next(tokens.statement_end(tokens.next(k))));
    }
    if ((tokens[k].text != "for" && tokens[k].text != "while") || ends.contains(k)) continue;
    const std::size_t close = tokens.closing(tokens.next(k));
    if (close < tokens.size()) places.insert(places.end(), {tokens[k].at, after(close)});
  }
  std::sort(places.begin(), places.end());
  std::string result;
  std::size_t copied = 0;
  for (const std::size_t place : places) {
    result += text.substr(copied, place - copied);
    if (place > 0 && std::isalnum(static_cast<unsigned char>(text[place - 1])) != 0) result += ' ';
    result += counter;
    copied = place;
  }
  return result += text.substr(copied);
}

std::string with_joined_lines(std::string_view text) {
  std::string joined;
  std::size_t left_out = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const std::size_t end = text.substr(k + 1, 1) == "\r" ? k + 2 : k + 1;
    if (text[k] == '\\' && (end >= text.size() || text[end] == '\n')) {
      ++left_out;
      k = end;
      continue;
    }
    joined += text[k];
    if (text[k] == '\n') joined.append(std::exchange(left_out, 0), '\n');
  }
  return joined;
}

bool is_name(std::string_view text) {
  const Tokens tokens(text);
  return tokens.size() == 1 && tokens[0].kind == Token::Kind::word && tokens[0].text == text;
}

int line_of(std::string_view text, std::size_t at) {
  const std::string_view above = text.substr(0, at);
  return static_cast<int>(std::count(above.begin(), above.end(), '\n')) + 1;
}

}  // namespace trigon::detail::glsl_text
