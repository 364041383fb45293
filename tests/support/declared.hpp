// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

// The declarations of the public headers, read from their text.

namespace trigon {

struct Declared {
  std::string name;
  std::string parameters;
};

/// A header without comments, preprocessor lines and braces of default arguments.
inline std::string code_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::string code = std::regex_replace(text, std::regex("//[^\n]*|\\\\\n"), " ");
  code = std::regex_replace(code, std::regex("\n *#[^\n]*|\n"), " ");
  code = std::regex_replace(code, std::regex(R"(= \{[^{}]*\})"), " ");
  return std::regex_replace(code, std::regex(R"(requires ?\(([^()]|\([^()]*\))*\))"), " ");
}

/// The functions of a header, in namespaces that users see.
inline std::vector<Declared> declared_in(const std::string& code) {
  static const std::regex opens_namespace(R"(namespace ([\w:]+)\s*$)");
  static const std::regex function(R"(^[^(]*?\b(\w+)\((.*)\)\s*$)");
  static const std::regex other("operator|\\busing\\b|\\bfriend\\b|^ *(struct|class)\\b");
  std::vector<Declared> found;
  std::vector<std::string> scopes;
  std::string piece;
  for (const char c : code) {
    if (c != ';' && c != '{' && c != '}') {
      piece += c;
      continue;
    }
    std::string scope;
    bool visible = c != '}';
    for (const std::string& one : scopes) {
      visible = visible && !one.empty() && one.find("detail") == std::string::npos;
      scope += one + "::";
    }
    std::smatch match;
    if (visible && !std::regex_search(piece, other) && std::regex_search(piece, match, function)) {
      found.push_back({scope.substr(8) + match[1].str(), match[2].str()});
    }
    if (c == '{') {
      scopes.push_back(std::regex_search(piece, match, opens_namespace) ? match[1].str() : "");
    } else if (c == '}' && !scopes.empty()) {
      scopes.pop_back();
    }
    piece.clear();
  }
  return found;
}

/// Those of all public headers except `without`, by the names of the files.
inline std::vector<Declared> declared(const std::set<std::string>& without = {}) {
  std::vector<Declared> all;
  const std::filesystem::path root = TRIGON_SOURCE_DIR;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(root / "include" / "trigon")) {
    const std::string name = entry.path().filename().string();
#ifndef TRIGON_TEST_IMAGE
    if (name == "image.hpp") continue;
#endif
    if (!entry.is_regular_file() || without.contains(name)) continue;
    for (Declared& one : declared_in(code_of(entry.path()))) all.push_back(std::move(one));
  }
  return all;
}

}  // namespace trigon
