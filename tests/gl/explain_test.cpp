// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <trigon/trigon.hpp>

// explain() on a device; tests/host/explain_test.cpp pins its text.

namespace trigon {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Explain, ShowsGraphDrawsReasonsAndGlsl) {
  const Tensor x = tensor<float>({1, 2, 3, 4}, {2, 2});
  const std::string text = explain(exp(x) + 1.0);
  EXPECT_TRUE(has(text, "graph: 5 nodes\n")) << text;
  EXPECT_TRUE(has(text, "  draw 0: exp, add\n    reads  t0\n")) << text;
  EXPECT_TRUE(has(text, "(2, 2) float32, add: asked for\n")) << text;
  EXPECT_TRUE(has(text, "void main()")) << text;
  EXPECT_TRUE(has(text, "\ntotal\n  draws                      1\n")) << text;
}

TEST(Explain, TakesSeveralRootsAndDrawsNothing) {
  const Tensor x = tensor<float>({1, 2, 3, 4}, {2, 2});
  const std::vector<Tensor> roots{x + 1.0, sum(x)};
  const Counters before = counters();
  const std::string text = explain(roots);
  EXPECT_EQ(counters() - before, Counters{});
  EXPECT_TRUE(has(text, ", add: asked for\n")) << text;
  EXPECT_TRUE(has(text, ", sum: asked for\n")) << text;
}

TEST(Explain, NamesWhatGoesThroughTheCpu) {
  const Device second;
  Tensor numbers = arange(4) * 1.5;  // made of numbers alone, so any device may evaluate it
  EXPECT_FALSE(has(explain(tensor<float>({1}, {1}) + numbers), "through the CPU"));
  numbers.eval();
  const std::string text = explain(tensor<float>({1, 2, 3, 4}, {4}).to(second) + numbers);
  EXPECT_TRUE(has(text, "through the CPU: %")) << text;
  EXPECT_TRUE(has(text, "(4,) float32 is copied from another device\n")) << text;
}

TEST(Explain, IsRefusedForOneOfTwoDevices) {
  const Device second;
  const std::vector<Tensor> roots{
      tensor<float>({1}, {1}) + 1.0,
      tensor<float>({1}, {1}).to(second) + 1.0,
  };
  EXPECT_THROW(explain(roots), Error);
  EXPECT_THROW(cost(roots), Error);
}

}  // namespace
}  // namespace trigon
