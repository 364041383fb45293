// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "core/internals.hpp"
#include "graph/trace.hpp"
#include "support/errors.hpp"
#include "trigon/tensor.hpp"

namespace trigon {
namespace {

using support::error_of;

TEST(Scalar, ArithmeticOfIntegersIsAnInteger) {
  const Scalar n = 7;
  EXPECT_EQ((n + 2).value(), 9);
  EXPECT_EQ((2 - n).value(), -5);
  EXPECT_EQ((n * n).value(), 49);
  EXPECT_EQ((-n).value(), -7);
  EXPECT_EQ(minimum(n, 3).value(), 3);
  EXPECT_EQ(maximum(3, n).value(), 7);
  EXPECT_EQ((n + 2).tensor().dtype(), int32);
}

TEST(Scalar, ArithmeticWithAFloatIsAFloat32) {
  const Scalar x = Scalar(1) + 0.1;
  EXPECT_EQ(x.tensor().dtype(), float32);
  EXPECT_EQ(x.value(), 1.1F);
  EXPECT_EQ((Scalar(0.5) * 3).value(), 1.5);
  EXPECT_EQ((-Scalar(0.5)).tensor().dtype(), float32);
}

TEST(Scalar, AQuotientIsAFloat32) {
  const Scalar half = Scalar(1) / 2;
  EXPECT_EQ(half.tensor().dtype(), float32);
  EXPECT_EQ(half.value(), 0.5);
  EXPECT_EQ((1 / Scalar(3)).value(), 1.0F / 3.0F);
  EXPECT_EQ((Scalar(2.5) / Scalar(-2)).value(), -1.25);
  EXPECT_EQ((Scalar(-1) / 0).value(), -std::numeric_limits<double>::infinity());
}

TEST(Scalar, UpdatesGiveAnotherValue) {
  Scalar s = 2.0;
  const Scalar before = s;
  s += 1;
  EXPECT_EQ(s.value(), 3);
  s -= 0.5;
  s *= 4;
  EXPECT_EQ(s.value(), 10);
  s /= 4;
  EXPECT_EQ(s.value(), 2.5);
  EXPECT_EQ(before.value(), 2);
  Scalar n = 3;
  n += 4;
  EXPECT_EQ(n.tensor().dtype(), int32);
  n /= 2;
  EXPECT_EQ(n.value(), 3.5);
}

TEST(Scalar, ArithmeticPastInt32Throws) {
  EXPECT_EQ(error_of([] { return Scalar(2147483647) + 1; }),
            "trigon::Scalar: integer out of range: 2147483648; must be in [-2147483648, "
            "2147483647]");
}

TEST(Scalar, AProgramComputesFromTheArgumentsOfACall) {
  graph::Trace trace;
  const Scalar n = detail::Internals::scalar(trace.add_argument(0, 5, int32));
  const Scalar rate = detail::Internals::scalar(trace.add_argument(1, 0.5, float32));
  const Scalar a = minimum(n * 2 - 1, 100);
  const Scalar b = rate * a + Scalar(2);
  const Scalar c = n / 2;
  graph::check_range(*detail::Internals::node(a.tensor()), 0, 20,
                     [](std::int64_t value) { return "a is " + std::to_string(value); });
  trace.stop();
  EXPECT_EQ(a.value(), 9);  // as in the call that was traced
  EXPECT_EQ(b.value(), 6.5);
  const auto values = [&](double first, double second) {
    return trace.program().run(std::vector<double>{first, second});
  };
  const auto step_a = static_cast<std::size_t>(detail::Internals::node(a.tensor())->trace_step);
  const auto step_b = static_cast<std::size_t>(detail::Internals::node(b.tensor())->trace_step);
  const auto step_c = static_cast<std::size_t>(detail::Internals::node(c.tensor())->trace_step);
  EXPECT_EQ(values(3, 0.25)[step_a], 5);
  EXPECT_EQ(values(3, 0.25)[step_b], 3.25);
  EXPECT_EQ(values(3, 0.25)[step_c], 1.5);
  EXPECT_EQ(values(5, 0.1)[step_b], static_cast<float>(static_cast<float>(9 * 0.1F) + 2));
  EXPECT_EQ(error_of([&] { values(11, 0); }), "trigon: a is 21");
  EXPECT_EQ(error_of([&] { values(-1, 0); }), "trigon: a is -3");
}

TEST(Scalar, ArithmeticOnWhatDoesNotDependOnArgumentsIsDoneAtOnce) {
  graph::Trace trace;
  const Scalar n = Scalar(2) + 3;
  EXPECT_EQ(n.value(), 5);
  EXPECT_TRUE(trace.program().steps.empty());
}

TEST(Scalar, AFailedCheckThrowsInTheTraceToo) {
  graph::Trace trace;
  const Scalar n = detail::Internals::scalar(trace.add_argument(0, 5, int32));
  EXPECT_EQ(error_of([&] {
              graph::check_range(*detail::Internals::node(n.tensor()), 0, 4,
                                 [](std::int64_t) { return "past 4"; });
            }),
            "trigon: past 4");
}

}  // namespace
}  // namespace trigon
