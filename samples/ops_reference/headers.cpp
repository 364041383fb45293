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

// The lines of a comment as paragraphs: an empty line stays one, others join with a space.
void append_line(std::string& comment, const std::string& line) {
  if (line.empty()) {
    comment += "\n\n";
  } else {
    comment += (comment.empty() || comment.back() == '\n' ? "" : " ") + line;
  }
}

// "[[nodiscard]] inline Tensor sum(...) {" as "Tensor sum(...);".
std::string as_declaration(std::string text) {
  text.erase(0, text.find("Tensor "));
  return text.substr(0, text.find_last_of(')') + 1) + ";";
}

}  // namespace

std::vector<Function> functions_of(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(fmt::format("cannot read {}; name a header", path));
  static const std::regex comment_line("/// ?(.*)");
  static const std::regex function_line(R"((?:\[\[nodiscard\]\] )?(?:inline )?Tensor (\w+)\(.*)");
  const std::string header = "ops/" + std::filesystem::path(path).filename().string();
  std::vector<Function> functions;
  std::string comment;
  for (std::string line; std::getline(file, line);) {
    std::smatch match;
    if (std::regex_match(line, match, comment_line)) {
      append_line(comment, match[1]);
      continue;
    }
    if (!comment.empty() && std::regex_match(line, match, function_line)) {
      const std::string name = match[1];
      std::string text = line;
      while (text.back() != ';' && text.back() != '{' && std::getline(file, line)) {
        text += " " + line.substr(std::min(line.find_first_not_of(' '), line.size()));
      }
      functions.push_back({header, name, as_declaration(text), comment});
    }
    comment.clear();
  }
  return functions;
}

}  // namespace ops_reference
