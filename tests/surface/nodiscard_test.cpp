// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

// Public functions whose result is their point are marked, so that a call which drops it warns.

namespace trigon {
namespace {

namespace fs = std::filesystem;

/// A header without comments, texts and preprocessor lines; lines keep their numbers.
std::string code_of(std::string text) {
  static const std::regex skipped(R"re(//[^\n]*|"(\\.|[^"\\\n])*"|'(\\.|[^'\\\n])'|)re"
                                  R"re((^|\n)[ ]*#([^\n]*\\\n)*[^\n]*)re");
  std::string code;
  auto rest = text.cbegin();
  for (std::sregex_iterator it(text.begin(), text.end(), skipped), end; it != end; ++it) {
    code.append(rest, it->prefix().second);
    for (const char c : it->str()) {
      if (c == '\n') code += c;
    }
    rest = it->suffix().first;
  }
  return code.append(rest, text.cend());
}

enum class Scope { open, hidden, skipped };

/// A declaration that ends in `{` or `;` outside of functions.
struct Declaration {
  std::string text;
  long line;
  std::string in_class;  ///< the class that it is a member of, or ""
};

/// Strips the first match of a pattern at the start.
bool strip(std::string& text, const char* pattern) {
  std::smatch match;
  const std::regex start(std::string("^\\s*") + pattern);
  if (!std::regex_search(text, match, start)) return false;
  text = match.suffix();
  return true;
}

/// The text without angle brackets and their content.
std::string without_angles(const std::string& text) {
  std::string plain;
  int depth = 0;
  for (const char c : text) {
    if (c == '<') ++depth;
    if (depth == 0) plain += c;
    if (c == '>' && depth > 0) --depth;
  }
  return plain;
}

/// The name of a function that returns something, or "" for any other declaration.
std::string function_with_result(const Declaration& declaration) {
  static const std::regex function(R"(([\w:&*\s\]\[]*?)\s*(operator\s*[^\s\w(]+|operator\(\)|)"
                                   R"(operator\s*[\w&* ]+|[\w:]+)\s*\()");
  std::string text = declaration.text;
  const std::size_t name_at = text.find("operator");
  std::string before = without_angles(text.substr(0, name_at));
  if (name_at != std::string::npos) before += text.substr(name_at);
  strip(before, R"(template\s*)");
  strip(before, R"(requires\s*\(([^()]|\([^()]*\))*\))");
  strip(before, R"(requires\s+[\w:]+)");  // a concept, its angles are gone
  std::smatch match;
  if (!std::regex_search(before, match, function, std::regex_constants::match_continuous))
    return "";
  std::string result = match[1];
  static const std::regex specifiers(R"(\b(inline|constexpr|static|friend|explicit|const)\b)");
  result = std::regex_replace(result, specifiers, "");
  strip(result, R"(\s+)");
  const std::string name = match[2];
  static const std::set<std::string> others{"static_assert", "requires", "decltype", "noexcept"};
  if (others.contains(name) || name.find("::") != std::string::npos) return "";
  const bool nothing = result.find_first_not_of(" \n") == std::string::npos;
  const bool is_void = std::regex_match(result, std::regex(R"(\s*void\s*)"));
  if (nothing || is_void || result.find("noreturn") != std::string::npos) return "";
  if (std::regex_search(text, std::regex(R"(=\s*delete\s*$)"))) return "";
  return name;
}

/// The public declarations of a header, without those of namespaces for the library's own use.
std::vector<Declaration> declarations_of(const std::string& code) {
  struct Open {
    Scope scope;
    std::string name = "";
    bool is_private = false;
  };
  std::vector<Declaration> found;
  std::vector<Open> open{{Scope::hidden}};
  std::string head;
  long line = 1, head_line = 1;
  int parentheses = 0;
  const auto end_of_declaration = [&] {
    const Open& in = open.back();
    if (in.scope == Scope::open && !in.is_private) found.push_back({head, head_line, in.name});
    head.clear();
  };
  const std::regex space(R"(\s*namespace\s*([\w:]*)\s*)");
  const std::regex type(R"((?:\s*template\s*<[^\n]*>)?(?:\s*requires[^\n]*)?)"
                        R"(\s*(class|struct|union)\s+(?:\[\[nodiscard\]\]\s*)?(\w+)[^(;=]*)");
  const std::regex access(R"(\s*(public|private|protected)\s*)");
  for (const char c : code) {
    if (c == '\n') ++line;
    if (c == '(') ++parentheses;
    if (c == ')') --parentheses;
    std::smatch match;
    if (parentheses > 0 || (c != '{' && c != '}' && c != ';' && c != ':')) {
      if (head.empty() && std::isspace(static_cast<unsigned char>(c)) != 0) continue;
      if (head.empty()) head_line = line;
      head += c;
    } else if (c == ':') {
      if (std::regex_match(head, match, access)) {
        open.back().is_private = match[1] != "public";
        head.clear();
      } else {
        head += c;
      }
    } else if (c == ';') {
      end_of_declaration();
    } else if (c == '}') {
      open.pop_back();
      head.clear();
    } else if (open.back().scope == Scope::skipped) {
      open.push_back({Scope::skipped});
    } else if (std::regex_match(head, match, space)) {
      const std::string name = match[1];
      const bool is_public = open.back().scope == Scope::open || name.starts_with("trigon");
      const bool own = name.find("detail") != std::string::npos;
      open.push_back({is_public && !own ? Scope::open : Scope::hidden});
      head.clear();
    } else if (std::regex_match(head, match, type)) {
      const bool own = open.back().scope == Scope::hidden || open.back().is_private;
      open.push_back({own ? Scope::hidden : Scope::open, match[2], match[1] == "class"});
      head.clear();
    } else {
      end_of_declaration();
      open.push_back({Scope::skipped});
    }
  }
  return found;
}

/// Those that are called for their effect, or that return the object itself.
bool has_effect(const std::string& name, const std::string& text) {
  static const std::set<std::string> names{"eval", "default_device", "with_gradient"};
  static const std::regex update(R"(operator\s*([-+*/%&|^]|<<|>>)?=)");
  const bool prints = text.find("std::ostream& operator<<") != std::string::npos;
  return names.contains(name) || prints || std::regex_match(name, update);
}

TEST(Nodiscard, MarksEveryPublicFunctionWithAResult) {
  const fs::path root = fs::path(TRIGON_SOURCE_DIR) / "include";
  int marked = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path());
    const std::string code = code_of({std::istreambuf_iterator<char>(file), {}});
    for (const Declaration& one : declarations_of(code)) {
      const std::string name = function_with_result(one);
      if (name.empty() || has_effect(name, one.text)) continue;
      const bool is_marked = one.text.find("[[nodiscard]]") != std::string::npos;
      EXPECT_TRUE(is_marked) << entry.path().string() << ":" << one.line << ": " << name << ": "
                             << one.text;
      marked += is_marked ? 1 : 0;
    }
  }
  EXPECT_GT(marked, 300);
}

}  // namespace
}  // namespace trigon
