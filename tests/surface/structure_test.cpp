// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/rooms.hpp"
#include "support/source_tree.hpp"

// The rules of the source tree: which folder may see which, and how long files may be.

namespace trigon {
namespace {

namespace fs = std::filesystem;
using support::File;
using support::files_of_rooms;
using support::folder_of;
using support::includes_of;
using support::rooms;
using support::seen_from;
using support::tree;

const File& file(const std::string& path) {
  for (const File& one : tree()) {
    if (one.path == path) return one;
  }
  throw std::runtime_error(path + " is missing");
}

long lines_in(const File& one) { return std::count(one.text.begin(), one.text.end(), '\n'); }

bool has_word(const std::string& text, const std::string& word) {
  return std::regex_search(text, std::regex("\\b" + word + "\\b"));
}

std::string without_comments(const std::string& text) {
  return std::regex_replace(text, std::regex("//[^\n]*"), "");
}

/// The first piece of GLSL in the string literals of a C++ source, or "".
std::string glsl_in(const std::string& source) {
  static const std::regex words(R"(\b[iu]?vec[234]\b|\btexelFetch|\btexture(2D)?\(|\bgl_\w)"
                                R"(|[\w\])}]\.[xyzw]{1,4}\b|\bprecision \w+ float)");
  const std::string text = support::split(source).literals;
  std::smatch match;
  return std::regex_search(text, match, words) ? match.str() : "";
}

TEST(Structure, SeesOnlyTheRoomsBelow) {
  std::set<std::string> found;
  for (const File* one : files_of_rooms()) {
    const std::string room = folder_of(one->path);
    ASSERT_TRUE(rooms().contains(room)) << one->path << " lies in no room";
    found.insert(room);
    for (const std::string& include : includes_of(*one)) {
      if (!fs::exists(fs::path(TRIGON_SOURCE_DIR) / "src" / include)) continue;
      EXPECT_TRUE(seen_from(room).contains(folder_of(include)))
          << one->path << " includes " << include;
    }
  }
  EXPECT_EQ(found.size(), rooms().size());
}

TEST(Structure, HasOnlyFoldersInSrc) {
  for (const File& one : tree()) {
    if (!one.starts_with("src/") || one.path == "src/README.md") continue;
    EXPECT_NE(folder_of(one.path), "") << one.path;
  }
}

// Forward declarations alone stand in namespaces of other rooms.
TEST(Structure, DeclaresNamesInTheRoomsNamespace) {
  const std::regex opened(R"(\nnamespace (trigon::detail::|detail::)(\w+)[^{\n]* \{\n)");
  const std::regex forward(R"((\s*((class|struct|enum|enum class) \w+( : [\w:]+)?;))*\s*)");
  for (const File* one : files_of_rooms()) {
    const std::string room = folder_of(one->path);
    for (std::sregex_iterator block(one->text.begin(), one->text.end(), opened), end; block != end;
         ++block) {
      if (!rooms().contains((*block)[2])) continue;  // a part of the public headers
      if ((*block)[2] == room) continue;
      const auto begin = one->text.begin() + block->position() + block->length();
      const std::string body(begin, std::find(begin, one->text.end(), '}'));
      EXPECT_TRUE(std::regex_match(without_comments(body), forward))
          << one->path << " opens the namespace of " << (*block)[2];
    }
  }
}

/// The includes from module to module; a header of src and its source are one module, and so is a
/// public header.
std::map<std::string, std::set<std::string>> modules() {
  static const std::regex ending(R"(\.\w+$)"), folder("^(src|include)/");
  const auto module_of = [](const std::string& path) {
    return std::regex_replace(std::regex_replace(path, folder, ""), ending, "");
  };
  std::vector<const File*> files = files_of_rooms();
  for (const File& one : tree()) {
    if (one.starts_with("include/")) files.push_back(&one);
  }
  std::map<std::string, std::set<std::string>> found;
  for (const File* one : files) found[module_of(one->path)];
  for (const File* one : files) {
    for (const std::string& include : includes_of(*one)) {
      const std::string used = module_of(include), user = module_of(one->path);
      if (used != user && found.contains(used)) found[user].insert(used);
    }
  }
  return found;
}

TEST(Structure, HasNoCircleOfModules) {
  std::map<std::string, std::set<std::string>> left = modules();
  // A module that uses no remaining one is in no cycle.
  for (bool any = true; any;) {
    any = false;
    for (auto one = left.begin(); one != left.end();) {
      std::erase_if(one->second, [&](const std::string& used) { return !left.contains(used); });
      const bool is_free = one->second.empty();
      one = is_free ? left.erase(one) : std::next(one);
      any = any || is_free;
    }
  }
  // Nor is a module that no remaining one uses.
  for (bool any = true; any;) {
    std::set<std::string> used;
    for (const auto& [module, uses] : left) used.insert(uses.begin(), uses.end());
    any = std::erase_if(left, [&](const auto& one) { return !used.contains(one.first); }) > 0;
  }
  std::string text;
  for (const auto& [module, uses] : left) {
    for (const std::string& one : uses) {
      if (left.contains(one)) text += module + " uses " + one + "\n";
    }
  }
  EXPECT_EQ(text, "");
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

/// Whether a public header's comment says that the umbrella leaves it out.
bool says_that_it_is_optional(const File& one) {
  const std::string text = std::regex_replace(one.text, std::regex("\n// "), " ");
  return text.find("trigon.hpp does not include this header") != std::string::npos;
}

TEST(Structure, KeepsOtherPeoplesHeadersOutOfInclude) {
  const std::regex standard("[a-z_]+");
  for (const File& one : tree()) {
    if (!one.starts_with("include/")) continue;
    EXPECT_TRUE(one.is_header()) << one.path;
    for (const std::string& include : includes_of(one)) {
      const bool ours = include.starts_with("trigon/");
      // A header for users of a library has its name.
      const bool is_named_after =
          !ours && include.starts_with(fs::path(one.path).stem().string() + "/");
      EXPECT_TRUE(!is_named_after || says_that_it_is_optional(one)) << one.path;
      EXPECT_TRUE(ours || is_named_after || std::regex_match(include, standard))
          << one.path << ": " << include;
      if (ours) {
        EXPECT_TRUE(fs::exists(fs::path(TRIGON_SOURCE_DIR) / "include" / include)) << include;
      }
    }
  }
}

/// The public headers that a program gets from these, such as "trigon/trigon.hpp".
std::set<std::string> reached_from(std::vector<std::string> open) {
  std::set<std::string> seen;
  while (!open.empty()) {
    const std::string header = open.back();
    open.pop_back();
    if (!header.starts_with("trigon/") || !seen.insert(header).second) continue;
    for (const std::string& include : includes_of(file("include/" + header))) {
      open.push_back(include);
    }
  }
  return seen;
}

TEST(Structure, ReachesEveryPublicHeaderFromTheUmbrella) {
  std::vector<std::string> optional;
  for (const File& one : tree()) {
    if (!one.starts_with("include/") || !says_that_it_is_optional(one)) continue;
    optional.push_back(one.path.substr(std::string("include/").size()));
  }
  const std::set<std::string> seen = reached_from({"trigon/trigon.hpp"});
  for (const std::string& header : optional) EXPECT_FALSE(seen.contains(header)) << header;
  std::set<std::string> all = reached_from(optional);
  all.insert(seen.begin(), seen.end());
  for (const File& one : tree()) {
    if (!one.starts_with("include/")) continue;
    EXPECT_TRUE(all.contains(one.path.substr(std::string("include/").size()))) << one.path;
  }
}

TEST(Structure, NamesTheProfileOnlyWhereDialectsAndDevicesAre) {
  const std::set<std::string> may = {"emit", "gl", "run"};
  const std::regex declares(R"(\n(enum class Profile|class [^;\n]*\bDevice) )");
  for (const File& one : tree()) {
    const bool is_public = one.starts_with("include/");
    if (!one.starts_with("src/") && !is_public) continue;
    if (is_public ? std::regex_search(one.text, declares) : may.contains(folder_of(one.path))) {
      continue;
    }
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

// Attributes of nodes and fields of instructions have names; their order means nothing. In a header
// a struct reads its own fields by a bare name.
TEST(Structure, ReadsAttributesByName) {
  const std::regex by_position(R"((\.|->)(attrs|numbers|ints|args)(\[|\.at\())");
  const std::regex own(R"(\b(attrs|numbers|ints|args)(\[|\.at\())");
  for (const File& one : tree()) {
    if (!one.path.starts_with("src/")) continue;
    std::smatch found;
    EXPECT_FALSE(std::regex_search(one.text, found, one.is_header() ? own : by_position))
        << one.path << ": " << found.str();
  }
}

/// The names in a C++ source, without those after `.`, `->` or `::`, which others have given.
std::set<std::string> own_names_in(const std::string& source) {
  static const std::regex name(R"((\.|->|::)?\b([A-Za-z_]\w*))");
  const std::string code = support::split(source).code;
  std::set<std::string> found;
  for (std::sregex_iterator one(code.begin(), code.end(), name), end; one != end; ++one) {
    if (!(*one)[1].matched) found.insert((*one)[2]);
  }
  return found;
}

TEST(Structure, FindsNamesThatASourceGives) {
  EXPECT_EQ(own_names_in("int lane = of.slot + at->part; // trip\nf(\"stage\", core::lanes);"),
            (std::set<std::string>{"int", "lane", "of", "at", "f", "core"}));
}

// A word in names has one meaning, so only these folders may give names with it: see src/README.md.
TEST(Structure, NamesThingsByWordsOfOneMeaning) {
  const std::map<std::string, std::set<std::string>> folders = {
      {"lane", {"core", "schedule", "kernel", "lower", "emit", "gl", "bench"}},  // of four
      {"slot", {"kernel", "plan", "lower", "run", "pipeline"}},                  // of a plan
      {"stage", {"gl", "bench"}},                                   // of a shader, of the pipeline
      {"part", {"include", "transform", "pipeline", "tensor"}},     // of a tree
      {"trip", {"core", "kernel", "plan", "lower", "emit", "gl"}},  // of a block in a kernel
      {"apart", {}},
  };
  std::vector<std::pair<const File*, std::set<std::string>>> files;
  for (const File& one : tree()) {
    const bool is_code = one.is_header() || one.is_source();
    if (is_code && !one.starts_with("tests/")) files.emplace_back(&one, own_names_in(one.text));
  }
  for (const auto& [word, may] : folders) {
    std::string type = word;
    type[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(type[0])));
    const std::regex holds("(^|_)" + word + "s?(_|$)|^" + type + "s?(?![a-z])");
    for (const auto& [one, names] : files) {
      if (may.contains(folder_of(one->path))) continue;
      for (const std::string& name : names) {
        EXPECT_FALSE(std::regex_search(name, holds)) << one->path << ": " << name;
      }
    }
  }
}

TEST(Structure, NamesFilesByWordsOfOneMeaning) {
  static const std::regex words("(^|_)(lanes?|stages?|trips?|apart|parts?)(_|$)");
  for (const File& one : tree()) {
    if (!one.starts_with("src/") || one.starts_with("src/emit/")) continue;
    const std::string name = fs::path(one.path).stem().string();
    EXPECT_FALSE(std::regex_search(name, words)) << one.path;
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

TEST(Structure, DeclaresOpsInEntriesOnly) {
  const std::regex declaration(R"(\n\s*(TRIGON_(UNARY|BINARY|TERNARY|REDUCE)\(|)"
                               R"(constexpr (Unary|Binary|Ternary|Reduce)Spec \w+\[))");
  EXPECT_TRUE(std::regex_search(file("src/entries/math.cpp").text, declaration));
  for (const File& one : tree()) {
    if (one.starts_with("tests/") || one.starts_with("src/entries/")) continue;
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

TEST(Structure, WritesGlslInGlslEmitAndEntriesOnly) {
  for (const File& one : tree()) {
    if (!one.starts_with("src/") && !one.starts_with("include/")) continue;
    if (one.starts_with("src/emit/") || one.starts_with("src/entries/")) continue;
    EXPECT_EQ(glsl_in(one.text), "") << one.path;
  }
}

}  // namespace
}  // namespace trigon
