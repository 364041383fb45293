// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/source_tree.hpp"

// The rooms of src: which may see which.

namespace trigon::support {

inline std::vector<std::string> includes_of(const File& one) {
  static const std::regex pattern(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::vector<std::string> found;
  std::istringstream lines(one.text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_search(line, match, pattern)) found.push_back(match[1]);
  }
  return found;
}

/// "plan" for src/plan/fuse.cpp and plan/fuse.hpp; "" for files at the top.
inline std::string folder_of(std::string path) {
  if (path.starts_with("src/")) path = path.substr(4);
  const std::size_t slash = path.find('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

/// The rooms of src, each with those that it stands on. A room sees these, theirs, itself and the
/// public headers.
inline const std::map<std::string, std::set<std::string>>& rooms() {
  static const std::map<std::string, std::set<std::string>> all = {
      {"core", {}},
      {"glsl_text", {"core"}},
      {"entries", {"glsl_text"}},
      {"graph", {"entries"}},
      {"ops", {"graph"}},
      {"transform", {"graph"}},
      {"io", {"graph"}},
      {"image", {"io"}},
      {"ir", {"entries"}},
      {"rewrite", {"graph", "ir"}},
      {"reroll", {"rewrite"}},
      {"schedule", {"rewrite"}},
      {"kernel", {"glsl_text"}},  // it weighs the texts of ops, and writes none
      {"plan", {"kernel"}},
      {"lower", {"schedule", "plan"}},
      {"emit", {"kernel"}},
      {"gl", {"core"}},
      {"run", {"gl", "plan", "emit"}},
      {"pipeline", {"ops", "transform", "io", "reroll", "lower", "run"}},
      {"tensor", {"pipeline"}},
      {"custom", {"pipeline"}},
      {"table", {"tensor", "custom", "image"}},
  };
  return all;
}

inline std::set<std::string> seen_from(const std::string& room) {
  std::set<std::string> seen = {room};
  for (const std::string& below : rooms().at(room)) seen.merge(seen_from(below));
  return seen;
}

/// The sources and headers of the rooms: the folders of src other than those of the build, which
/// hold CMake's files.
inline std::vector<const File*> files_of_rooms() {
  std::set<std::string> of_build;
  for (const File& one : tree()) {
    if (one.starts_with("src/") && one.extension() == ".cmake")
      of_build.insert(folder_of(one.path));
  }
  std::vector<const File*> files;
  for (const File& one : tree()) {
    const bool is_code = one.is_header() || one.is_source();
    if (is_code && one.starts_with("src/") && !of_build.contains(folder_of(one.path))) {
      files.push_back(&one);
    }
  }
  return files;
}

}  // namespace trigon::support
