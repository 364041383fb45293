// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/errors.hpp"

// explain() on a device; tests/pipeline/explain_test.cpp pins its text.

namespace trigon {
namespace {

bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
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
  Tensor numbers = arange(4) * 1.5;  // made only of numbers, so any device may evaluate it
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
  EXPECT_THROW(static_cast<void>(explain(roots)), Error);
  EXPECT_THROW(static_cast<void>(cost(roots)), Error);
}

// ---- TRIGON_DEBUG

/// A device that is opened while a variable has a value.
Device opened_with(const char* variable, const char* value) {
  const char* const before = std::getenv(variable);
  const std::string kept = before == nullptr ? "" : before;  // empty is as good as unset
  ::setenv(variable, value, 1);
  const auto restore = [&] { ::setenv(variable, kept.c_str(), 1); };
  try {
    const Device device;
    restore();
    return device;
  } catch (...) {
    restore();
    throw;
  }
}

std::string printed(const char* level) {
  const Device device = opened_with("TRIGON_DEBUG", level);
  const Tensor y = tensor<float>({1, 2}, {2}).to(device) + 1.0;
  ::testing::internal::CaptureStderr();
  y.eval();
  return ::testing::internal::GetCapturedStderr();
}

TEST(Explain, IsPrintedAsFarAsTheVariableSays) {
  EXPECT_EQ(printed(""), "");
  EXPECT_EQ(printed("0"), "");
  const std::string draws = printed("1"), graph = printed("2"), glsl = printed("3");
  EXPECT_TRUE(draws.starts_with("trigon on ") && has(draws, ": plan: 1 draw, ")) << draws;
  EXPECT_FALSE(has(draws, "graph:") || has(draws, "void main()")) << draws;
  EXPECT_TRUE(has(graph, ": graph: ") && has(graph, "\nplan: 1 draw, ")) << graph;
  EXPECT_FALSE(has(graph, "void main()")) << graph;
  EXPECT_TRUE(has(glsl, ": graph: ") && has(glsl, "void main()")) << glsl;
}

TEST(Device, RefusesLevelsThatAreNone) {
  const auto refusal = [](const char* variable, const char* value) {
    return support::error_of<DeviceError>([&] { return opened_with(variable, value); });
  };
  for (const std::string text : {"nan", "x", "4", "-1", "1\n"}) {
    const std::string shown = text == "1\n" ? "1\\x0a" : text;
    EXPECT_EQ(refusal("TRIGON_DEBUG", text.c_str()), "trigon::Device: TRIGON_DEBUG: bad value: \"" +
                                                         shown +
                                                         "\"; it must be a whole number in [0, 3]");
  }
  for (const char* variable : {"TRIGON_CHECK", "TRIGON_POISON"}) {
    EXPECT_EQ(refusal(variable, ""), "no error");
    EXPECT_EQ(refusal(variable, "0"), "no error");
    EXPECT_EQ(refusal(variable, "1"), "no error");
    EXPECT_EQ(refusal(variable, "yes"), std::string("trigon::Device: ") + variable +
                                            ": bad value: \"yes\"; it must be a whole number in "
                                            "[0, 1]");
  }
}

}  // namespace
}  // namespace trigon
