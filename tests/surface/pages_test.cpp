// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/source_tree.hpp"
#include "trigon/trigon.hpp"

// Statements of the README and the pages of docs about files, builds and missing names.
// documents_gl_test.cpp runs their code.

namespace trigon {
namespace {

namespace fs = std::filesystem;
using support::text_of;

const fs::path root = TRIGON_SOURCE_DIR;

/// "docs/loops.md" and its text, for all Markdown of the tree.
const std::map<std::string, std::string>& pages() {
  static const std::map<std::string, std::string> texts = [] {
    std::map<std::string, std::string> found;
    const auto add = [&](const fs::path& path) {
      if (fs::exists(path)) found[fs::relative(path, root).generic_string()] = text_of(path);
    };
    for (const char* name :
         {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "src/README.md", "bench/README.md"}) {
      add(root / name);
    }
    for (const auto& page : fs::directory_iterator(root / "docs")) {
      if (page.path().extension() == ".md") add(page.path());
    }
    for (const char* folder : {"bindings", "samples"}) {
      for (const auto& one : fs::directory_iterator(root / folder)) add(one.path() / "README.md");
    }
    return found;
  }();
  return texts;
}

std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it) {
    found.push_back((*it)[1]);
  }
  return found;
}

std::set<std::string> lines_of(const std::string& text) {
  std::set<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.insert(line);
  return lines;
}

TEST(Pages, LinkToFilesThatExist) {
  std::size_t count = 0;
  for (const auto& [name, text] : pages()) {
    for (const std::string& target : matches(text, R"(\]\(([^)#\s]+\.[^)#\s]+)(?:#[^)]*)?\))")) {
      if (target.starts_with("https://")) continue;
      EXPECT_TRUE(fs::exists((root / name).parent_path() / target)) << name << ": " << target;
      ++count;
    }
  }
  EXPECT_GE(count, 15u);
}

TEST(Pages, NameFilesThatExist) {
  std::size_t count = 0;
  for (const auto& [name, text] : pages()) {
    const std::string folders = "(?:bench|bindings|docs|glsl|include|samples|src|tests)";
    for (const std::string& path : matches(text, "`(" + folders + "/[\\w./-]+)`")) {
      if (path.find("NAME") != std::string::npos) continue;
      const bool is_there = fs::exists(root / path) || fs::exists(root / (path + ".cpp")) ||
                            fs::exists((root / name).parent_path() / path);
      EXPECT_TRUE(is_there) << name << ": " << path;
      ++count;
    }
  }
  EXPECT_GE(count, 50u);
}

TEST(Pages, NameSourcesThatExist) {
  std::string paths = "\n";
  for (const char* folder : {"src", "include", "glsl", "tests", "docs", "bindings", "samples"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      paths += "/" + fs::relative(entry.path(), root).generic_string() + "\n";
    }
  }
  const auto names = matches(pages().at("src/README.md"), R"(`([\w./]+\.(?:cpp|hpp|glsl|mjs|md)))");
  for (const std::string& name : names) {
    if (name.find("NAME") != std::string::npos) continue;
    EXPECT_NE(paths.find("/" + name + "\n"), std::string::npos) << name;
  }
  EXPECT_GE(names.size(), 100u);
}

TEST(Pages, AreFoundFromTheReadme) {
  for (const auto& [name, text] : pages()) {
    if (name == "README.md") continue;
    const bool is_named = pages().at("README.md").find("](" + name + ")") != std::string::npos;
    EXPECT_TRUE(is_named) << name;
  }
}

// Users copy these lines, and the tests of the package run them.
TEST(Pages, ShowTheBuildsOfThePackageTests) {
  std::string tested = text_of(root / "tests/package/pkg_config/run");
  for (const auto& folder : fs::directory_iterator(root / "tests/package")) {
    tested += text_of(folder.path() / "CMakeLists.txt");
  }
  const std::set<std::string> known = lines_of(tested);
  const std::string& readme = pages().at("README.md");
  std::size_t count = 0;
  for (const std::string& block : matches(readme, "\n```cmake\n([^`]*)```")) {
    for (const std::string& line : lines_of(block)) {
      EXPECT_TRUE(known.contains(line)) << line;
      ++count;
    }
  }
  EXPECT_GE(count, 5u);
  const auto compiles = matches(readme, "\n(c\\+\\+ [^\n]*)\n");
  ASSERT_EQ(compiles.size(), 1u);
  EXPECT_TRUE(known.contains(compiles[0])) << compiles[0];
}

// ---- Missing functions --------------------------------------------------------------------------

// Names are found through their argument, since a name that is qualified would have to exist.
#define MISSING(name)                        \
  {                                          \
#name, requires(Tensor x) { name(x); }   \
    || requires(Tensor x) { name(x, x); }    \
    || requires(Tensor x) { name(x, x, x); } \
  }

template <class Tensor>
std::map<std::string, bool> is_there() {
  return {MISSING(sort),       MISSING(argsort),   MISSING(unique),       MISSING(median),
          MISSING(percentile), MISSING(histogram), MISSING(searchsorted), MISSING(cumsum),
          MISSING(cumprod),    MISSING(diff),      MISSING(interp),       MISSING(convolve),
          MISSING(fft),        MISSING(inv),       MISSING(solve),        MISSING(det),
          MISSING(qr),         MISSING(svd),       MISSING(eigh),         MISSING(exp)};
}
#undef MISSING

TEST(Pages, NameTheFunctionsThatAreNotThere) {
  std::map<std::string, bool> there = is_there<Tensor>();
  EXPECT_TRUE(there.at("exp"));  // which the README does not name
  there.erase("exp");
  const std::string& readme = pages().at("README.md");
  const std::size_t begin = readme.find("\n- **functions**: ");
  ASSERT_NE(begin, std::string::npos);
  const auto named =
      matches(readme.substr(begin, readme.find("`. ", begin) + 1 - begin), "`(\\w+)`");
  EXPECT_EQ(named.size(), there.size());
  for (const std::string& name : named) {
    EXPECT_TRUE(there.contains(name)) << name << " is not looked for here";
  }
  for (const auto& [name, is_found] : there) EXPECT_FALSE(is_found) << name;
}

TEST(Pages, NameTheDtypesThatAreNotThere) {
  const std::string& readme = pages().at("README.md");
  const auto line = matches(readme, "\n- \\*\\*dtypes\\*\\*: ([^.]*)\\.");
  ASSERT_EQ(line.size(), 1u);
  const auto named = matches(line[0], "(u?int\\d+|float\\d+)");
  EXPECT_GE(named.size(), 6u);
  for (const std::string& name : named) {
    for (const DTypeInfo& dtype : dtype_table) EXPECT_NE(dtype.name, name);
  }
}

}  // namespace
}  // namespace trigon
