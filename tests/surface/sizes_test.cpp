// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstddef>

#include "support/source_reader.hpp"
#include "support/source_tree.hpp"

// How long functions are, and how many parameters and members there may be.

namespace trigon {
namespace {

using support::Class;
using support::Function;
using support::Reader;

TEST(Sizes, AreReadFromTheText) {
  const Reader reader(R"(#define TEXT(x) {
namespace a {
class B {
 public:
  explicit B(int x, std::pair<int, int> y = {1, 2}) : x_{x}, y_(y) {}
  int x() const { return x_; }  // {
  void f();
 private:
  int x_ = 0;
  std::pair<int, int> y_{1, 2};
};
constexpr int list[] = {1, 2};
std::vector<int> rows() {
  return {1,
          [] { return 2; }()};
}
int g(int a,
      int b, int c) {
  if (a > 0) {
    return b;
  }
  return c;
}
})");
  ASSERT_EQ(reader.classes.size(), 1U);
  EXPECT_EQ(reader.classes[0].functions, 3);
  ASSERT_EQ(reader.functions.size(), 5U);
  EXPECT_EQ(reader.functions[0].parameters, 2);
  EXPECT_EQ(reader.functions[1].parameters, 0);
  EXPECT_EQ(reader.functions[1].lines, 1);
  EXPECT_EQ(reader.functions[2].lines, 0);
  EXPECT_TRUE(reader.functions[3].is_list);
  EXPECT_EQ(reader.functions[4].parameters, 3);
  EXPECT_EQ(reader.functions[4].lines, 7);
  EXPECT_FALSE(reader.functions[4].is_list);
}

/// The sources of the library, and its public headers.
template <class Check>
void each_source(const Check& check) {
  for (const support::File& one : support::tree()) {
    const bool is_code = one.is_header() || one.is_source();
    if (is_code && (one.starts_with("src/") || one.starts_with("include/"))) {
      check(one, Reader(one.text));
    }
  }
}

TEST(Sizes, OfFunctionsStaySmall) {
  std::size_t count = 0;
  each_source([&](const support::File& file, const Reader& reader) {
    count += reader.functions.size();
    for (const Function& one : reader.functions) {
      if (!one.is_list) {
        EXPECT_LE(one.lines, 60) << file.path << ":" << one.head;
      }
      // The constructor of CuPy's ReductionKernel, argument by argument.
      if (one.head.find(" ReductionKernel(") == std::string::npos &&
          one.head.find("ReductionKernel::ReductionKernel(") == std::string::npos) {
        EXPECT_LE(one.parameters, 6) << file.path << ":" << one.head;
      }
    }
  });
  EXPECT_GT(count, 3000U);
}

// Tensor, the users' class, has NumPy's methods.
TEST(Sizes, OfClassesStaySmall) {
  std::size_t count = 0;
  each_source([&](const support::File& file, const Reader& reader) {
    if (!file.starts_with("src/")) return;
    count += reader.classes.size();
    for (const Class& one : reader.classes) {
      EXPECT_LE(one.functions, 45) << file.path << ":" << one.head;
    }
  });
  EXPECT_GT(count, 300U);
}

}  // namespace
}  // namespace trigon
