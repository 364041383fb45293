// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "run/device_state.hpp"
#include "support/on_profile.hpp"

// Draws that a `cond` skips on a device that runs both sides of an `if`.

namespace trigon {
namespace {

using Floats = std::vector<float>;
using support::OnProfile;

/// Size of the matrices: large enough for draws that are skipped, if textures hold so much.
std::int64_t side() {
  const core::Target& target = detail::Internals::state(Device::default_device())->target();
  const std::int64_t most = target.max_side * target.max_side * target.max_layers * 4;
  return most >= 512 * 512 ? 512 : 124;
}

Tensor heavy(const Tensor& x) {
  Tensor y = x;
  for (int k = 0; k < 5; ++k) y = sin(y * 1.1) + tan(y * 0.3);
  return y;
}
Tensor light(const Tensor& x) { return x * 0.5 + 1.0; }
Tensor rows(const Tensor& x) { return heavy(x) - mean(x, 0); }
Tensor product(const Tensor& x) {
  return matmul(x, transpose(x)) * (1.0 / static_cast<double>(side())) + heavy(x);
}

Tensor counting() {
  const std::int64_t n = side();
  Tensor x = reshape(arange(n * n).astype(float32) * (1.0 / static_cast<double>(n * n)), {n, n});
  x.eval();
  return x;
}
Tensor flag(bool value) {
  Tensor p = full({}, value ? 1.0 : -1.0) > 0.0;
  p.eval();
  return p;
}

bool skips(const Tensor& y) { return explain(y).find("  only   where t") != std::string::npos; }

void expect_near(const Tensor& found, const Tensor& expected) {
  const Floats a = found.astype(float32).to_vector<float>();
  const Floats b = expected.astype(float32).to_vector<float>();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    ASSERT_NEAR(a[k], b[k], 2e-5 * (1 + std::abs(b[k]))) << k;
  }
}

class SidesOnDevice : public testing::TestWithParam<Profile> {
 protected:
  OnProfile profile_{GetParam()};
  Tensor x_ = counting();
};

TEST_P(SidesOnDevice, AreThoseOfTheSideTaken) {
  for (const bool held : {false, true}) {
    const Tensor p = flag(held);
    expect_near(cond(p, heavy, light, x_), held ? heavy(x_) : light(x_));
    expect_near(cond(p, product, rows, x_), held ? product(x_) : rows(x_));
    expect_near(sum(cond(p, heavy, light, x_), 1), sum(held ? heavy(x_) : light(x_), 1));
    expect_near(cond(sum(x_) > (held ? 0.0 : 1e9), rows, light, x_), held ? rows(x_) : light(x_));
  }
}

TEST_P(SidesOnDevice, Nest) {
  for (const int held : {0, 1, 2, 3}) {
    const Tensor p = flag(held % 2 == 1), q = flag(held >= 2);
    const auto inner = [&](const Tensor& v) { return cond(q, product, rows, v); };
    const Tensor expected = held % 2 == 0 ? light(x_) : held >= 2 ? product(x_) : rows(x_);
    expect_near(cond(p, inner, light, x_), expected);
  }
}

TEST_P(SidesOnDevice, LieAnywhereInATensor) {
  Tensor flags = arange(1000) % 7 == 3;
  flags.eval();
  for (const std::int64_t k : {0, 2, 3, 500, 997, 999}) {
    expect_near(cond(flags[k], rows, light, x_), k % 7 == 3 ? rows(x_) : light(x_));
    expect_near(cond(flags[Scalar(k)], rows, light, x_), k % 7 == 3 ? rows(x_) : light(x_));
  }
}

TEST_P(SidesOnDevice, OfLoops) {
  const auto body = [](const Tensor& i, const Tensor& s) {
    return cond(i % 3 == 1, rows, light, s);
  };
  Tensor expected = x_;
  for (int k = 0; k < 5; ++k) expected = (k % 3 == 1 ? rows(expected) : light(expected)).eval();
  expect_near(fori_loop(0, 5, body, x_), expected);
}

TEST_P(SidesOnDevice, HaveGradients) {
  for (const bool held : {false, true}) {
    const Tensor p = flag(held);
    const auto f = [&](const Tensor& v) { return sum(cond(p, rows, light, v)); };
    const auto g = [&](const Tensor& v) { return sum(held ? rows(v) : light(v)); };
    expect_near(grad(f, x_), grad(g, x_));
  }
}

TEST_P(SidesOnDevice, OfCompiledFunctions) {
  const auto f = compile([](const Tensor& p, const Tensor& v) { return cond(p, rows, light, v); });
  for (const bool held : {false, true, false}) {
    expect_near(f(flag(held), x_), held ? rows(x_) : light(x_));
  }
}

INSTANTIATE_TEST_SUITE_P(All, SidesOnDevice, testing::Values(Profile::webgl2, Profile::webgl1),
                         [](const auto& test) {
                           return test.param == Profile::webgl1 ? "webgl1" : "webgl2";
                         });

bool can_skip() {
  return detail::Internals::state(Device::default_device())->target().vertex_samplers > 0;
}

// They are separate draws. If the predicate is stored, skipping them pays at any size.
TEST(SidesOnDevice, ProductsAreSkipped) {
  EXPECT_EQ(skips(cond(flag(false), product, light, counting())), can_skip());
}

TEST(SidesOnDevice, AreSkippedWhereABranchIsNot) {
  const bool may_skip =
      can_skip() && !detail::Internals::state(Device::default_device())->costs().branch_skips;
  const bool is_large = side() == 512;
  const Tensor p = flag(false), x = counting();
  EXPECT_EQ(skips(cond(p, heavy, light, x)), may_skip && is_large);
  // Sides of a gradient compute more, so that smaller ones may pay.
  const auto f = [&](const Tensor& v) { return sum(cond(p, heavy, light, v)); };
  const bool is_skipped = skips(grad(f, x));
  EXPECT_LE(is_skipped, may_skip);
  EXPECT_GE(is_skipped, may_skip && is_large);
}

TEST(SidesOnDevice, OfPointsAreSkipped) {
  const support::OnWebGL2 profile("scatter_add by points");
  Tensor x = counting(), index = arange(side()) % 7;
  index.eval();
  for (const bool held : {false, true}) {
    const Tensor p = flag(held);
    const auto scattered = [&](const Tensor& v) { return scatter_add(v, index, v, 0); };
    expect_near(cond(p, scattered, light, x), held ? scattered(x) : light(x));
  }
}

}  // namespace
}  // namespace trigon
