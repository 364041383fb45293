// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "reference/interpret.hpp"
#include "support/compare.hpp"
#include "support/kernels.hpp"

namespace trigon {
namespace {

struct Span {
  double start, stop;
  std::int64_t n;
  bool endpoint = true;
};

// Intervals on both sides of 0 or on one, near and far from it. Some steps are not floats, and some
// ends are near the largest and the least float.
const std::vector<Span>& spans() {
  static const std::vector<Span> all = {
      {-1, 1, 1001},
      {0, 1, 1000},
      {1, 0, 1000},
      {-0.1, 0.1, 10'001},
      {-0.3, 0.7, 12'345},
      {-3, 2, 99'999},
      {0.1, 0.2, 65'537},
      {1000, 1001, 5000},
      {-5, -4.9, 777},
      {0, 1, 4096, false},
      {-1, 1, 999, false},
      {1e-3, 1e3, 40'001},
      {-2.9e38, 3.3e38, 3001},
      {0, 3.4e38, 4001},
      {1e-30, 3e-30, 1001},
      {-2e-36, 3e-36, 51},
      {0, 9, 10},
      {-7.25, 1e6 / 3, 31'337},
      {0, 2 * 3.14159265358979323846, 100'000},
      {-1, 1.0 / 3, 3'000'001},
      {0, 1, 10'000'019},
  };
  return all;
}

// NumPy's formula.
double expected(const Span& span, std::int64_t i) {
  const std::int64_t steps = span.endpoint ? span.n - 1 : span.n;
  if (span.endpoint && i == steps) return span.stop;
  const double step = (span.stop - span.start) / static_cast<double>(steps);
  const double product = static_cast<double>(i) * step;
  return product + span.start;
}

Tensor made(const Span& span) { return linspace(span.start, span.stop, span.n, span.endpoint); }

template <class Values>
void expect_near(const Span& span, const Values& values) {
  ASSERT_EQ(static_cast<std::int64_t>(values.size()), span.n);
  double worst = 0;
  std::int64_t at = 0;
  for (std::int64_t i = 0; i < span.n; ++i) {
    const double error =
        support::ulp_distance(values[static_cast<std::size_t>(i)], expected(span, i));
    if (error <= worst) continue;
    worst = error;
    at = i;
  }
  EXPECT_LE(worst, 0.51) << fmt::format("element {} of linspace({}, {}, {})", at, span.start,
                                        span.stop, span.n);
}

class Linspace : public support::KernelTest {};
INSTANTIATE_TEST_SUITE_P(Profiles, Linspace, ::testing::Values(Profile::webgl2, Profile::webgl1),
                         support::profile_name);

TEST_P(Linspace, IsWithinHalfAnUlpOfFloat64) {
  const Tensor zero = floats({0}, {1});
  for (const Span& span : spans()) {
    expect_near(span, (made(span) + zero).to_vector<float>());
  }
}

TEST_P(Linspace, IsARecipe) {
  const Tensor x = floats({1, 2, 3, 4, 5}, {5});
  const Tensor y = exp(linspace(-1, 1, 5) * x);
  EXPECT_EQ(cost(y).draws, 1);
  EXPECT_EQ(cost(y).peak_bytes, cost(exp(x)).peak_bytes);
}

TEST_P(Linspace, OfOneNumber) {
  EXPECT_EQ((linspace(0, 0, 3) + floats({0}, {1})).to_vector<float>(), (support::Floats{0, 0, 0}));
  EXPECT_EQ((linspace(3, 3, 3) + floats({0}, {1})).to_vector<float>(), (support::Floats{3, 3, 3}));
}

TEST_P(Linspace, OverflowsToInfinity) {
  const Tensor x = linspace(3e38, 4e38, 5) + floats({0}, {1});
  constexpr float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(x.to_vector<float>(), (support::Floats{3e38F, 3.25e38F, inf, inf, inf}));
}

TEST(LinspaceReference, IsWithinHalfAnUlpOfFloat64) {
  for (const Span& span : spans()) {
    if (span.n > 200'000) continue;
    expect_near(span, graph::interpret(detail::Internals::node(made(span))));
  }
}

}  // namespace
}  // namespace trigon
