// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "support/graph_values.hpp"
#include "support/loop_cases.hpp"

// Values of loops by the reference on the CPU.

namespace trigon {
namespace {

using Doubles = std::vector<double>;
using Two = std::pair<Tensor, Tensor>;

Tensor counting(std::int64_t n) { return iota(n).astype(float32); }

/// The results of a case, with captured leaves that no device holds.
std::vector<Doubles> run(const support::LoopCase& one, bool is_unrolled) {
  graph::KnownValues known;
  const support::LoopForm form{
      is_unrolled, [&](const Tensor& x) {
        const Tensor stored = leaf(x.shape(), x.dtype());
        Doubles computed = graph::interpret(detail::Internals::node(x), known);
        known.emplace(detail::Internals::node(stored)->id, std::move(computed));
        return stored;
      }};
  std::vector<Doubles> results;
  for (const Tensor& y : one.run(form))
    results.push_back(graph::interpret(detail::Internals::node(y), known));
  return results;
}

class LoopCases : public testing::TestWithParam<support::LoopCase> {};

TEST_P(LoopCases, AreTheirUnrolledForm) {
  EXPECT_EQ(run(GetParam(), false), run(GetParam(), true));
}

TEST_P(LoopCases, OfNumbersAloneAreTheirUnrolledForm) {
  const std::vector<Tensor> rolled = GetParam().run({});
  const std::vector<Tensor> unrolled = GetParam().run({.is_unrolled = true});
  ASSERT_EQ(rolled.size(), unrolled.size());
  for (std::size_t k = 0; k < rolled.size(); ++k) {
    EXPECT_EQ(rolled[k].shape(), unrolled[k].shape());
    EXPECT_EQ(rolled[k].dtype(), unrolled[k].dtype());
    EXPECT_EQ(values(rolled[k]), values(unrolled[k]));
  }
}

INSTANTIATE_TEST_SUITE_P(All, LoopCases, testing::ValuesIn(support::loop_cases()),
                         [](const auto& test) { return test.param.name; });

TEST(LoopValues, CountTheSteps) {
  const auto body = [](Tensor i, Tensor s) { return s * 10 + i; };
  EXPECT_EQ(values(fori_loop(2, 6, body, zeros({}, int32))), (Doubles{2345}));
  EXPECT_EQ(values(fori_loop(-2, 1, body, zeros({}, int32))), (Doubles{-210}));
  EXPECT_EQ(values(fori_loop(3, 0, body, ones({}, int32))), (Doubles{1}));
}

TEST(LoopValues, TakeScalarBounds) {
  const auto body = [](Tensor i, Tensor s) { return s * 10 + i; };
  const auto run = [&](const LoopBound& lower, const LoopBound& upper) {
    return values(fori_loop(lower, upper, body, zeros({}, int32)));
  };
  EXPECT_EQ(run(2, Scalar(6)), (Doubles{2345}));
  EXPECT_EQ(run(Scalar(2), 6), (Doubles{2345}));
  EXPECT_EQ(run(Scalar(2), Scalar(6)), (Doubles{2345}));
  EXPECT_EQ(run(0, Scalar(0)), (Doubles{0}));
  const Scalar both(3);
  EXPECT_EQ(run(both, both), (Doubles{0}));
}

TEST(LoopValues, TakeTensorBounds) {
  const auto body = [](Tensor i, Tensor s) { return s * 10 + i; };
  const Tensor three = sum(iota(3));
  EXPECT_EQ(values(fori_loop(1, three + 2, body, zeros({}, int32))), (Doubles{1234}));
  EXPECT_EQ(values(fori_loop(three, 6, body, zeros({}, int32))), (Doubles{345}));
  EXPECT_EQ(values(fori_loop(three, three - 1, body, zeros({}, int32))), (Doubles{0}));
  EXPECT_EQ(values(fori_loop(2, Tensor(6), body, zeros({}, int32))), (Doubles{2345}));
}

TEST(LoopValues, CarryAnyTree) {
  struct Inner {
    Tensor x;
    int power = 2;
    Tensor none;
  };
  struct State {
    std::vector<Tensor> list;
    std::map<std::string, Inner> named;
    Scalar rate = 0.5;
  };
  State init{{counting(2), counting(3)}, {{"a", {counting(1) + 1.0, 3, {}}}}};
  const State last = fori_loop(
      0, 2,
      [](Tensor i, State s) {
        EXPECT_EQ(s.named.at("a").power, 3);
        EXPECT_FALSE(s.named.at("a").none.has_value());
        s.list[0] = s.list[0] * s.rate + i.astype(float32);
        s.named.at("a").x = s.named.at("a").x * 2.0;
        return s;
      },
      std::move(init));
  EXPECT_EQ(values(last.list[0]), (Doubles{1, 1.25}));
  EXPECT_EQ(values(last.list[1]), (Doubles{0, 1, 2}));
  EXPECT_EQ(values(last.named.at("a").x), (Doubles{4}));
  EXPECT_EQ(last.named.at("a").power, 3);
  EXPECT_EQ(last.rate.value(), 0.5);
}

TEST(LoopValues, ScanStacksItsOutputs) {
  const auto [total, sums] =
      scan([](Tensor s, Tensor x) { return Two(s + x, (s + x) * 10.0); }, Tensor(0.0), counting(5));
  EXPECT_EQ(values(total), (Doubles{10}));
  EXPECT_EQ(values(sums), (Doubles{0, 10, 30, 60, 100}));
}

TEST(LoopValues, ScanOfNothingGivesEmptyOutputs) {
  const auto [last, ys] =
      scan([](Tensor s, Tensor x) { return Two(s + sum(x), x * 2.0); }, Tensor(7.0), zeros({0, 3}));
  EXPECT_EQ(values(last), (Doubles{7}));
  EXPECT_EQ(ys.shape(), (Shape{0, 3}));
}

TEST(LoopValues, WhileKeepsElementsThatAreDone) {
  const auto holds = [](Two s) { return s.first > 1; };
  const auto body = [](Two s) {
    return Two(where(s.first % 2 == 0, floor_divide(s.first, 2), s.first * 3 + 1), s.second + 1);
  };
  const auto [one, steps] = while_loop(holds, body, Two(iota(8) + 1, zeros({8}, int32)));
  EXPECT_EQ(values(one), Doubles(8, 1));
  EXPECT_EQ(values(steps), (Doubles{0, 1, 7, 2, 5, 8, 16, 3}));
  const auto [rest, most] = while_loop(holds, body, Two(iota(8) + 1, zeros({8}, int32)), 5);
  EXPECT_EQ(values(most), (Doubles{0, 1, 5, 2, 5, 5, 5, 3}));
}

TEST(LoopValues, WhileOfOneConditionStopsAll) {
  const auto holds = [](const std::array<Tensor, 2>& s) { return sum(s[0]) < 50.0; };
  const auto body = [](const std::array<Tensor, 2>& s) {
    return std::array<Tensor, 2>{s[0] * 2.0, s[1] + 1};
  };
  const auto last =
      while_loop(holds, body, std::array<Tensor, 2>{counting(4), zeros({}, int32)});  // 0 1 2 3
  EXPECT_EQ(values(last[0]), (Doubles{0, 16, 32, 48}));
  EXPECT_EQ(values(last[1]), (Doubles{4}));
}

TEST(LoopValues, CondSelects) {
  const auto yes = [](Tensor x) { return std::pair(x * 2.0, x); };
  const auto no = [](Tensor x) { return std::pair(-x, x + 1.0); };
  const Tensor x = counting(4);
  const auto elements = cond(x > 1.0, yes, no, x);
  EXPECT_EQ(values(elements.first), (Doubles{0, -1, 4, 6}));
  EXPECT_EQ(values(elements.second), (Doubles{1, 2, 2, 3}));
  EXPECT_EQ(values(cond(sum(x) > 5.0, yes, no, x).first), (Doubles{0, 2, 4, 6}));
  const Tensor rows = counting(6).reshape(2, 3);
  EXPECT_EQ(values(cond(iota(2) == 0, yes, no, rows).first), (Doubles{0, 2, 4, -3, -4, -5}));
}

TEST(LoopValues, NumbersOfTheHostTakeTheCarrysDtype) {
  const auto body = [](Tensor i, std::array<Tensor, 3> s) {
    return std::array<Tensor, 3>{s[1] + 0.5, 1, where(i == 0, 3, s[2])};
  };
  const auto last = fori_loop(0, 2, body, std::array<Tensor, 3>{0.0, 2.0, 4});
  EXPECT_EQ(last[0].dtype(), float32);
  EXPECT_EQ(last[2].dtype(), int32);
  EXPECT_EQ(values(last[0]), (Doubles{1.5}));
  EXPECT_EQ(values(last[1]), (Doubles{1}));
  EXPECT_EQ(values(last[2]), (Doubles{3}));
}

TEST(LoopValues, RandomNumbersAreThoseOutside) {
  const auto f = [](std::tuple<>, Tensor i) {
    return std::pair(std::tuple<>(), random::uniform(random::fold_in(7, i), {5}));
  };
  const Tensor inside = scan(f, std::tuple<>(), iota(4)).outputs;  // (4, 5)
  for (int k = 0; k < 4; ++k) {
    const Tensor outside = random::uniform(random::fold_in(7, Scalar(k)), {5});
    EXPECT_EQ(values(inside[k]), values(outside));
  }
  EXPECT_NE(values(inside[1]), values(inside[2]));
}

TEST(LoopValues, GradientsWithinABody) {
  const auto slope = [](const Tensor& x) {
    return grad([](const Tensor& v) { return sum(square(v)); }, x);
  };
  const Tensor last = fori_loop(
      0, 3, [&](Tensor, Tensor x) { return x - 0.25 * slope(x); }, counting(3));
  EXPECT_EQ(values(last), (Doubles{0, 0.125, 0.25}));
}

}  // namespace
}  // namespace trigon
