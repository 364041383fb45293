// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "graph/node.hpp"
#include "support/on_profile.hpp"
#include "support/values.hpp"

namespace trigon {
namespace {

using Floats = std::vector<float>;

// first, first + 1, ... in C order.
Floats counting(const Shape& shape, float first = 0) {
  Floats values(static_cast<std::size_t>(shape.numel()));
  std::iota(values.begin(), values.end(), first);
  return values;
}

Tensor counting_tensor(const Shape& shape, float first = 0) {
  return tensor<float>(counting(shape, first), shape);
}

// The draws of evaluating x.
std::int64_t draws_of(const Tensor& x) {
  const Counters before = counters();
  x.eval();
  return (counters() - before).draws;
}

// A tensor that owns its storage alone and was made on the device.
Tensor owned(const Shape& shape) {
  Tensor x = counting_tensor(shape) + 0.5;
  x.eval();
  return x;
}

TEST(Write, ReplacesOneElement) {
  const Tensor x = counting_tensor({6});
  EXPECT_EQ(x.at(2).set(50.0).to_vector<float>(), (Floats{0, 1, 50, 3, 4, 5}));
  EXPECT_EQ(x.to_vector<float>(), counting({6}));
}

TEST(Write, ReplacesARow) {
  const Tensor x = counting_tensor({3, 4});
  const Tensor y = x.at(1).set(tensor<float>({40, 50, 60, 70}));
  EXPECT_EQ(y.to_vector<float>(), (Floats{0, 1, 2, 3, 40, 50, 60, 70, 8, 9, 10, 11}));
}

TEST(Write, NegativeIndexCountsFromTheEnd) {
  const Tensor y = counting_tensor({3, 2}).at(-1).set(-1.0);
  EXPECT_EQ(y.to_vector<float>(), (Floats{0, 1, 2, 3, -1, -1}));
}

TEST(Write, BroadcastsTheValue) {
  const Tensor y =
      counting_tensor({2, 5}).at(ellipsis, Slice{1, 4}).set(tensor<float>({10, 20, 30}));
  EXPECT_EQ(y.to_vector<float>(), (Floats{0, 10, 20, 30, 4, 5, 10, 20, 30, 9}));
}

TEST(Write, CastsTheValueToTheTargetsType) {
  const Tensor x = tensor<std::int32_t>({1, 2, 3, 4, 5});
  const Tensor y = x.at(Slice{1, 3}).set(tensor<float>({7.75F, -2.5F}));
  EXPECT_EQ(y.dtype(), int32);
  EXPECT_EQ(y.to_vector<std::int32_t>(), (std::vector<std::int32_t>{1, 7, -2, 4, 5}));
}

TEST(Write, StepsOfTwoLeaveTheRest) {
  const Tensor y = counting_tensor({9}).at(Slice{1, {}, 2}).set(tensor<float>({-1, -2, -3, -4}));
  EXPECT_EQ(y.to_vector<float>(), (Floats{0, -1, 2, -2, 4, -3, 6, -4, 8}));
}

TEST(Write, StepsBackwardsReverseTheValue) {
  const Tensor y = counting_tensor({6}).at(Slice{{}, {}, -2}).set(tensor<float>({-1, -2, -3}));
  EXPECT_EQ(y.to_vector<float>(), (Floats{0, -3, 2, -2, 4, -1}));
}

TEST(Write, StepsOnBothAxes) {
  const Tensor y = counting_tensor({4, 7})
                       .at(Slice{0, {}, 3}, Slice{1, {}, 3})
                       .set(tensor<float>({-1, -2, -3, -4}, {2, 2}));
  Floats want = counting({4, 7});
  want[1] = -1;
  want[4] = -2;
  want[22] = -3;
  want[25] = -4;
  EXPECT_EQ(y.to_vector<float>(), want);
}

TEST(Write, PartialColumnsKeepTheirNeighboursInTheTexel) {
  for (const int width : {7, 8}) {
    for (int from = 0; from < width; ++from) {
      for (int to = from + 1; to <= width; ++to) {
        Tensor x = owned({3, width});
        x = x.at(ellipsis, Slice{from, to}).set(-1.0);
        Floats want = counting({3, width}, 0.5F);
        for (int row = 0; row < 3; ++row) {
          for (int k = from; k < to; ++k) want[static_cast<std::size_t>(row * width + k)] = -1;
        }
        ASSERT_EQ(x.to_vector<float>(), want) << width << ": " << from << " to " << to;
      }
    }
  }
}

TEST(Write, OfARectangleInsideRankFour) {
  Tensor x = owned({2, 3, 4, 5});
  x = x.at(1, Slice{1, 3}, ellipsis, Slice{2, 4}).set(counting_tensor({2, 4, 2}, 1000));
  Floats want = counting({2, 3, 4, 5}, 0.5F);
  float next = 1000;
  for (std::size_t a = 1; a < 3; ++a) {
    for (std::size_t b = 0; b < 4; ++b) {
      for (std::size_t c = 2; c < 4; ++c) want[((3 + a) * 4 + b) * 5 + c] = next++;
    }
  }
  EXPECT_EQ(x.to_vector<float>(), want);
}

TEST(Write, OfNothingChangesNothing) {
  const Tensor y = counting_tensor({2, 3}).at(Slice{1, 1}).set(9.0);
  EXPECT_EQ(y.to_vector<float>(), counting({2, 3}));
}

TEST(Write, OfEverythingIsTheValue) {
  const Tensor v = counting_tensor({3, 5}, 100);
  EXPECT_EQ(counting_tensor({3, 5}).at(ellipsis).set(v).to_vector<float>(), counting({3, 5}, 100));
}

TEST(Write, IntoAnAllocatedConstant) {
  Tensor x = zeros({2, 4}, int32);
  x = x.at(1, Slice{0, 2}).set(tensor<std::int32_t>({3, 4}));
  EXPECT_EQ(x.to_vector<std::int32_t>(), (std::vector<std::int32_t>{0, 0, 0, 0, 3, 4, 0, 0}));
}

TEST(Write, OfIntegersKeepsAllBits) {
  const support::OnWebGL2 only("integers past 2^24");
  const std::int32_t big = 2147483647;
  Tensor x = tensor<std::int32_t>({-2147483647 - 1, 16777217, 5});
  x = x.at(2).set(tensor<std::int32_t>({big}));
  EXPECT_EQ(x.to_vector<std::int32_t>(),
            (std::vector<std::int32_t>{-2147483647 - 1, 16777217, big}));
}

// ---- Views and handles held across a write

TEST(WriteAliasing, AFunctionOfTheOldValueKeepsIt) {
  Tensor x = owned({8});
  const Tensor y = x * 2.0;
  x = x.at(0).set(100.0);
  EXPECT_EQ(x.to_vector<float>()[0], 100);
  EXPECT_EQ(y.to_vector<float>()[0], 1);
}

TEST(WriteAliasing, AFunctionReadFirstOrLastIsTheSame) {
  for (const bool first : {false, true}) {
    Tensor x = owned({5});
    const Tensor y = sum(x);
    x = x.at(Slice{1, 4}).set(0.0);
    if (first) {
      EXPECT_EQ(y.item(), 12.5F);
    }
    EXPECT_EQ(x.to_vector<float>(), (Floats{0.5F, 0, 0, 0, 4.5F}));
    EXPECT_EQ(y.item(), 12.5F);
  }
}

TEST(WriteAliasing, OldAndNewInOneEvaluation) {
  Tensor x = owned({6});
  const Tensor before = x + 0.0;
  x = x.at(3).set(-7.0);
  const Tensor both = before - x;
  EXPECT_EQ(both.to_vector<float>(), (Floats{0, 0, 0, 10.5F, 0, 0}));
}

TEST(WriteAliasing, ASecondHandleKeepsTheOldValue) {
  Tensor x = owned({4});
  const Tensor y = x;
  x = x.at(1).set(9.0);
  x.eval();
  EXPECT_EQ(y.to_vector<float>(), (Floats{0.5F, 1.5F, 2.5F, 3.5F}));
  EXPECT_EQ(x.to_vector<float>(), (Floats{0.5F, 9, 2.5F, 3.5F}));
}

TEST(WriteAliasing, ALazyViewKeepsTheOldValue) {
  Tensor x = owned({2, 4});
  const Tensor row = x[1];
  const Tensor turned = x.T();
  x = x.at(1).set(0.0);
  x.eval();
  EXPECT_EQ(row.to_vector<float>(), (Floats{4.5F, 5.5F, 6.5F, 7.5F}));
  EXPECT_EQ(turned.to_vector<float>(), (Floats{0.5F, 4.5F, 1.5F, 5.5F, 2.5F, 6.5F, 3.5F, 7.5F}));
}

TEST(WriteAliasing, AnEvaluatedViewKeepsTheOldValue) {
  Tensor x = owned({2, 4});
  const Tensor flat = x.reshape(8);
  flat.eval();
  x = x.at(0, 0).set(77.0);
  x.eval();
  EXPECT_EQ(flat.to_vector<float>()[0], 0.5F);
}

TEST(WriteAliasing, AValueThatReadsTheTargetIsTakenBefore) {
  Tensor x = owned({3, 4});
  x = x.at(0).set(x[1]);
  EXPECT_EQ(x.to_vector<float>(),
            (Floats{4.5F, 5.5F, 6.5F, 7.5F, 4.5F, 5.5F, 6.5F, 7.5F, 8.5F, 9.5F, 10.5F, 11.5F}));
}

TEST(WriteAliasing, AnOverlappingShift) {
  Tensor x = owned({9});
  x = x.at(Slice{1, 9}).set(x[Slice{0, 8}]);
  EXPECT_EQ(x.to_vector<float>(), (Floats{0.5F, 0.5F, 1.5F, 2.5F, 3.5F, 4.5F, 5.5F, 6.5F, 7.5F}));
}

TEST(WriteAliasing, AReversalOfItself) {
  Tensor x = owned({5});
  x = x.at(ellipsis).set(flip(x));
  EXPECT_EQ(x.to_vector<float>(), (Floats{4.5F, 3.5F, 2.5F, 1.5F, 0.5F}));
}

TEST(WriteAliasing, AWriteThatIsReadTwice) {
  Tensor x = owned({4});
  x = x.at(0).set(10.0);
  const Tensor a = x * 2.0;
  const Tensor b = x + 1.0;
  EXPECT_EQ((a + b).to_vector<float>(), (Floats{31, 5.5F, 8.5F, 11.5F}));
  EXPECT_EQ(a.to_vector<float>()[0], 20);
  EXPECT_EQ(b.to_vector<float>()[0], 11);
  EXPECT_EQ(x.to_vector<float>()[0], 10);
}

TEST(WriteAliasing, TwoWritesOfOneTensorAreIndependent) {
  const Tensor x = owned({4});
  const Tensor a = x.at(0).set(-1.0);
  const Tensor b = x.at(1).set(-2.0);
  eval({a, b});
  EXPECT_EQ(a.to_vector<float>(), (Floats{-1, 1.5F, 2.5F, 3.5F}));
  EXPECT_EQ(b.to_vector<float>(), (Floats{0.5F, -2, 2.5F, 3.5F}));
  EXPECT_EQ(x.to_vector<float>(), (Floats{0.5F, 1.5F, 2.5F, 3.5F}));
}

TEST(WriteAliasing, AChainOfWritesKeepsTheirOrder) {
  Tensor x = owned({6});
  x = x.at(Slice{0, 4}).set(1.0);
  x = x.at(Slice{2, 6}).set(2.0);
  x = x.at(3).set(x.at(0).get() + x.at(5).get());
  EXPECT_EQ(x.to_vector<float>(), (Floats{1, 1, 2, 3, 2, 2}));
}

// The two runs have the same graph: the first may write in place, the second must not.
TEST(WriteAliasing, TheSamePlanOwnedAndShared) {
  const auto run = [](bool shared) {
    Tensor x = owned({2, 8});
    const Tensor other = shared ? x : Tensor();
    x = x.at(1, Slice{0, 4}).set(3.0);
    x.eval();
    EXPECT_EQ(x.to_vector<float>(), (Floats{0.5F, 1.5F, 2.5F, 3.5F, 4.5F, 5.5F, 6.5F, 7.5F, 3, 3, 3,
                                            3, 12.5F, 13.5F, 14.5F, 15.5F}));
    if (shared) {
      EXPECT_EQ(other.to_vector<float>(), counting({2, 8}, 0.5F));
    }
  };
  run(false);
  run(true);
  run(false);
  run(true);
}

TEST(WriteAliasing, ThePlanThatSharesALeafTwice) {
  for (const bool same : {false, true, false}) {
    Tensor x = owned({4});
    const Tensor v = same ? x : owned({4});
    x = x.at(Slice{0, 2}).set(v[Slice{2, 4}] * 10.0);
    EXPECT_EQ(x.to_vector<float>(), (Floats{25, 35, 2.5F, 3.5F})) << same;
  }
}

// ---- Draws

TEST(WriteInPlace, TakesOneDrawForWholeTexels) {
  Tensor x = owned({16, 64});
  const Tensor v = counting_tensor({8});
  x = x.at(3, Slice{8, 16}).set(v);
  EXPECT_EQ(draws_of(x), 1);
}

TEST(WriteInPlace, TakesOneDrawForFusedValues) {
  Tensor x = owned({16, 64});
  const Tensor v = counting_tensor({64});
  x = x.at(5).set(exp(v * 0.01) + 1.0);
  EXPECT_EQ(draws_of(x), 1);
}

TEST(WriteInPlace, CopiesInTheSameDrawWhenAnotherHandleLives) {
  Tensor x = owned({16, 64});
  const Tensor other = x;
  x = x.at(3).set(1.0);
  EXPECT_EQ(draws_of(x), 1);
  EXPECT_EQ(other.to_vector<float>(), counting({16, 64}, 0.5F));
}

// A value that an observer asks for later is computed again, from the old value.
TEST(WriteInPlace, NeverWhereAnObservedTensorIsMadeOfTheOldValue) {
  graph::NodePtr later;
  Tensor total, w;
  {
    const Tensor x = owned({16, 64});
    const Tensor b = x * 2.0;
    later = detail::Internals::node(b);
    later->observers.fetch_add(1);
    total = sum(b);
    w = x.at(3).set(1.0);
  }
  eval({total, w});
  EXPECT_EQ(later->storage, nullptr);
  EXPECT_EQ(detail::Internals::tensor(later).to_vector<float>(),
            (counting_tensor({16, 64}, 0.5F) * 2.0).to_vector<float>());
  later->observers.fetch_sub(1);
}

TEST(WriteInPlace, NeverIntoTheCopyOfAnOperandThatIsReadLater) {
  const Tensor x = counting_tensor({8, 8});
  Tensor c, w, later;
  {
    const Tensor a = x.T();
    c = matmul(a, ones({8, 8}));
    w = a.at(0).set(-100.0);
    later = a + 0.5;
  }
  eval({c, w, later});
  const std::vector<float> values = later.to_vector<float>();
  const std::vector<float> want = (x.T() + 0.5).to_vector<float>();
  EXPECT_EQ(values, want);
}

TEST(WriteInPlace, NeedsNoNewTextureOnceWarm) {
  Tensor x = owned({16, 64});
  for (int i = 0; i < 3; ++i) {
    x = x.at(i).set(1.0);
    x.eval();
  }
  const Counters before = counters();
  for (int i = 3; i < 13; ++i) {
    x = x.at(i).set(1.0);
    x.eval();
  }
  EXPECT_EQ((counters() - before).textures_created, 0);
  EXPECT_EQ((counters() - before).draws, 10);
}

// ---- Run-time places

TEST(WriteWindow, PutsRowsWhereTheScalarSays) {
  Tensor cache = zeros({6, 4});
  for (const int t : {0, 3, 5}) {
    cache = cache.at(Window{Scalar(t), 1}).set(counting_tensor({1, 4}) * 0.0 + (t + 1.0));
    cache.eval();
  }
  Floats want(24, 0.0F);
  for (const std::size_t t : {0U, 3U, 5U}) {
    for (std::size_t k = 0; k < 4; ++k) want[t * 4 + k] = static_cast<float>(t) + 1;
  }
  EXPECT_EQ(cache.to_vector<float>(), want);
}

TEST(WriteWindow, IsClampedIntoTheTensor) {
  const Tensor x = counting_tensor({5});
  const Tensor v = tensor<float>({-1, -2});
  EXPECT_EQ(x.at(Window{Scalar(100), 2}).set(v).to_vector<float>(), (Floats{0, 1, 2, -1, -2}));
  EXPECT_EQ(x.at(Window{Scalar(-100), 2}).set(v).to_vector<float>(), (Floats{-1, -2, 2, 3, 4}));
}

TEST(WriteWindow, OfPartialColumns) {
  for (int start = 0; start <= 6; ++start) {
    Tensor x = owned({2, 9});
    x = x.at(ellipsis, Window{Scalar(start), 3}).set(-1.0);
    Floats want = counting({2, 9}, 0.5F);
    for (int k = start; k < start + 3; ++k) {
      want[static_cast<std::size_t>(k)] = -1;
      want[static_cast<std::size_t>(9 + k)] = -1;
    }
    ASSERT_EQ(x.to_vector<float>(), want) << start;
  }
}

TEST(WriteWindow, ReadsBackWhatItWrote) {
  Tensor x = owned({7, 8});
  const Scalar at(4);
  x = x.at(Window{at, 2}).set(x.at(Window{Scalar(0), 2}).get() * 100.0);
  EXPECT_EQ(x.at(Window{at, 2}).get().to_vector<float>(),
            (x.at(Slice{0, 2}).get() * 100.0).to_vector<float>());
}

TEST(WriteWindow, MakesNoNewPlanForANewPlace) {
  Tensor x = owned({32, 16});
  const Tensor v = counting_tensor({1, 16});
  for (int t = 0; t < 2; ++t) {
    x = x.at(Window{Scalar(t), 1}).set(v);
    x.eval();
  }
  const Counters before = counters();
  for (int t = 2; t < 12; ++t) {
    x = x.at(Window{Scalar(t), 1}).set(v);
    x.eval();
  }
  const Counters spent = counters() - before;
  EXPECT_EQ(spent.plans_made, 0);
  EXPECT_EQ(spent.plan_cache_hits, 10);
  EXPECT_EQ(spent.draws, 10);
  EXPECT_EQ(spent.programs_compiled, 0);
}

TEST(WriteRunTime, IntegerPicksOneRow) {
  const Tensor x = counting_tensor({3, 2});
  EXPECT_EQ(x.at(Scalar(2)).set(-1.0).to_vector<float>(), (Floats{0, 1, 2, 3, -1, -1}));
  EXPECT_EQ(x.at(Scalar(1)).get().to_vector<float>(), (Floats{2, 3}));
}

}  // namespace
}  // namespace trigon
