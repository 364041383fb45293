// SPDX-License-Identifier: MIT
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <trigon/trigon.hpp>

#include "support/graph_values.hpp"
#include "support/plans.hpp"
#include "support/rewritten.hpp"

namespace trigon {
namespace {

using Doubles = std::vector<double>;
using Two = std::pair<Tensor, Tensor>;

TEST(Checkpoint, HasTheValuesAndDerivativesOfTheFunction) {
  const Tensor x = noise({3, 4}, 0.2), w = noise({4, 4}, 0.5), dx = noise({3, 4}, 0.8);
  const auto plain = [&](const Tensor& v) { return tanh(matmul(sin(v), w)) * v; };
  const auto kept = checkpoint(plain);
  EXPECT_EQ(values(kept(x)), values(plain(x)));
  const auto total = [](const auto& f) { return [&](const Tensor& v) { return sum(f(v)); }; };
  EXPECT_EQ(values(grad(total(kept), x)), values(grad(total(plain), x)));
  EXPECT_EQ(values(jvp(kept, x, dx).tangent), values(jvp(plain, x, dx).tangent));
  const auto second = [&](const auto& f) {
    return grad([&](const Tensor& v) { return sum(square(grad(total(f), v))); }, x);
  };
  const Doubles wanted = values(second(plain)), found = values(second(kept));
  for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_NEAR(found[k], wanted[k], 1e-9);
}

// Unlike custom_vjp, also towards what the function captures.
TEST(Checkpoint, DifferentiatesCapturedTensors) {
  const Tensor x({1.0, 2.0});
  const auto f = [&](const Tensor& w) {
    const Tensor doubled = w * 2.0;
    return sum(checkpoint([&](const Tensor& v) { return v * v * doubled; })(x * w));
  };
  const auto plain = [&](const Tensor& w) { return sum(x * w * x * w * w * 2.0); };
  EXPECT_EQ(values(grad(f, Tensor({3.0, 5.0}))), values(grad(plain, Tensor({3.0, 5.0}))));
}

TEST(Checkpoint, OfTreesIntegersAndLoops) {
  const auto f = checkpoint([](const Two& p) {
    return Two(fori_loop(
                   0, 3, [](Tensor, Tensor s) { return s * s; }, take(p.first, p.second, 0)),
               p.second + 1);
  });
  const auto total = [&](const Tensor& v) {
    const auto [y, index] = f(Two(v, Tensor({2, 0})));
    EXPECT_EQ(index.dtype(), int32);
    return sum(y);
  };
  EXPECT_EQ(values(grad(total, Tensor({2.0, 7.0, 1.0}))), (Doubles{8 * 128, 0, 8}));
}

TEST(Checkpoint, DoesNotPullBackResultsThatNobodyReads) {
  const auto f = [](const Tensor& x) {
    return sum(checkpoint([](const Tensor& v) { return Two(sqrt(v), v * 2.0); })(x).second);
  };
  EXPECT_EQ(values(grad(f, Tensor({0.0}))), (Doubles{2}));
}

TEST(Checkpoint, CallsTheFunctionOnce) {
  int calls = 0;
  const auto f = checkpoint([&](const Tensor& x) {
    ++calls;
    return x * x;
  });
  (void)values(grad([&](const Tensor& x) { return sum(f(x)); }, Tensor({1.0})));
  EXPECT_EQ(calls, 1);
}

/// How often an op stands in the canonical graph.
std::size_t count(const Tensor& root, const std::string& op) {
  const std::string text = support::after(root);
  std::size_t found = 0;
  for (std::size_t at = text.find(op); at != std::string::npos; at = text.find(op, at + 1)) ++found;
  return found;
}

// The rewriter makes equal operations one, but not those that wait for a gradient.
TEST(Checkpoint, ComputesAgainWhatItsGradientReads) {
  const auto inner = [](const Tensor& x) { return exp(sin(x)); };
  const auto gradient = [](const auto& f) {
    return grad([&](const Tensor& x) { return sum(square(f(x))); }, host_leaf({8}));
  };
  EXPECT_EQ(count(gradient(inner), "exp"), 1U);
  EXPECT_EQ(count(gradient(checkpoint(inner)), "exp"), 2U);
}

TEST(CheckpointError, NamesTheResult) {
  EXPECT_EQ(error_of([] { (void)checkpoint([](Tensor) { return Tensor(); })(ones({2})); }),
            "trigon::checkpoint: empty handle: the result of f refers to no value; assign a tensor "
            "first");
}

}  // namespace
}  // namespace trigon
