// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/counted.hpp"
#include "support/errors.hpp"
#include "support/loop_cases.hpp"
#include "support/on_profile.hpp"
#include "support/values.hpp"

// Loops on a device: their values, and the draws, textures and programs that they need.

namespace trigon {
namespace {

using support::counting;
using Floats = std::vector<float>;
using support::counted;
using support::error_of;
using Two = std::pair<Tensor, Tensor>;

Floats values(const Tensor& x) { return x.astype(float32).to_vector<float>(); }

// ---- Values

class LoopOnDevice : public testing::TestWithParam<std::tuple<support::LoopCase, bool>> {};

/// Loops and plain `for` loops run the same operations; a compiler may contract some of them.
TEST_P(LoopOnDevice, IsItsUnrolledForm) {
  const auto& [one, stores] = GetParam();
  support::LoopForm form;
  if (stores) {
    form.stored = [](const Tensor& x) {
      Tensor y = x.astype(float32).astype(x.dtype());
      y.eval();
      return y;
    };
  }
  const std::vector<Tensor> rolled = one.run(form);
  form.is_unrolled = true;
  const std::vector<Tensor> unrolled = one.run(form);
  ASSERT_EQ(rolled.size(), unrolled.size());
  for (std::size_t k = 0; k < rolled.size(); ++k) {
    EXPECT_EQ(rolled[k].shape(), unrolled[k].shape());
    EXPECT_EQ(rolled[k].dtype(), unrolled[k].dtype());
    const Floats got = values(rolled[k]);
    const Floats want = values(unrolled[k]);
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_NEAR(got[i], want[i], 2e-6 * (1 + std::abs(want[i]))) << k << ", element " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, LoopOnDevice, testing::Combine(testing::ValuesIn(support::loop_cases()), testing::Bool()),
    [](const auto& test) {
      return std::string(std::get<0>(test.param).name) + (std::get<1>(test.param) ? "Stored" : "");
    });

// The first carry is overwritten before two others take it.
TEST(Loop, OneCarryMayGoToSeveral) {
  using Three = std::tuple<Tensor, Tensor, Tensor>;
  const Tensor x = counting({7}), y = counting({7}, 2), z = counting({7}, 3);
  const auto next = [](const Tensor&, const Three& s) {
    const auto& [now, last, older] = s;
    return Three(now + last, now, now);
  };
  const auto [a, b, c] = fori_loop(0, 4, next, Three(x, y, z));
  eval(a, b, c);
  EXPECT_EQ(values(a), values(x * 11.0));
  EXPECT_EQ(values(b), values(x * 7.0));
  EXPECT_EQ(values(c), values(x * 7.0));
  const auto step = [&](const Two& s, const Tensor& v) {
    return std::pair(Two(s.first + v, s.first), std::pair(s.first, s.first));
  };
  const auto [last, ys] = scan(step, Two(x, y), counting({3, 7}, 0));
  eval(last.first, last.second, ys.first, ys.second);
  EXPECT_EQ(values(last.second), values(x));
  EXPECT_EQ(values(ys.second(2)), values(x));
}

// ---- Costs

/// o -= 0.01 sin t; t += 0.01 o, `steps` times.
Two pendulum(LoopBound steps, const Tensor& t, const Tensor& o) {
  return fori_loop(
      0, std::move(steps),
      [](const Tensor&, Two s) {
        s.second = s.second - 0.01 * sin(s.first);
        s.first = s.first + 0.01 * s.second;
        return s;
      },
      Two{t, o});
}

TEST(LoopCost, IndependentElementsAreOneDrawWhateverTheSteps) {
  const support::OnWebGL2 only("draws of several targets");
  const Tensor t = counting({100, 7}, 0.01), o = counting({100, 7}, 0.02);
  for (const std::int64_t steps : {10, 1'500, 60'000}) {
    const Counters work = counted([&] {
      const Two end = pendulum(steps, t, o);
      eval({end.first, end.second});
    });
    EXPECT_EQ(work.draws, 1) << steps;
    EXPECT_EQ(work.bytes_uploaded, 0);
  }
}

TEST(LoopCost, AllSizesAndStepsShareAProgram) {
  const auto run = [](std::int64_t steps, const Tensor& t, const Tensor& o) {
    const Two end = pendulum(steps, t, o);
    eval({end.first, end.second});
  };
  run(10, counting({70, 12}, 0.01), counting({70, 12}, 0.02));
  const Tensor t = counting({80, 20}, 0.01), o = counting({80, 20}, 0.02);
  EXPECT_EQ(counted([&] { run(1'500, t, o); }).programs_compiled, 0);
}

TEST(LoopCost, AnotherScalarNeedsNoPlan) {
  const Tensor t = counting({40}, 0.01), o = counting({40}, 0.02);
  const auto run = [&](std::int32_t steps) { return values(pendulum(Scalar(steps), t, o).first); };
  run(3);
  Floats after;
  const Counters work = counted([&] { after = run(500); });
  EXPECT_EQ(work.plans_made, 0);
  EXPECT_EQ(work.programs_compiled, 0);
  EXPECT_EQ(after, values(pendulum(500, t, o).first));
}

/// x = x + 1 while it is small, modulo a prime: exact, and its value gives the number of
/// iterations.
Tensor counted_up(LoopBound steps, const Tensor& x) {
  return fori_loop(
      0, std::move(steps),
      [](const Tensor&, const Tensor& s) { return where(s >= 9972, 0, s + 1); }, x);
}

TEST(LoopLong, MoreIterationsThanADrawCanDo) {
  const Tensor x = arange(10);
  x.eval();
  const std::int64_t steps = 150'000;
  std::vector<std::int32_t> want;
  for (std::int64_t k = 0; k < 10; ++k) want.push_back(static_cast<int>((k + steps) % 9973));
  std::vector<std::int32_t> got;
  const Counters work = counted([&] { got = counted_up(steps, x).to_vector<std::int32_t>(); });
  EXPECT_EQ(got, want);
  EXPECT_EQ(work.draws, 3);
  EXPECT_EQ(counted_up(Scalar(150'000), x).to_vector<std::int32_t>(), want);
  EXPECT_EQ(counted_up(tensor<std::int32_t>({150'000}, {}), x).to_vector<std::int32_t>(), want);
}

TEST(LoopLong, LoopsWithinABodyCountToo) {
  for (const auto& [outer, draws] : {std::pair(100, 1), std::pair(3'000, 3)}) {
    const auto body = [](const Tensor&, const Tensor& s) { return counted_up(50, s); };
    const Tensor last = fori_loop(0, outer, body, arange(10));
    EXPECT_EQ(counted([&] { last.eval(); }).draws, draws);
    Floats want;
    for (int k = 0; k < 10; ++k) want.push_back(static_cast<float>((k + outer * 50) % 9973));
    EXPECT_EQ(values(last), want);
  }
}

TEST(LoopCost, ABranchIsAnIfOfOneProgram) {
  const Tensor x = counting({40}, 0.1), w = counting({40}, 0.2);
  const auto run = [&](std::int32_t first) {
    const auto body = [&](const Tensor& i, const Tensor& s) {
      const auto yes = [&](const Tensor& v) { return sin(v + w) * exp(-v * v) + cos(v * 3.0); };
      const auto no = [](const Tensor& v) { return sqrt(abs(v) + 1.0) * tanh(v) - v * 0.5; };
      return cond(i < full({}, first, int32), yes, no, s);
    };
    return values(fori_loop(0, 9, body, x));
  };
  const Floats never = run(0), always = run(9);
  Floats both;
  const Counters work = counted([&] { both = run(4); });
  EXPECT_EQ(work.draws, 1);
  EXPECT_EQ(work.programs_compiled, 0);
  EXPECT_NE(both, never);
  EXPECT_NE(both, always);
}

TEST(LoopLong, LoopsWithinAnOpCountToo) {
  // Drivers end a shader after a number of iterations of all its loops, and remainder may have a
  // loop.
  for (const std::int64_t steps : {1'000, 40'000}) {
    const Tensor odd = fori_loop(
        0, steps, [](const Tensor& i, const Tensor& s) { return s + i % 2; }, zeros({}, int32));
    EXPECT_EQ(odd.item<std::int32_t>(), steps / 2);
    const Tensor real = fori_loop(
        0, steps, [](const Tensor& i, const Tensor& s) { return s + i.astype(float32) % 2.0; },
        zeros({3}));
    EXPECT_EQ(values(real), Floats(3, static_cast<float>(steps / 2)));
  }
  const Tensor powers = fori_loop(
      0, 10'000, [](const Tensor& i, const Tensor& s) { return s + power(i % 3, i % 2 + 1); },
      zeros({}, int32));
  std::int32_t want = 0;
  for (int i = 0; i < 10'000; ++i) want += i % 2 == 0 ? i % 3 : (i % 3) * (i % 3);
  EXPECT_EQ(powers.item<std::int32_t>(), want);
  const Tensor x = arange(400'000) % 1000;
  EXPECT_EQ(sum(fmod(x.astype(float32), 2.0F)).item(), 200'000);
}

TEST(LoopLong, ADrawGoesOnWithTheNextStep) {
  // The sum of 0 ... n - 1 modulo 2^20. Each draw must know its first step.
  const Tensor sum = fori_loop(
      0, 140'000, [](const Tensor& i, const Tensor& s) { return (s + i) % (1 << 20); },
      zeros({5}, int32));
  EXPECT_EQ(sum.to_vector<std::int32_t>(),
            std::vector<std::int32_t>(
                5, static_cast<std::int32_t>(std::int64_t{140'000} * 139'999 / 2 % (1 << 20))));
}

TEST(LoopLong, AWhileLoopGoesOnUntilTheLastElementEnds) {
  const Tensor limit = tensor<std::int32_t>({5, 70'000, 1, 130'000, 0}, {5});
  const Tensor end = while_loop([&](const Tensor& s) { return s < limit; },
                                [](const Tensor& s) { return s + 1; }, zeros({5}, int32));
  EXPECT_EQ(end.to_vector<std::int32_t>(), limit.to_vector<std::int32_t>());
}

TEST(LoopLong, MaxIterationsEndsAWhileLoop) {
  const Tensor end = while_loop([](const Tensor& s) { return s >= 0; },
                                [](const Tensor& s) { return s + 1; }, zeros({3}, int32), 100);
  EXPECT_EQ(end.to_vector<std::int32_t>(), (std::vector<std::int32_t>{100, 100, 100}));
}

/// x = (x + its neighbour along axis 0) / 2, so that elements depend on each other.
Tensor smoothed(LoopBound steps, const Tensor& x) {
  return fori_loop(
      0, std::move(steps),
      [](const Tensor&, const Tensor& s) {
        const Tensor next = concatenate({s[Slice{1, {}}], s[Slice{0, 1}]}, 0);
        return (s + next) * 0.5;
      },
      x);
}

TEST(LoopCost, AWindowOfElementsIsADrawForAFewSteps) {
  const Tensor x = counting({200, 8});
  const auto run = [&](LoopBound steps) {
    return counted([&] { smoothed(std::move(steps), x).eval(); });
  };
  run(40);
  const Counters work = run(40);
  // Four steps each; the first values get a texture that iterations may write to.
  EXPECT_EQ(work.draws, 11);
  EXPECT_EQ(work.textures_created, 0);
  EXPECT_EQ(work.programs_compiled, 0);
  EXPECT_EQ(work.plans_made, 0);
  EXPECT_LE(work.uniform_bytes, 11 * 512);
  // The number of steps is not known when it is planned.
  EXPECT_EQ(run(Scalar(40)).draws, 41);
}

TEST(LoopCost, ALongTableIsReadByStep) {
  const Tensor table = counting({1'500, 3}, 0.001);
  const Tensor x = counting({64}, 0.1);
  Tensor y;
  const Counters work = counted([&] {
    y = fori_loop(
        0, 1'500,
        [&](const Tensor& i, const Tensor& s) {
          const Tensor row = take(table, i, 0);
          return s * 0.99 + row[0] * 0.5 - row[2] * 0.1;
        },
        x);
    y.eval();
  });
  EXPECT_EQ(work.draws, 1);
}

TEST(LoopCompiled, ACallBindsItsArguments) {
  const auto f = compile([](Tensor t, Tensor o, Scalar steps) {
    return pendulum(steps, std::move(t), std::move(o)).first;
  });
  const Tensor t = counting({33}, 0.01), o = counting({33}, 0.02);
  const Tensor first = f(t, o, Scalar(7));
  EXPECT_EQ(values(first), values(pendulum(7, t, o).first));
  Tensor second;
  const Counters work = counted([&] { second = f(o, t, Scalar(90)); });
  EXPECT_EQ(values(second), values(pendulum(90, o, t).first));
  EXPECT_EQ(work.plans_made, 0);
  EXPECT_EQ(error_of([&] { return f(t, o, Scalar(-1)); }).find("no error"), std::string::npos);
}

TEST(LoopExplain, TellsDrawsAndIterations) {
  const Tensor x = counting({200, 8});
  const std::string coupled = explain(smoothed(40, x));
  EXPECT_NE(coupled.find("one iteration after the other: pad reads a carry at other indices"),
            std::string::npos)
      << coupled;
  EXPECT_NE(coupled.find("4 steps per draw: each fragment computes the earlier steps of its "
                         "neighbours again"),
            std::string::npos)
      << coupled;
  EXPECT_NE(coupled.find("10 iterations of 1 step"), std::string::npos) << coupled;
  const std::string elements = explain(pendulum(40, x, x).first);
  EXPECT_NE(elements.find("the elements of (200, 8) do not depend on each other"),
            std::string::npos)
      << elements;
}

// ---- Conditions, registers and rows at their limits

TEST(LoopCondition, CoupledElementsEndOnTheirOwn) {
  for (const std::int64_t n : {9, 64, 65}) {
    std::vector<double> want;
    for (std::int64_t k = 0; k < n; ++k) want.push_back(static_cast<double>(n - k) * 0.1);
    const Tensor x = tensor<float>(Floats(want.begin(), want.end()), {n});
    const Tensor end = while_loop([](const Tensor& s) { return s < 8.0; },
                                  [](const Tensor& s) { return s + 0.5 + 0.01 * max(s); }, x);
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      const double most = *std::max_element(want.begin(), want.end());
      for (double& v : want) {
        if (v < 8) v += 0.5 + 0.01 * most, goes_on = true;
      }
    }
    const Floats got = values(end);
    for (std::size_t k = 0; k < want.size(); ++k) EXPECT_NEAR(got[k], want[k], 1e-4) << n;
  }
}

TEST(LoopCondition, MayHaveTheFirstAxesOfACarryAlone) {
  const auto body = [](Two s) { return Two{s.first + 1, s.second + 1}; };
  for (const Shape& shape : {Shape{2}, Shape{2, 1}}) {
    const Tensor first = zeros({2, 3});
    const Two end = while_loop([](const Two& s) { return s.second < 4; }, body,
                               Two{first, tensor<float>(Floats{3, 1}, shape)}, 1'000);
    EXPECT_EQ(values(end.first), (Floats{1, 1, 1, 3, 3, 3}));
    EXPECT_EQ(values(end.second), (Floats{4, 4}));
  }
}

TEST(LoopRegisters, MoreThanAKernelCarries) {
  std::vector<Tensor> state;
  for (int k = 0; k < 3; ++k) state.push_back(counting({7, 43}, 0.1 * (k + 1)));
  const auto last = fori_loop(
      0, 5,
      [](const Tensor&, std::vector<Tensor> s) {
        s[0] = s[0] * 0.5 + s[1];
        s[1] = s[1] - s[2] * 0.25;
        s[2] = s[2] + 1.0;
        return s;
      },
      state);
  std::vector<double> a, b, c;
  for (int k = 0; k < 7 * 43; ++k) {
    double x = k * 0.1F, y = k * 0.2F, z = k * 0.3F;
    for (int i = 0; i < 5; ++i) x = x * 0.5 + y, y = y - z * 0.25, z = z + 1;
    a.push_back(x), b.push_back(y);
  }
  const Floats got = values(last[0]), second = values(last[1]);
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_NEAR(got[k], a[k], 1e-4 * (1 + std::abs(a[k])));
    EXPECT_NEAR(second[k], b[k], 1e-4 * (1 + std::abs(b[k])));
  }
}

/// The sums of the first rows. Each device's textures hold some of the rows.
TEST(LoopScan, MoreRowsThanATinyTextureHas) {
  for (const Shape& row : {Shape{}, Shape{5}}) {
    Shape shape = row;
    shape.insert(0, 100);
    const auto sums =
        scan([](Tensor s, Tensor x) { return Two(s + x, s + x); }, zeros(row), counting(shape))
            .outputs;
    const Floats got = values(sums);
    const auto width = static_cast<std::size_t>(row.numel());
    for (std::size_t k = 0; k < got.size(); ++k) {
      double want = 0;
      for (std::size_t i = k % width; i <= k; i += width) want += static_cast<double>(i);
      EXPECT_EQ(got[k], want) << k;
    }
  }
}

TEST(LoopSteps, StepsOfAllOfInt32) {
  const support::OnWebGL2 only("integers past 2^24");
  const auto steps_from = [](const Scalar& from, const Scalar& to) {
    return fori_loop(
               from, to, [](const Tensor& i, const Tensor& s) { return s * 0 + i; },
               zeros({3}, int32))
        .to_vector<std::int32_t>()[0];
  };
  EXPECT_EQ(steps_from(-2'147'483'600, -2'147'483'597), -2'147'483'598);
  EXPECT_EQ(steps_from(2'147'483'600, 2'147'483'603), 2'147'483'602);
}

TEST(LoopGradient, OfWhatTheBodyReads) {
  const auto f = [](const Tensor& x) {
    return sum(fori_loop(
        0, 3, [&](const Tensor&, const Tensor& v) { return v * x; }, ones({3})));
  };
  const auto slope = [&](const Tensor& x) { return grad(f, x).to_vector<float>(); };
  EXPECT_EQ(slope(counting({3})), (std::vector<float>{0, 3, 12}));
  EXPECT_EQ(slope(ones({3})), (std::vector<float>{3, 3, 3}));
  const auto through_a_view = [&](const Tensor& x) { return f(x[Slice{0, 3}]); };
  EXPECT_EQ(grad(through_a_view, counting({5})).to_vector<float>(),
            (std::vector<float>{0, 3, 12, 0, 0}));
}

// ---- The other profile

TEST(LoopWebGL1, IndependentAndCoupledElements) {
  const Device device({.profile = Profile::webgl1});
  const Tensor x = tensor<float>(Floats{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {10}, device);
  const Tensor y = fori_loop(
      0, 12, [](const Tensor& i, const Tensor& s) { return s * 0.5 + i.astype(float32); }, x);
  const Floats got = values(y);
  for (int k = 0; k < 10; ++k) {
    double want = k;
    for (int i = 0; i < 12; ++i) want = want * 0.5 + i;
    EXPECT_NEAR(got[static_cast<std::size_t>(k)], want, 1e-5);
  }
  const Floats smooth = values(smoothed(3, x));
  EXPECT_NEAR(smooth[0], 1.5, 1e-6);
  EXPECT_NEAR(smooth[9], (9 + 3 * 0 + 3 * 1 + 2) / 8.0, 1e-6);
}

}  // namespace
}  // namespace trigon
