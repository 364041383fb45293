// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/errors.hpp"

// The code of README.md, docs/*.md and the manual's examples, compiled and run unchanged.
// extract.cpp takes them from the documents and writes documents.inc.

using namespace trigon;

/// The names that phrases and examples use.
struct Operands {
  Tensor x, y, u, v, w, a, b, i, q, k, ids, bias, labels;
  std::int64_t n = 8;
};

/// A program of a document, and its expected output; "" if the document does not show it.
struct Program {
  const char* place;
  void (*run)();
  std::string_view printed;
};
/// A phrase or an example.
struct Snippet {
  const char* place;
  std::string_view code;
  void (*run)(const Operands& operands);
};

template <class Code>
void run_with(const Operands& operands) {
  Code{operands}.run();
}

/// Evaluates a tensor, or each of several; other values need nothing more.
template <class Value>
void evaluate(const Value& value) {
  if constexpr (std::is_base_of_v<Tensor, Value>) {
    value.eval();
  } else if constexpr (std::is_convertible_v<const Value&, std::span<const Tensor>>) {
    eval(std::span<const Tensor>(value));
  }
}

/// `Check("0 1"), (expression)` evaluates the expression and compares it with the values that its
/// comment shows, if any. For an expression without a value this is C++'s built-in comma.
struct Check {
  std::string numbers;

  template <class Value>
  friend void operator,(const Check& check, const Value& value) {
    evaluate(value);
    if constexpr (std::is_base_of_v<Tensor, Value>) {
      if (check.numbers.empty()) return;
      std::istringstream text(check.numbers);
      std::vector<double> want;
      for (double number = 0; text >> number;) want.push_back(number);
      EXPECT_EQ(value.template to_vector<double>(), want);
    }
  }
};

#include "documents.inc"

namespace {

Tensor counted(const Shape& shape) {
  return (arange(shape.numel()).astype(float32) * 0.125 + 0.25).reshape(shape);
}

Operands floats() {
  return {.x = counted({6, 6}),
          .y = counted({6, 6}) * 0.5,
          .u = counted({3}),
          .v = counted({3}) + 1.0,
          .w = counted({4, 6}),
          .a = counted({5}),
          .b = counted({5}),
          .i = tensor<std::int32_t>({2, 0, 1}),
          .q = counted({2, 3, 4, 5}),
          .k = counted({2, 3, 6, 5}),
          .ids = tensor<std::int32_t>({2, 0, 1, 2}),
          .bias = counted({4}),
          .labels = tensor<std::int32_t>({2, 0, 1, 2, 3, 0})};
}

Operands whole_numbers() {
  Operands operands = floats();
  operands.x = arange(12).reshape(3, 4);
  operands.y = operands.x + 3;
  return operands;
}

Operands with_x(const Tensor& x) {
  Operands operands = floats();
  operands.x = x;
  return operands;
}

Operands with_v(const Tensor& v) {
  Operands operands = floats();
  operands.v = v;
  return operands;
}

/// Operands for code that needs others than `floats`.
const std::map<std::string_view, Operands>& special() {
  static const std::map<std::string_view, Operands> operands = {
      {"(x & 1) == 0", whole_numbers()},
      {"x | y", whole_numbers()},
      {"x ^ y", whole_numbers()},
      {"~x", whole_numbers()},
      {"x << 2", whole_numbers()},
      {"x >> 2", whole_numbers()},
      {"x(1) = v", with_v(Tensor(2.0))},
      {"x(1, Slice{2}) += v", with_v(Tensor(2.0))},
      {"x.at(1).set(v)", with_v(Tensor(2.0))},
      {"squeeze(x, {0, 1})", with_x(counted({1, 1, 3}))},
      {"x.item()", with_x(counted({1, 1}))},
      {"x.item<double>()", with_x(counted({1, 1}))},
      {"x.item<int>()", with_x(Tensor{{3}})},
      {"x.item<bool>()", with_x(counted({1, 1}) > 0.0)},
  };
  return operands;
}

// Phrases read and write files in the current folder, and change how tensors are printed.
class Documents : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    std::filesystem::current_path(folder_);
    save_npy("x.npy", counted({2, 3}));
  }
  void TearDown() override {
    set_print_options({});
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
  // Several runs of the tests may be active at once.
  std::filesystem::path folder_ = std::filesystem::path(::testing::TempDir()) /
                                  ("trigon_documents_" + std::to_string(::getpid()));
};

/// The text with this machine's device in place of the one shown, without the words of a driver's
/// compiler and without spaces at the ends of lines.
std::string on_any_device(const std::string& text) {
  static const std::regex device(R"(llvmpipe \(LLVM[^)]*\))");
  static const std::regex spaces(" +\n");
  static const std::regex driver("(does not compile: line [0-9]+: )[^\n]*");
  const std::string named = std::regex_replace(text, device, Device::default_device().name());
  return std::regex_replace(std::regex_replace(named, driver, "$1..."), spaces, "\n");
}

TEST_F(Documents, ProgramsPrintWhatIsShown) {
  EXPECT_GE(std::size(programs), 4u);
  for (const Program& program : programs) {
    SCOPED_TRACE(program.place);
    ::testing::internal::CaptureStdout();
    const std::string error = support::error_of(program.run);
    const std::string printed = ::testing::internal::GetCapturedStdout();
    EXPECT_EQ(error, "no error");
    set_print_options({});
    if (program.printed.empty()) continue;
    EXPECT_EQ(on_any_device(printed), on_any_device(std::string(program.printed)));
  }
}

TEST_F(Documents, PhrasesAndExamplesRun) {
  EXPECT_GE(std::size(snippets), 90u);
  for (const Snippet& snippet : snippets) {
    SCOPED_TRACE(std::string(snippet.place) + ": " + std::string(snippet.code));
    const auto found = special().find(snippet.code);
    EXPECT_NO_THROW(snippet.run(found == special().end() ? floats() : found->second));
  }
}

TEST_F(Documents, AreAllTaken) {
  std::set<std::string> taken;
  const auto take = [&](const std::string& place) {
    taken.insert(place.substr(0, place.find(':')));
  };
  for (const Program& program : programs) take(program.place);
  for (const Snippet& snippet : snippets) take(snippet.place);
  EXPECT_TRUE(taken.contains("README.md"));
  const std::filesystem::path root = TRIGON_SOURCE_DIR;
  for (const auto& page : std::filesystem::directory_iterator(root / "docs")) {
    std::stringstream text;
    text << std::ifstream(page.path()).rdbuf();
    const std::string name = "docs/" + page.path().filename().string();
    const bool has_code = text.str().find("\n```cpp\n") != std::string::npos;
    EXPECT_EQ(taken.contains(name), has_code) << name;
  }
}

TEST_F(Documents, HaveTheCodeOfTheSpecialOperands) {
  for (const auto& each : special()) {
    const auto is_this = [&](const Snippet& snippet) { return snippet.code == each.first; };
    EXPECT_TRUE(std::any_of(std::begin(snippets), std::end(snippets), is_this)) << each.first;
  }
}

}  // namespace
