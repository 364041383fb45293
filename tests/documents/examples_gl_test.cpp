// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include <trigon/image.hpp>
#include <trigon/trigon.hpp>

// The examples of pages about the functions in C++, compiled and run unchanged. functions.cpp
// writes them as functions.inc, and functions.json as bindings/web/functions.json has it, but for
// what they print.

using namespace trigon;

/// An example, and its place in functions.json.
struct Example {
  const char* place;
  void (*run)();
};

namespace {

#include "functions.inc"

using Json = nlohmann::ordered_json;

Json read(const std::string& path) { return Json::parse(std::ifstream(path)); }

const std::string checked_in = std::string(TRIGON_SOURCE_DIR) + "/bindings/web/functions.json";

/// The numbers of a text, and the text without them and without the spaces between them.
std::pair<std::vector<double>, std::string> split(const std::string& text) {
  static const std::regex number(R"([-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?)"), space(" +");
  std::vector<double> numbers;
  for (std::sregex_iterator it(text.begin(), text.end(), number), end; it != end; ++it) {
    numbers.push_back(std::stod(it->str()));
  }
  return {numbers, std::regex_replace(std::regex_replace(text, number, ""), space, "")};
}

/// Devices differ in the last digits.
bool is_near(const std::string& a, const std::string& b) {
  const auto [numbers, text] = split(a);
  const auto [others, other_text] = split(b);
  if (text != other_text || numbers.size() != others.size()) return false;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (std::abs(numbers[k] - others[k]) > 1e-6 + 1e-5 * std::abs(others[k])) return false;
  }
  return true;
}

/// functions.json with what the examples print here. An example that already has a text there
/// prints another one in JavaScript.
Json printed_here() {
  Json all = read(TRIGON_FUNCTIONS);
  for (const Example& one : examples) {
    SCOPED_TRACE(one.place);
    ::testing::internal::CaptureStdout();
    EXPECT_NO_THROW(one.run());
    const std::string printed = ::testing::internal::GetCapturedStdout();
    EXPECT_NE(printed, "");
    Json& example = all[Json::json_pointer(one.place)];
    if (!example.contains("printed")) example["printed"] = printed;
  }
  return all;
}

/// Examples write files in the current folder.
class FunctionExamples : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    std::filesystem::current_path(folder_);
  }
  void TearDown() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
  // Several runs of the tests may be active at once.
  std::filesystem::path folder_ = std::filesystem::path(::testing::TempDir()) /
                                  ("trigon_examples_" + std::to_string(::getpid()));
};

TEST_F(FunctionExamples, PrintWhatPagesShow) {
  EXPECT_GE(std::size(examples), 230U);
  Json here = printed_here();
  if (std::getenv("TRIGON_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(checked_in) << here.dump(1) << "\n";
    return;
  }
  const Json there = read(checked_in);
  for (const Example& one : examples) {
    const auto place = Json::json_pointer(std::string(one.place) + "/printed");
    if (!there.contains(place)) continue;  // the file is old, which is told below
    const std::string shown = there[place], printed = here[place];
    EXPECT_TRUE(is_near(printed, shown)) << one.place << ": " << printed << "not " << shown;
    here[place] = shown;
  }
  EXPECT_EQ(here.dump(1), there.dump(1))
      << "TRIGON_UPDATE_GOLDEN=1 document_tests --gtest_filter='FunctionExamples.*' writes it";
}

TEST_F(FunctionExamples, AreComparedByTheirNumbers) {
  EXPECT_TRUE(is_near("[0.5 1.  ]\n", "[0.50000001 1.]\n"));
  EXPECT_FALSE(is_near("[0.5 1.]", "[0.5001 1.]"));
  EXPECT_FALSE(is_near("[0.5 1.]", "[[0.5 1.]]"));
  EXPECT_FALSE(is_near("[0.5 1.]", "[0.5]"));
}

}  // namespace
