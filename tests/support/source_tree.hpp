// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

// The files of the repository, as texts.

namespace trigon::support {

struct File {
  std::string path;  ///< from the root, "src/plan/fuse.cpp"
  std::string text;

  std::string extension() const { return std::filesystem::path(path).extension().string(); }
  bool is_header() const { return extension() == ".hpp"; }
  bool is_source() const { return extension() == ".cpp"; }
  bool starts_with(const std::string& prefix) const { return path.starts_with(prefix); }
};

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<File> read_tree() {
  const std::filesystem::path root = TRIGON_SOURCE_DIR;
  std::vector<File> files;
  for (const char* folder :
       {"include", "src", "glsl", "tests", "bindings", "samples", "bench", ".ci"}) {
    if (!std::filesystem::exists(root / folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file()) continue;
      const std::string path = std::filesystem::relative(entry.path(), root).generic_string();
      const auto is_in = [&](const char* other) { return path.find(other) != std::string::npos; };
      if (is_in("/data/") || is_in("/model/") || is_in("/golden/")) continue;
      if (is_in("/node_modules/")) continue;  // npm's
      files.push_back({path, text_of(entry.path())});
    }
  }
  files.push_back({"CMakeLists.txt", text_of(root / "CMakeLists.txt")});
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return a.path < b.path; });
  return files;
}

inline const std::vector<File>& tree() {
  static const std::vector<File> files = read_tree();
  return files;
}

/// A C++ source without comments, in two texts: its code, in which literals are empty and lines
/// stay where they are, and its string literals, one a line.
struct Split {
  std::string code, literals;
};

inline Split split(const std::string& source) {
  Split found;
  const auto after = [&](const std::string& end, std::size_t from) {
    const std::size_t at = source.find(end, from);
    return at == std::string::npos ? source.size() : at + end.size();
  };
  const auto skip = [&](std::size_t from, std::size_t to) {
    found.code.append(static_cast<std::size_t>(
                          std::count(source.begin() + static_cast<std::ptrdiff_t>(from),
                                     source.begin() + static_cast<std::ptrdiff_t>(to), '\n')),
                      '\n');
    return to;
  };
  for (std::size_t k = 0; k < source.size();) {
    const bool in_number = k > 0 && std::isalnum(static_cast<unsigned char>(source[k - 1])) != 0;
    if (source.compare(k, 2, "//") == 0) {
      k = skip(k, after("\n", k));
    } else if (source.compare(k, 2, "/*") == 0) {
      k = skip(k, after("*/", k + 2));
    } else if (source.compare(k, 2, "R\"") == 0) {
      const std::size_t open = source.find('(', k);
      const std::string close = ")" + source.substr(k + 2, open - k - 2) + "\"";
      const std::size_t end = after(close, open);
      found.literals += source.substr(open + 1, end - close.size() - open - 1) + "\n";
      found.code += "\"\"";
      k = skip(k, end);
    } else if (source[k] == '"' || (source[k] == '\'' && !in_number)) {
      const char quote = source[k];
      const std::size_t open = ++k;
      while (k < source.size() && source[k] != quote) k += source[k] == '\\' ? 2 : 1;
      if (quote == '"') found.literals += source.substr(open, k - open) + "\n";
      found.code += "\"\"";
      ++k;
    } else {
      found.code += source[k++];
    }
  }
  return found;
}

}  // namespace trigon::support
