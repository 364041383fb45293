// SPDX-License-Identifier: MIT
#include "glsl_text/glsl_weight.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "glsl_text/chunks.hpp"
#include "glsl_text/tokens.hpp"

namespace trigon::detail::glsl_text {
namespace {

/// The position after the brace that closes the one at `open`.
std::size_t after_brace(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t k = open; k < text.size(); ++k) {
    if (text[k] == '{') ++depth;
    if (text[k] == '}' && --depth == 0) return k + 1;
  }
  return text.size();
}

/// A text's own weight, and its calls of functions of glsl/, whose weights are to be added.
struct Counted {
  GlslWeight own;
  std::vector<std::string_view> calls;
};

/// `within`: the function that the text belongs to; its overloads count as built-in calls.
Counted count(std::string_view text, std::string_view within = {}) {
  constexpr std::int64_t built_in = 2;
  Counted found;
  for (std::size_t k = 0; k < text.size();) {
    if (text.substr(k, 2) == "//") {
      k = std::min(text.find('\n', k), text.size());
    } else if (continues_word(text[k])) {
      const std::size_t begin = k;
      while (k < text.size() && continues_word(text[k])) ++k;
      const std::string_view word = text.substr(begin, k - begin);
      while (k < text.size() && text[k] == ' ') ++k;
      if (k >= text.size() || text[k] != '(') continue;
      if (word == "for" || word == "while") ++found.own.loops;
      if (word == "for" || word == "if" || word == "while" || word == "return") continue;
      if (word.back() == '_' && word != within) {
        found.calls.push_back(word);
      } else {
        found.own.operators += built_in;
      }
    } else {
      if (std::string_view("+-*/?<>&|^%").find(text[k]) != std::string_view::npos) {
        ++found.own.operators;
      }
      ++k;
    }
  }
  return found;
}

/// Weights of the functions of glsl/, by name, for floats and for integers.
class Functions {
 public:
  Functions() {
    for (const core::Chunk& chunk : chunks()) add(chunk.text);
    // Functions call others, a few levels deep; overloads call each other under the same name.
    constexpr int levels = 6;
    for (int level = 0; level < levels; ++level) {
      Weights floats, ints;
      for (const Function& one : functions_) {
        GlslWeight& most = (one.ints ? ints : floats)[one.name];
        const GlslWeight all = weight(one.body, one.ints);
        most.operators = std::max(most.operators, all.operators);
        most.loops = std::max(most.loops, all.loops);
      }
      floats_ = std::move(floats);
      ints_ = std::move(ints);
    }
  }

  GlslWeight weight(const Counted& text, bool ints) const {
    GlslWeight sum = text.own;
    for (const std::string_view call : text.calls) {
      const GlslWeight inlined = of_function(call, ints);
      sum.operators += inlined.operators;
      sum.loops += inlined.loops;
    }
    return sum;
  }

 private:
  using Weights = std::map<std::string_view, GlslWeight>;

  struct Function {
    std::string_view name;
    Counted body;
    bool ints;
  };

  /// Adds the functions that a chunk defines: each starts a line with its type and its name.
  void add(std::string_view text) {
    for (std::size_t line = 0; line < text.size();) {
      const std::size_t end = std::min(text.find('\n', line), text.size());
      const std::size_t open = text.substr(line, end - line).find("_(");
      const bool begins = open != std::string_view::npos &&
                          std::isalpha(static_cast<unsigned char>(text[line])) != 0;
      const std::size_t close = begins ? text.find(')', line + open) : std::string_view::npos;
      if (close != std::string_view::npos && text.substr(close, 3) == ") {") {
        const std::size_t name = text.rfind(' ', line + open) + 1;
        const std::size_t parameters = line + open + 2;
        const char first = text[parameters], second = text[parameters + 1];
        const bool ints = first == 'u' || (first == 'i' && second == 'v');
        const std::string_view called = text.substr(name, parameters - 1 - name);
        const std::size_t body = close + 2;
        functions_.push_back(
            {called, count(text.substr(body, after_brace(text, body) - body), called), ints});
      }
      line = end + 1;
    }
  }

  GlslWeight of_function(std::string_view name, bool ints) const {
    constexpr GlslWeight unknown{.operators = 2};
    const auto& first = ints ? ints_ : floats_;
    const auto& second = ints ? floats_ : ints_;
    if (const auto at = first.find(name); at != first.end()) return at->second;
    const auto at = second.find(name);
    return at != second.end() ? at->second : unknown;
  }

  std::vector<Function> functions_;
  Weights floats_, ints_;
};

}  // namespace

GlslWeight glsl_weight(std::string_view text, bool ints) {
  static const Functions functions;
  GlslWeight weight = functions.weight(count(text), ints);
  weight.operators = std::max<std::int64_t>(weight.operators, 1);
  return weight;
}

}  // namespace trigon::detail::glsl_text
