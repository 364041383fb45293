// SPDX-License-Identifier: MIT
#include "headers.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <stdexcept>

#include <fmt/format.h>

namespace ops_reference {
namespace {

// The lines of a comment as paragraphs: empty lines stay, the others are joined by spaces. An
// example, which is indented after an empty line, keeps its lines.
void append_line(std::string& comment, const std::string& line) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t last = comment.rfind('\n') + 1;  // 0 if there is none
  const bool after_empty = comment.ends_with("\n\n");
  const bool in_example = last > 0 && comment.substr(last).starts_with("    ");
  if (line.empty()) {
    comment += "\n\n";
  } else if (begin >= 2 && (after_empty || in_example)) {
    comment += (after_empty ? "    " : "\n    ") + line.substr(2);
  } else {
    comment += (comment.empty() || after_empty ? "" : " ") + line.substr(begin);
  }
}

// "[[nodiscard]] inline Tensor sum(...) {" as "Tensor sum(...);".
std::string as_declaration(std::string text) {
  for (const std::string word : {"[[nodiscard]] ", "inline ", "constexpr "}) {
    if (text.starts_with(word)) text.erase(0, word.size());
  }
  if (const std::size_t body = text.find(") {"); body != text.npos) text.erase(body + 1);
  return text.substr(0, text.find_last_of(')') + 1) + ";";
}

// The namespaces around a line, as "nn::" within trigon::nn and "" within trigon.
class Scopes {
 public:
  void follow(const std::string& line) {
    static const std::regex opens(R"(namespace ([\w:]+) \{)");
    std::smatch match;
    const bool opens_one = std::regex_match(line, match, opens);
    // A namespace on one line ends without a comment.
    const bool ends_short = line == "}" && since_ == 2;
    since_ = opens_one ? 1 : since_ + 1;
    if (opens_one) names_.push_back(match[1].str() + "::");
    if ((ends_short || line.starts_with("}  // namespace")) && !names_.empty()) names_.pop_back();
  }
  std::string prefix() const {
    std::string all;
    for (const std::string& one : names_) all += one;
    return all.starts_with("trigon::") ? all.substr(8) : all;
  }

 private:
  std::vector<std::string> names_;
  int since_ = 0;  // lines since a namespace was opened
};

// The lines between a comment and its function.
bool is_before_function(const std::string& line) {
  return line.starts_with("template <") || line.starts_with("  requires") ||
         line.starts_with("          ");
}

}  // namespace

std::vector<Function> functions_of(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(fmt::format("cannot read {}; name a header", path));
  static const std::regex comment_line("/// ?(.*)");
  static const std::regex function_line(
      R"((?:\[\[nodiscard\]\] )?(?:(?:inline|constexpr|const) )*[\w:]+(?:<.*>)?[&*]? (\w+)\(.*)");
  const std::string header = std::filesystem::path(path).filename().string();
  std::vector<Function> functions;
  Scopes scopes;
  std::string comment;
  bool is_used = false;
  for (std::string line; std::getline(file, line);) {
    scopes.follow(line);
    std::smatch match;
    if (std::regex_match(line, match, comment_line)) {
      if (is_used) comment.clear();
      is_used = false;
      append_line(comment, match[1]);
      continue;
    }
    if (comment.empty() || is_before_function(line)) continue;
    const std::string prefix = scopes.prefix();
    if (std::regex_match(line, match, function_line) &&
        prefix.find("detail") == std::string::npos) {
      const std::string name = prefix + match[1].str();
      std::string text = line;
      while (std::string_view(";{}").find(text.back()) == std::string_view::npos &&
             std::getline(file, line)) {
        text += " " + line.substr(std::min(line.find_first_not_of(' '), line.size()));
      }
      functions.push_back({header, name, as_declaration(text), comment});
      is_used = true;
      continue;  // functions in a row share it
    }
    comment.clear();
  }
  return functions;
}

}  // namespace ops_reference
