// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/source_tree.hpp"

// The functions and classes of a C++ source.

namespace trigon::support {

struct Function {
  std::string head;
  long lines;
  long parameters;
  bool is_list;  ///< it only returns a list, such as the rows of a table
  /// With its namespaces and classes, "trigon::detail::ir::view"; an unnamed
  /// namespace is "(unnamed)".
  std::string name;
  bool is_member, is_defined;
};

struct Class {
  std::string head;
  std::string name;
  long functions;
};

/// Reads the functions and classes of a source that clang-format has set: a block begins after a
/// space, an initialiser does not, or follows `=`, `,` or a bracket.
class Reader {
 public:
  explicit Reader(const std::string& source)
      : text_(std::regex_replace(split(source).code, std::regex(R"((^|\n) *#([^\n]*\\\n)*[^\n]*)"),
                                 "$1")) {
    for (; at_ < text_.size(); ++at_) step(text_[at_]);
  }

  std::vector<Function> functions;
  std::vector<Class> classes;
  std::vector<std::string> forward_declared;  ///< names of classes

 private:
  enum class Kind : std::uint8_t { space, type, function, code };
  struct Scope {
    Kind kind;
    std::size_t begin;
    std::string head;
    long count = 0;  ///< of statements, or of a class's functions
  };

  bool in_code() const {
    return !open_.empty() &&
           (open_.back().kind == Kind::function || open_.back().kind == Kind::code);
  }

  void step(char c) {
    if (std::string_view("{};:").find(c) == std::string_view::npos) return;
    begin_ = std::min(text_.find_first_not_of(" \n", begin_), at_);
    const std::string head = text_.substr(begin_, at_ - begin_);
    if (c == '{') return in_code() ? push(Kind::code, head) : open(head);
    if (c == '}') return close();
    if (c == ':' && head != "public" && head != "private" && head != "protected") return;
    if (c == ';' && in_code()) ++open_.back().count;
    static const std::regex forward(R"(^(class|struct) \w+$)");
    if (c == ';' && !in_code() && std::regex_match(head, forward)) {
      forward_declared.push_back(scope() + name_in(head, Kind::type));
    }
    if (c == ';' && !in_code() && is_function(head)) {
      add({head, 0, parameters_of(head), false, scope() + name_in(head, Kind::function), false,
           false});
    }
    begin_ = at_ + 1;
  }

  void push(Kind kind, const std::string& head) {
    open_.push_back({kind, begin_, head});
    begin_ = at_ + 1;
  }

  void open(const std::string& head) {
    static const std::regex type(R"(\b(class|struct|union)\b[^()=]*$)");
    const std::size_t last = head.find_last_not_of(" \n");
    const bool is_initialiser =
        last != std::string::npos &&
        (last + 1 == head.size() || std::string("=,({").find(head[last]) != std::string::npos);
    static const std::regex space(R"(^(inline )?namespace\b|^extern "")"),
        enumeration(R"(^enum\b)");
    if (std::regex_search(head, space)) {
      push(Kind::space, head);
    } else if (std::regex_search(head, enumeration)) {
      push(Kind::code, head);
    } else if (std::regex_search(head, type)) {
      push(Kind::type, head);
    } else if (is_initialiser || !is_function(head)) {
      for (long depth = 1; depth > 0;) {
        const char c = text_.at(++at_);
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      }
    } else {
      push(Kind::function, head);
    }
  }

  void close() {
    const Scope done = open_.back();
    open_.pop_back();
    if (done.kind == Kind::type)
      classes.push_back({done.head, scope() + name_in(done.head, Kind::type), done.count});
    if (done.kind == Kind::function) {
      const std::string body = text_.substr(done.begin, at_ - done.begin);
      static const std::regex list(R"(\{\s*return \{)");
      add({done.head, std::count(body.begin(), body.end(), '\n') + 1, parameters_of(done.head),
           done.count == 1 && std::regex_search(body, list),
           scope() + name_in(done.head, Kind::function), false, true});
    }
    begin_ = at_ + 1;
  }

  void add(Function function) {
    const bool is_member = !open_.empty() && open_.back().kind == Kind::type;
    if (is_member && !function.head.starts_with("friend")) ++open_.back().count;
    function.is_member = is_member;
    functions.push_back(std::move(function));
  }

  /// Whether a declaration has parameters in front of any initialiser.
  static bool is_function(const std::string& head) {
    const std::size_t open = head.find('(');
    return open != std::string::npos && head.find(" = ") > open &&
           !head.starts_with("static_assert");
  }

  /// The namespaces and classes around the current place, "trigon::detail::".
  std::string scope() const {
    std::string found;
    for (const Scope& one : open_) {
      const bool is_named = one.kind == Kind::type || one.kind == Kind::space;
      if (is_named && !one.head.starts_with("extern ")) found += name_in(one.head, one.kind) + "::";
    }
    return found;
  }

  /// What a head declares, "(unnamed)" if it has no name.
  static std::string name_in(const std::string& head, Kind kind) {
    static const std::regex function(R"(((?:\w+::)*operator[^\w(]+|[\w:~]+) ?\()"),
        space(R"(\bnamespace ([\w:]+))"),
        type(R"(\b(?:class|struct|union) (?:\[\[\w+\]\] )?([\w:]+))");
    std::smatch match;
    const bool is_found = std::regex_search(head, match,
                                            kind == Kind::space  ? space
                                            : kind == Kind::type ? type
                                                                 : function);
    return is_found ? match.str(1) : "(unnamed)";
  }

  static long parameters_of(const std::string& head) {
    std::size_t at = head.find(
        '(', head.find("operator()") == std::string::npos ? 0 : head.find("operator()") + 10);
    long depth = 0, count = 0;
    for (bool is_empty = true; at < head.size(); ++at) {
      const std::string one(1, head[at]);
      if (std::string("(<[{").find(one) != std::string::npos) ++depth;
      if (std::string(")>]}").find(one) != std::string::npos && --depth == 0) break;
      if (depth == 1 && one == ",") ++count;
      if (is_empty && one != "(" && one != " " && one != "\n") is_empty = false, ++count;
    }
    return count;
  }

  std::string text_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;  ///< of the current declaration or statement
  std::vector<Scope> open_;
};

}  // namespace trigon::support
