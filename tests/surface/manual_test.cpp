// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <utility>

#include "support/declared.hpp"
#include "support/source_tree.hpp"
#include "trigon/op.hpp"

// The manual that samples/ops_reference prints.

namespace trigon {
namespace {

namespace fs = std::filesystem;
using support::text_of;

const fs::path headers = fs::path(TRIGON_SOURCE_DIR) / "include/trigon";

// The status of the program and its output.
std::pair<int, std::string> run(const std::string& arguments) {
  FILE* const pipe = popen((TRIGON_OPS_REFERENCE " " + arguments + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return {-1, ""};
  std::string text;
  std::array<char, 4096> chunk{};
  for (std::size_t n = 0; (n = fread(chunk.data(), 1, chunk.size(), pipe)) > 0;) {
    text.append(chunk.data(), n);
  }
  return {pclose(pipe), text};
}

const std::string& manual() {
  static const std::string text =
      run(headers.string() + "/*.hpp " + headers.string() + "/detail/shape_class.hpp").second;
  return text;
}

// The entry of an op, without its heading.
std::string entry(const std::string& name) {
  const std::string heading = "\n### " + name + "\n";
  const std::size_t begin = manual().find(heading);
  if (begin == std::string::npos) return "";
  const std::size_t end = manual().find("\n##", begin + heading.size());
  return manual().substr(begin + heading.size(), end - begin - heading.size());
}

std::set<std::string> declared_ops() {
  static const std::regex declaration(R"re(\n *\.name = "(\w+)",\n)re");
  std::set<std::string> names;
  for (const auto& chapter : fs::directory_iterator(fs::path(TRIGON_SOURCE_DIR) / "src/entries")) {
    const std::string text = text_of(chapter.path());
    for (std::sregex_iterator it(text.begin(), text.end(), declaration), end; it != end; ++it) {
      names.insert((*it)[1]);
    }
  }
  return names;
}

TEST(Manual, HasAnEntryForEveryOp) {
  std::set<std::string> names = declared_ops();
  EXPECT_GT(names.size(), 70u);
  // Parts of other functions.
  for (const char* name : {"barrier", "max_sumexp", "moments"}) {
    EXPECT_EQ(names.erase(name), 1U) << name;
    EXPECT_EQ(entry(name), "");
  }
  for (const std::string& name : names) {
    EXPECT_NE(find_op(name), nullptr) << name;
    const std::string text = entry(name);
    EXPECT_NE(text.find("Tensor " + name + "(const Tensor& "), std::string::npos) << name;
    for (const char* fact : {"\n- Family: ", "\n- Example: ", "\n- Dtypes: ", "\n- Gradient: ",
                             "\n- Range: ", "\n- Tolerance: "}) {
      EXPECT_NE(text.find(fact), std::string::npos) << name << fact;
    }
  }
}

TEST(Manual, HasAnEntryForEveryPublicFunction) {
  // Members stand in the headers as functions of their class.
  const std::set<std::string> members{"at", "item", "read_async", "to_vector", "values_for"};
  std::size_t count = 0;
  for (const Declared& one : declared()) {
    if (members.contains(one.name)) continue;
    ++count;
    EXPECT_NE(entry(one.name).find("```cpp\n"), std::string::npos) << one.name;
  }
  EXPECT_GT(count, 230u);
}

TEST(Manual, PrintsWhatTheTableSays) {
  const std::string text = entry("nn::embedding");
  EXPECT_NE(text.find("Tensor embedding(const Tensor& ids, const Tensor& weight);"),
            std::string::npos);
  EXPECT_NE(text.find(R"(
- Like: torch.nn.functional.embedding
- Gradient: weight: everywhere
- Example: `nn::embedding(i(2,3), f(2,3))`
- Refused: `nn::embedding(i(2,3), f(4))`: weight is not a matrix
)"),
            std::string::npos)
      << text;
}

TEST(Manual, KeepsTheLinesOfExamples) {
  EXPECT_NE(entry("nn::cross_entropy").find(R"(

    Tensor loss = nn::cross_entropy(nn::linear(x, w), labels);

- Like)"),
            std::string::npos)
      << entry("nn::cross_entropy");
}

TEST(Manual, PrintsCommentAndEntry) {
  EXPECT_EQ(entry("exp"), R"(
```cpp
Tensor exp(const Tensor& x);
```

e to the power x, element-wise.

- Like: np.exp
- Family: unary, element-wise
- Dtypes: operands become float32, the result is float32
- Gradient: yes, to any order
- Range: [-87, 88]
- Tolerance: 2 ulp
- Example: `exp(f(2,3))`
)");
}

TEST(Manual, PrintsReductionsWithTheirOwnSignature) {
  const std::string text = entry("prod");
  EXPECT_NE(
      text.find("Tensor prod(const Tensor& x, const Axes& axes = {}, bool keepdims = false);"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("- Family: reduction\n"), std::string::npos) << text;
}

TEST(Manual, OpWithoutACommentIsAnError) {
  const auto [status, text] = run(headers.string() + "/math.hpp");
  EXPECT_NE(status, 0);
  EXPECT_EQ(text,
            "ops_reference: no comment: bitwise_and has none in the headers given; write `///` "
            "lines above "
            "`Tensor bitwise_and(...);`\n");
}

TEST(Manual, WrongCommandLineIsRefused) {
  const auto refuses = [](const std::string& arguments, const std::string& reason) {
    const auto [status, text] = run(arguments);
    EXPECT_EQ(WEXITSTATUS(status), 2) << arguments;
    EXPECT_EQ(text, "ops_reference: " + reason + "; see ops_reference --help\n");
  };
  refuses("", "no header is named");
  refuses("--no-such x.hpp", "unknown option --no-such");
  refuses("x.hpp --output", "--output needs a file");
}

TEST(Manual, HeadersThatCannotBeReadAreRefused) {
  const auto [status, text] = run("no_such_header.hpp");
  EXPECT_NE(status, 0);
  EXPECT_EQ(text, "ops_reference: cannot read no_such_header.hpp; name a header\n");
}

}  // namespace
}  // namespace trigon
