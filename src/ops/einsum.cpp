// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/item.hpp"
#include "core/quote.hpp"
#include "graph/build.hpp"
#include "graph/check.hpp"
#include "graph/named.hpp"
#include "ops/einsum.hpp"
#include "trigon/index.hpp"
#include "trigon/linalg.hpp"
#include "trigon/math.hpp"
#include "trigon/reduce.hpp"

namespace trigon {
namespace {

using ops::Named;

// The names of axes that "..." stands for: the last one is the first of these.
char ellipsis_axis(int from_the_last) { return static_cast<char>('0' + from_the_last); }

/// The subscripts, parsed.
struct Expression {
  std::vector<std::string> operands;
  std::string result;
};

class Parser {
 public:
  Parser(std::string_view text, std::span<const Tensor> xs) : text_(text), xs_(xs) {}

  Expression run() {
    std::string plain;
    for (const char c : text_) {
      if (c != ' ') plain += c;
    }
    const std::size_t arrow = plain.find("->");
    Expression e;
    const std::string left = plain.substr(0, arrow);
    for (std::size_t from = 0;;) {
      const std::size_t comma = left.find(',', from);
      e.operands.push_back(left.substr(from, comma - from));
      if (comma == std::string::npos) break;
      from = comma + 1;
    }
    if (e.operands.size() != xs_.size()) {
      fail(fmt::format("number of operands differs: the subscripts name {}, {} are given",
                       e.operands.size(), xs_.size()),
           "each needs its letters");
    }
    for (std::size_t k = 0; k < xs_.size(); ++k) e.operands[k] = letters(e.operands[k], k);
    e.result = arrow == std::string::npos ? implied(e.operands) : result(plain.substr(arrow + 2));
    return e;
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& rule) const {
    graph::fail("{}: {}; {}", what, core::quote(text_), rule);
  }

  // The letters with "..." replaced by `dots(number of letters)`.
  template <class F>
  std::string expanded(const std::string& text, F dots) const {
    const std::size_t at = text.find("...");
    std::string before = text.substr(0, at), after;
    if (at != std::string::npos) after = text.substr(at + 3);
    const std::string named = before + after;
    for (std::size_t k = 0; k < named.size(); ++k) {
      if (std::isalpha(static_cast<unsigned char>(named[k])) != 0) continue;
      const core::Shown found = core::first_shown(std::string_view(named).substr(k), false);
      fail(fmt::format("unexpected '{}'", found.text()),
           "axes are letters, and \"...\" may stand once");
    }
    if (at == std::string::npos) return before;
    return before + dots(static_cast<int>(before.size() + after.size())) + after;
  }

  std::string letters(const std::string& text, std::size_t k) {
    const int rank = xs_[k].ndim();
    const std::string axes = expanded(text, [&](int named) {
      std::string dots;
      for (int left = rank - named; left-- > 0;) dots += ellipsis_axis(left);
      dots_ = std::max(dots_, rank - named);
      return dots;
    });
    if (static_cast<int>(axes.size()) != rank) {
      fail(fmt::format("number of axes differs: operand {} is {}, its letters are {}", k,
                       to_string(xs_[k].shape()), core::quote(text)),
           "each axis needs one");
    }
    return axes;
  }

  std::string all_dots() const {
    std::string dots;
    for (int left = dots_; left-- > 0;) dots += ellipsis_axis(left);
    return dots;
  }

  std::string implied(const std::vector<std::string>& operands) const {
    std::map<char, int> count;
    for (const std::string& axes : operands) {
      for (const char name : axes) ++count[name];
    }
    std::string once = all_dots();
    for (const auto& [name, times] : count) {
      if (times == 1 && std::isalpha(static_cast<unsigned char>(name)) != 0) once += name;
    }
    return once;
  }

  std::string result(const std::string& text) {
    const std::string axes = expanded(text, [&](int) { return all_dots(); });
    for (const char name : axes) {
      if (std::count(axes.begin(), axes.end(), name) > 1) {
        fail(fmt::format("'{}' stands twice in the result", name), "each letter may stand once");
      }
    }
    return axes;
  }

  std::string_view text_;
  std::span<const Tensor> xs_;
  int dots_ = 0;
};

/// Multiplies the operands of an expression.
class Product {
 public:
  Product(std::string_view text, const Expression& e, std::span<const Tensor> xs)
      : text_(text), result_(e.result) {
    for (std::size_t k = 0; k < xs.size(); ++k) terms_.push_back({xs[k], e.operands[k]});
    check_sizes();
    for (Named& term : terms_) {
      take_diagonals(term);
      stretch(term);
    }
  }

  Tensor run() {
    while (terms_.size() > 1) multiply(cheapest());
    Named last = without(terms_[0], {});
    return ops::ordered(last, result_);
  }

 private:
  void check_sizes() {
    for (std::size_t k = 0; k < terms_.size(); ++k) {
      for (int axis = 0; axis < terms_[k].x.ndim(); ++axis) {
        const char name = terms_[k].axes[static_cast<std::size_t>(axis)];
        const std::int64_t size = terms_[k].x.shape()[axis];
        const auto [known, is_new] = sizes_.emplace(name, size);
        if (is_new || size == known->second || size == 1) continue;
        if (known->second != 1) {
          graph::fail("sizes differ: {} is {} and, in operand {}, {}; {} makes them one index",
                      label(name), known->second, k, size, core::quote(text_));
        }
        known->second = size;
      }
    }
    for (const char name : result_) {
      if (sizes_.count(name) > 0) continue;
      graph::fail("{} is in the result alone: {}; it must be in an operand", label(name),
                  core::quote(text_));
    }
  }
  static std::string label(char name) {
    return std::isalpha(static_cast<unsigned char>(name)) != 0 ? fmt::format("'{}'", name)
                                                               : "an axis of \"...\"";
  }

  // An axis of size 1 broadcasts to a longer axis of the same name.
  void take_diagonals(Named& term) {
    stretch(term);
    for (std::size_t k = 0; k < term.axes.size();) {
      const std::size_t again = term.axes.find(term.axes[k], k + 1);
      if (again == std::string::npos) {
        ++k;
        continue;
      }
      const char name = term.axes[k];
      term.x = diagonal(term.x, 0, {static_cast<int>(k), static_cast<int>(again)});
      term.axes.erase(again, 1);
      term.axes.erase(k, 1);
      term.axes += name;
    }
  }
  void stretch(Named& term) {
    Shape shape;
    for (const char name : term.axes) shape.push_back(sizes_.at(name));
    term.x = graph::expand(term.x, shape);
  }

  // Axes that the other operands or the result need.
  std::set<char> needed(std::size_t a, std::size_t b) const {
    std::set<char> names(result_.begin(), result_.end());
    for (std::size_t k = 0; k < terms_.size(); ++k) {
      if (k != a && k != b) names.insert(terms_[k].axes.begin(), terms_[k].axes.end());
    }
    return names;
  }

  // The sum over the axes that are neither in the result nor in `others`.
  Named without(const Named& term, const std::string& others) const {
    std::vector<int> axes;
    std::string left;
    for (std::size_t k = 0; k < term.axes.size(); ++k) {
      const char name = term.axes[k];
      const bool stays = (result_ + others).find(name) != std::string::npos;
      if (stays) {
        left += name;
      } else {
        axes.push_back(static_cast<int>(k));
      }
    }
    return axes.empty() ? term : Named{sum(term.x, Axes(axes)), left};
  }

  std::pair<std::size_t, std::size_t> cheapest() const {
    std::pair<std::size_t, std::size_t> best{0, 1};
    double least = 0;
    for (std::size_t a = 0; a < terms_.size(); ++a) {
      for (std::size_t b = a + 1; b < terms_.size(); ++b) {
        const std::set<char> kept = needed(a, b);
        std::set<char> names(terms_[a].axes.begin(), terms_[a].axes.end());
        names.insert(terms_[b].axes.begin(), terms_[b].axes.end());
        double size = 1;
        for (const char name : names) {
          if (kept.count(name) > 0) size *= static_cast<double>(sizes_.at(name));
        }
        const double more = size - static_cast<double>(terms_[a].x.size()) -
                            static_cast<double>(terms_[b].x.size());
        if (b == 1 || more < least) {
          least = more;
          best = {a, b};
        }
      }
    }
    return best;
  }

  void multiply(std::pair<std::size_t, std::size_t> pair) {
    const auto [a, b] = pair;
    const std::set<char> kept = needed(a, b);
    const std::string others(kept.begin(), kept.end());
    const Named left = without(terms_[a], others + terms_[b].axes);
    const Named right = without(terms_[b], others + terms_[a].axes);
    terms_[a] = ops::product(left, right, kept);
    terms_.erase(terms_.begin() + static_cast<std::ptrdiff_t>(b));
  }

  const std::string_view text_;
  const std::string result_;
  std::vector<Named> terms_;
  std::map<char, std::int64_t> sizes_;
};

}  // namespace

Tensor einsum(std::string_view subscripts, const TensorList& operands) {
  const graph::Named named("einsum", "operand", operands);
  if (operands.empty()) graph::fail("no operands: 0 given; needs at least one");
  const Expression e = Parser(subscripts, operands).run();
  return Product(subscripts, e, ops::widened(operands)).run();
}

}  // namespace trigon
