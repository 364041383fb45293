// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

// The rules of the source tree: which folder may see which, and how long files may be.

namespace trigon {
namespace {

namespace fs = std::filesystem;

struct File {
  std::string path;  ///< from the root, "src/plan/fuse.cpp"
  std::string text;

  std::string extension() const { return fs::path(path).extension().string(); }
  bool is_header() const { return extension() == ".hpp"; }
  bool is_source() const { return extension() == ".cpp"; }
  bool starts_with(const std::string& prefix) const { return path.starts_with(prefix); }
};

std::vector<File> read_tree() {
  const fs::path root = TRIGON_SOURCE_DIR;
  std::vector<File> files;
  for (const char* folder :
       {"include", "src", "glsl", "tests", "bindings", "samples", "bench", ".ci"}) {
    if (!fs::exists(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file()) continue;
      const std::string path = fs::relative(entry.path(), root).generic_string();
      const auto is_in = [&](const char* other) { return path.find(other) != std::string::npos; };
      if (is_in("/data/") || is_in("/model/") || is_in("/golden/")) continue;
      if (is_in("/node_modules/")) continue;  // npm's
      std::ifstream file(entry.path(), std::ios::binary);
      files.push_back({path, {std::istreambuf_iterator<char>(file), {}}});
    }
  }
  std::ifstream cmake(root / "CMakeLists.txt");
  files.push_back({"CMakeLists.txt", {std::istreambuf_iterator<char>(cmake), {}}});
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return a.path < b.path; });
  return files;
}

const std::vector<File>& tree() {
  static const std::vector<File> files = read_tree();
  return files;
}

const File& file(const std::string& path) {
  for (const File& one : tree()) {
    if (one.path == path) return one;
  }
  throw std::runtime_error(path + " is missing");
}

std::vector<std::string> includes_of(const File& one) {
  static const std::regex pattern(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::vector<std::string> found;
  std::istringstream lines(one.text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_search(line, match, pattern)) found.push_back(match[1]);
  }
  return found;
}

/// "plan" for src/plan/fuse.cpp and plan/fuse.hpp; "" for what lies at the top.
std::string folder_of(std::string path) {
  if (path.starts_with("src/")) path = path.substr(4);
  const std::size_t slash = path.find('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

long lines_in(const File& one) { return std::count(one.text.begin(), one.text.end(), '\n'); }

bool has_word(const std::string& text, const std::string& word) {
  return std::regex_search(text, std::regex("\\b" + word + "\\b"));
}

std::string without_comments(const std::string& text) {
  return std::regex_replace(text, std::regex("//[^\n]*"), "");
}

/// The string literals of a C++ source, one a line; comments are skipped.
std::string literals_in(const std::string& source) {
  std::string found;
  const auto after = [&](const std::string& end, std::size_t from) {
    const std::size_t at = source.find(end, from);
    return at == std::string::npos ? source.size() : at + end.size();
  };
  for (std::size_t k = 0; k < source.size();) {
    const bool in_number = k > 0 && std::isalnum(static_cast<unsigned char>(source[k - 1])) != 0;
    if (source.compare(k, 2, "//") == 0) {
      k = after("\n", k);
    } else if (source.compare(k, 2, "/*") == 0) {
      k = after("*/", k + 2);
    } else if (source.compare(k, 2, "R\"") == 0) {
      const std::size_t open = source.find('(', k);
      const std::string close = ")" + source.substr(k + 2, open - k - 2) + "\"";
      k = after(close, open);
      found += source.substr(open + 1, k - close.size() - open - 1) + "\n";
    } else if (source[k] == '"' || (source[k] == '\'' && !in_number)) {
      const char quote = source[k];
      const std::size_t open = ++k;
      while (k < source.size() && source[k] != quote) k += source[k] == '\\' ? 2 : 1;
      if (quote == '"') found += source.substr(open, k - open) + "\n";
      ++k;
    } else {
      ++k;
    }
  }
  return found;
}

/// The first piece of GLSL in the string literals of a C++ source, or "".
std::string glsl_in(const std::string& source) {
  static const std::regex words(R"(\b[iu]?vec[234]\b|\btexelFetch|\btexture(2D)?\(|\bgl_\w)"
                                R"(|[\w\])}]\.[xyzw]{1,4}\b|\bprecision \w+ float)");
  const std::string text = literals_in(source);
  std::smatch match;
  return std::regex_search(text, match, words) ? match.str() : "";
}

TEST(Structure, KeepsTheDirectionOfTheStages) {
  const std::map<std::string, std::set<std::string>> may_see = {
      {"cmake", {}},
      {"core", {"core"}},
      {"graph", {"core", "graph"}},
      {"rewrite", {"core", "graph", "rewrite"}},
      {"schedule", {"core", "index", "rewrite", "schedule"}},
      {"index", {"core", "index"}},
      {"kernel", {"core", "index", "kernel"}},
      {"lower", {"core", "index", "kernel", "rewrite", "schedule", "lower"}},
      {"plan", {"core", "kernel", "plan"}},
      {"emit", {"core", "kernel", "emit"}},
      {"gl", {"core", "gl"}},
      {"run", {"core", "gl", "kernel", "plan", "emit", "run"}},
      {"io", {"core", "io"}},
  };
  std::set<std::string> folders;
  for (const File& one : tree()) {
    if (!one.starts_with("src/") || !(one.is_header() || one.is_source())) continue;
    const std::string from = folder_of(one.path);
    if (from.empty()) continue;  // the top sees everything
    // These join the stages: a loop plans its body.
    const bool joins = one.starts_with("src/plan/make_plan.") ||
                       one.starts_with("src/plan/steps.") || one.starts_with("src/plan/loop");
    if (joins) continue;
    folders.insert(from);
    ASSERT_TRUE(may_see.contains(from)) << one.path << " lies in a folder without a rule";
    for (const std::string& include : includes_of(one)) {
      const std::string to = folder_of(include);
      const bool ours =
          may_see.contains(to) || fs::exists(fs::path(TRIGON_SOURCE_DIR) / "src" / include);
      if (!ours) continue;
      EXPECT_TRUE(may_see.at(from).contains(to)) << one.path << " includes " << include;
    }
  }
  EXPECT_EQ(folders.size(), may_see.size());
}

TEST(Structure, JoinsStagesInFewFilesOnly) {
  const std::set<std::string> stages = {"graph", "rewrite", "schedule", "kernel",
                                        "lower", "plan",    "emit",     "run"};
  const std::set<std::string> may = {"src/pipeline/eval.cpp",    "src/pipeline/explain.cpp",
                                     "src/pipeline/compile.cpp", "src/pipeline/traced.cpp",
                                     "src/pipeline/traced.hpp",  "src/pipeline/try_kernel.cpp",
                                     "src/pipeline/reasons.hpp"};
  for (const File& one : tree()) {
    const bool at_the_top = one.starts_with("src/") && folder_of(one.path).empty();
    if (!at_the_top || may.contains(one.path)) continue;
    std::set<std::string> seen;
    for (const std::string& include : includes_of(one)) {
      if (stages.contains(folder_of(include))) seen.insert(folder_of(include));
    }
    EXPECT_LE(seen.size(), 1u) << one.path << " joins stages";
  }
}

TEST(Structure, KeepsGlWhereItIsRun) {
  for (const File& one : tree()) {
    const std::string folder = folder_of(one.path);
    if (!one.starts_with("src/") || folder == "gl" || folder == "run") continue;
    for (const std::string& include : includes_of(one)) {
      EXPECT_FALSE(include.starts_with("GL") || include.starts_with("EGL/")) << one.path;
    }
  }
}

TEST(Structure, KeepsOtherPeoplesHeadersOutOfInclude) {
  const std::regex standard("[a-z_]+");
  for (const File& one : tree()) {
    if (!one.starts_with("include/")) continue;
    EXPECT_TRUE(one.is_header()) << one.path;
    for (const std::string& include : includes_of(one)) {
      const bool ours = include.starts_with("trigon/");
      // The headers that the umbrella leaves out, as they need glm and fmt.
      if (one.path == "include/trigon/glm.hpp" && include.starts_with("glm/")) continue;
      if (one.path == "include/trigon/fmt.hpp" && include.starts_with("fmt/")) continue;
      EXPECT_TRUE(ours || std::regex_match(include, standard)) << one.path << ": " << include;
      if (ours) {
        EXPECT_TRUE(fs::exists(fs::path(TRIGON_SOURCE_DIR) / "include" / include)) << include;
      }
    }
  }
}

TEST(Structure, ReachesEveryPublicHeaderFromTheUmbrella) {
  std::set<std::string> seen;
  std::vector<std::string> open = {"trigon/trigon.hpp"};
  while (!open.empty()) {
    const std::string header = open.back();
    open.pop_back();
    if (!header.starts_with("trigon/") || !seen.insert(header).second) continue;
    for (const std::string& include : includes_of(file("include/" + header))) {
      open.push_back(include);
    }
  }
  for (const File& one : tree()) {
    if (!one.starts_with("include/")) continue;
    const bool optional = one.path == "include/trigon/glm.hpp" ||
                          one.path == "include/trigon/fmt.hpp" ||
                          one.path == "include/trigon/image.hpp";
    EXPECT_NE(seen.contains(one.path.substr(8)), optional) << one.path;
  }
}

TEST(Structure, NamesTheProfileOnlyWhereDialectsAndDevicesAre) {
  const std::set<std::string> may = {
      "src/emit/dialect.cpp",     "src/emit/dialect.hpp",      "src/gl/caps.cpp",
      "src/gl/caps.hpp",          "src/gl/context.hpp",        "src/gl/egl/egl.cpp",
      "src/gl/web/web.cpp",       "src/run/device_state.cpp",  "src/run/device_state.hpp",
      "src/run/device.cpp",       "include/trigon/config.hpp", "include/trigon/device.hpp",
      "include/trigon/trigon.hpp"};
  for (const File& one : tree()) {
    if (!one.starts_with("src/") && !one.starts_with("include/")) continue;
    if (may.contains(one.path)) continue;
    EXPECT_FALSE(has_word(without_comments(one.text), "Profile")) << one.path;
  }
}

TEST(Structure, StatesTheLicenceFirst) {
  for (const File& one : tree()) {
    const bool script = one.text.starts_with("#!");
    const bool cmake = one.path.ends_with("CMakeLists.txt") || one.extension() == ".cmake";
    if (!script && !cmake && !one.is_header() && !one.is_source()) continue;
    const std::string line = "SPDX-License-Identifier: MIT\n";
    const std::size_t begin = script ? one.text.find('\n') + 1 : 0;
    const std::string want = (script || cmake ? "# " : "// ") + line;
    EXPECT_EQ(one.text.substr(begin, want.size()), want) << one.path;
  }
}

TEST(Structure, GuardsHeadersWithPragmaOnce) {
  for (const File& one : tree()) {
    if (one.is_header()) {
      EXPECT_NE(one.text.find("\n#pragma once\n"), std::string::npos) << one.path;
    }
  }
}

TEST(Structure, KeepsFilesShort) {
  for (const File& one : tree()) {
    if (!one.is_header() && !one.is_source()) continue;
    EXPECT_LE(lines_in(one), one.is_header() ? 400 : 500) << one.path;
  }
}

TEST(Structure, KeepsLinesShort) {
  for (const File& one : tree()) {
    if (!one.is_header() && !one.is_source()) continue;
    std::istringstream lines(one.text);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      // Two bytes of UTF-8 are one column.
      const auto columns =
          std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
      EXPECT_LE(columns, 100) << one.path << ":" << number;
    }
  }
}

TEST(Structure, PullsNoNamespaceIntoHeaders) {
  for (const File& one : tree()) {
    if (!one.is_header()) continue;
    EXPECT_EQ(one.text.find("using namespace"), std::string::npos) << one.path;
  }
}

TEST(Structure, WritesNoOpAndNoGlslInNn) {
  for (const char* path : {"include/trigon/nn.hpp", "src/ops/nn.cpp"}) {
    const std::string& text = file(path).text;
    for (const char* word : {"vec4", "vec2", "float32x4", "glsl", "texelFetch", "gl_FragCoord",
                             "TRIGON_UNARY", "TRIGON_BINARY", "TRIGON_TERNARY", "TRIGON_REDUCE"}) {
      EXPECT_FALSE(has_word(text, word)) << path << ": " << word;
    }
  }
}

TEST(Structure, DeclaresOpsInOpsOnly) {
  const std::regex declaration(R"(\n\s*TRIGON_(UNARY|BINARY|TERNARY|REDUCE)\()");
  for (const File& one : tree()) {
    if (one.starts_with("tests/") || one.starts_with("include/trigon/ops/")) continue;
    EXPECT_FALSE(std::regex_search(one.text, declaration)) << one.path;
  }
}

TEST(Structure, FindsGlslByItsWords) {
  EXPECT_EQ(glsl_in("f(\"{} = vec4(0.0)\");"), "vec4");
  EXPECT_EQ(glsl_in("f(\"uvec4 v{}\");"), "uvec4");
  EXPECT_EQ(glsl_in("// '\nf(\"a = texelFetch(t)\");"), "texelFetch");
  EXPECT_EQ(glsl_in("/* it's */ f(\"gl_FragCoord\");"), "gl_F");
  EXPECT_EQ(glsl_in("f('\"', \"v{}.xyz\");"), "}.xyz");
  EXPECT_EQ(glsl_in("f(R\"(a \" v0.x)\");"), "0.x");
  EXPECT_EQ(glsl_in("f(\"// not a comment\", \"a.w\");"), "a.w");
  EXPECT_EQ(glsl_in("1'000 + f(\"ivec4(0)\") + 1'000"), "ivec4");
  EXPECT_EQ(glsl_in("// vec4(0.0)\n/* \"vec4\" */ at.x = \"shape.size\";"), "");
}

TEST(Structure, WritesGlslInGlslEmitAndOpsOnly) {
  for (const File& one : tree()) {
    if (!one.starts_with("src/") && !one.starts_with("include/")) continue;
    if (one.starts_with("src/emit/") || one.starts_with("include/trigon/ops/")) continue;
    EXPECT_EQ(glsl_in(one.text), "") << one.path;
  }
}

}  // namespace
}  // namespace trigon
