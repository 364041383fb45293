// SPDX-License-Identifier: MIT
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <trigon/trigon.hpp>

namespace trigon {
namespace {

using Numbers = std::vector<float>;

// A rule that reads its result makes new outputs of the call, which is older than the trace.
TEST(CustomVjpOnDevice, APullbackRunsInACompiledFunction) {
  const auto f =
      custom_vjp([](const Tensor& x) { return exp(x); },
                 [](const Tensor& dy, const Tensor&, const Tensor& y) { return dy * y * 2.0; });
  const Tensor x = tensor({0.0, 0.0}).to(Device::default_device());
  const auto at = vjp([&](const Tensor& v) { return f(v * 1.5); }, x);
  const auto pulled = compile([&](const Tensor& dy) { return at.pullback(dy); });
  EXPECT_EQ(pulled(ones({2})).to_vector<float>(), (Numbers{3, 3}));
  EXPECT_EQ(pulled(ones({2}) * 2.0).to_vector<float>(), (Numbers{6, 6}));
  EXPECT_EQ(at.value.to_vector<float>(), (Numbers{1, 1}));
}

TEST(CustomVjpOnDevice, AHeldResultSurvivesTheOther) {
  const auto f = custom_vjp(
      [](const Tensor& x) { return std::pair(x + 1.0, x * 2.0); },
      [](const std::pair<Tensor, Tensor>& dy, const Tensor&) { return dy.first + dy.second; });
  Tensor x = ones({5}) * 3.0;
  x.eval();
  auto [a, b] = f(x);
  x = Tensor();
  EXPECT_EQ(a.to_vector<float>(), Numbers(5, 4));
  EXPECT_EQ(b.to_vector<float>(), Numbers(5, 6));
}

TEST(CustomVjpOnDevice, AResultOfALoopSurvivesTheOther) {
  const auto body = [](const Tensor&, const std::pair<Tensor, Tensor>& s) {
    return std::pair(s.first + s.second, s.second * 2.0);
  };
  Tensor x = ones({5});
  x.eval();
  auto [a, b] = fori_loop(0, 3, body, std::pair(x, x * 1.0));
  x = Tensor();
  EXPECT_EQ(a.to_vector<float>(), Numbers(5, 8));
  EXPECT_EQ(b.to_vector<float>(), Numbers(5, 8));
}

}  // namespace
}  // namespace trigon
