// SPDX-License-Identifier: MIT
#include "glsl_text/glsl_weight.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <string>
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

/// Weights of the functions of glsl/, by name, for floats and for integers.
class Functions {
 public:
  Functions() {
    for (const core::Chunk& chunk : chunks()) add(chunk.text);
    // Functions call others, a few levels deep; overloads call each other under the same name.
    constexpr int levels = 6;
    for (int level = 0; level < levels; ++level) {
      std::map<std::string, GlslWeight> floats, ints;
      for (const Function& one : functions_) {
        GlslWeight& most = (one.ints ? ints : floats)[std::string(one.name)];
        const GlslWeight own = weight(one.body, one.ints, one.name);
        most.operators = std::max(most.operators, own.operators);
        most.loops = std::max(most.loops, own.loops);
      }
      floats_ = std::move(floats);
      ints_ = std::move(ints);
    }
  }

  /// `within`: the function that the text belongs to; its overloads count as a call.
  GlslWeight weight(std::string_view text, bool ints, std::string_view within = {}) const {
    constexpr std::int64_t built_in = 2;
    GlslWeight sum;
    for (std::size_t k = 0; k < text.size();) {
      if (text.substr(k, 2) == "//") {
        k = std::min(text.find('\n', k), text.size());
      } else if (continues_word(text[k])) {
        const std::size_t begin = k;
        while (k < text.size() && continues_word(text[k])) ++k;
        const std::string_view word = text.substr(begin, k - begin);
        while (k < text.size() && text[k] == ' ') ++k;
        if (k >= text.size() || text[k] != '(') continue;
        if (word == "for" || word == "while") ++sum.loops;
        if (word == "for" || word == "if" || word == "while" || word == "return") continue;
        if (word.back() == '_' && word != within) {
          const GlslWeight inlined = of_function(word, ints);
          sum.operators += inlined.operators;
          sum.loops += inlined.loops;
        } else {
          sum.operators += built_in;
        }
      } else {
        if (std::string_view("+-*/?<>&|^%").find(text[k]) != std::string_view::npos) {
          ++sum.operators;
        }
        ++k;
      }
    }
    return sum;
  }

 private:
  struct Function {
    std::string_view name, body;
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
        functions_.push_back({text.substr(name, parameters - 1 - name),
                              text.substr(close + 2, after_brace(text, close + 2) - close - 2),
                              ints});
      }
      line = end + 1;
    }
  }

  GlslWeight of_function(std::string_view name, bool ints) const {
    constexpr GlslWeight unknown{.operators = 2};
    const auto& first = ints ? ints_ : floats_;
    const auto& second = ints ? floats_ : ints_;
    const std::string key(name);
    if (const auto at = first.find(key); at != first.end()) return at->second;
    const auto at = second.find(key);
    return at != second.end() ? at->second : unknown;
  }

  std::vector<Function> functions_;
  std::map<std::string, GlslWeight> floats_, ints_;
};

}  // namespace

GlslWeight glsl_weight(std::string_view text, bool ints) {
  static const Functions functions;
  GlslWeight weight = functions.weight(text, ints);
  weight.operators = std::max<std::int64_t>(weight.operators, 1);
  return weight;
}

}  // namespace trigon::detail::glsl_text
