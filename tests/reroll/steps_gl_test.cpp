// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/values.hpp"

// Plain C++ loops over the rows of a tensor, or with other numbers in each step, that become loops
// of a kernel on a device.

namespace trigon {
namespace {

using Floats = std::vector<float>;

/// Expects `steps` of s = next(s, x, step) to be one draw, with the values of single steps.
/// `tolerance`: a compiler may contract other operations of a loop than of a step.
template <class Next>
void expect_one_draw(const Shape& shape, const Shape& rows, int steps, Next next,
                     float tolerance = 1e-5F) {
  for (const Profile profile : {Profile::webgl2, Profile::webgl1}) {
    const Device device{{.profile = profile}};
    const Tensor first = support::noise_on(device, shape, 0),
                 x = support::noise_on(device, rows, 1);
    Tensor s = first, want = first;
    for (int step = 0; step < steps; ++step) s = next(s, x, step);
    const std::int64_t before = counters(device).draws;
    s.eval();
    EXPECT_EQ(counters(device).draws - before, 1);
    for (int step = 0; step < steps; ++step) {
      want = next(want, x, step);
      want.eval();
    }
    const Floats a = s.to_vector<float>(), b = want.to_vector<float>();
    for (std::size_t k = 0; k < a.size(); ++k) {
      EXPECT_NEAR(a[k], b[k], tolerance * (1 + std::abs(b[k]))) << k;
    }
  }
}

TEST(RollStepsOnDevice, RowsOfATensor) {
  const auto row = [](const Tensor& s, const Tensor& x, int t) { return s * 0.5 + x[t] * s; };
  for (const Shape& rows : {Shape{500}, Shape{500, 7}, Shape{500, 33, 7}}) {
    expect_one_draw({33, 7}, rows, 500, row);
  }
}

TEST(RollStepsOnDevice, RowsInAnotherOrder) {
  const auto next = [](const Tensor& s, const Tensor& x, int t) {
    return abs(s * 0.5 + x[499 - t] - x[2 * t + 1]) + 0.25 * x[Slice{t, t + 7}];
  };
  expect_one_draw({33, 7}, {1000}, 500, next);
}

TEST(RollStepsOnDevice, OtherNumbersInEachStep) {
  const auto next = [](const Tensor& s, const Tensor& x, int t) {
    return s * (1.0 / std::sqrt(t + 2.0)) + x * std::sin(0.1 * t + 1) - (t % 7 == 3 ? 0.5 : 0.25);
  };
  expect_one_draw({33, 7}, {33, 7}, 500, next);
}

TEST(RollStepsOnDevice, ChangingNumbersMakesNoProgram) {
  for (const Profile profile : {Profile::webgl2, Profile::webgl1}) {
    const Device device{{.profile = profile}};
    const Tensor x = support::noise_on(device, {33, 7}, 0);
    const auto run = [&](double seed, bool by_scalars) {
      Tensor s = x;
      for (int t = 0; t < 200; ++t) {
        const double number = 0.5 + 0.25 * std::sin(seed * t);
        s = by_scalars ? sin(s) * Scalar(number) + x : sin(s) * number + x;
      }
      return s;
    };
    for (const bool by_scalars : {false, true}) {
      run(1, by_scalars).eval();
      Tensor other = run(2, by_scalars);
      const Counters before = counters(device);
      other.eval();
      const Counters after = counters(device);
      EXPECT_EQ(after.draws - before.draws, 1);
      EXPECT_EQ(after.programs_compiled - before.programs_compiled, 0);
      EXPECT_EQ(after.plans_made - before.plans_made, by_scalars ? 0 : 1);
      // Scalars and plain numbers must give the same values.
      const Floats a = other.to_vector<float>(), b = run(2, !by_scalars).to_vector<float>();
      for (std::size_t k = 0; k < a.size(); ++k) EXPECT_EQ(a[k], b[k]) << k;
    }
  }
}

TEST(RollStepsOnDevice, ScalarsOfACompiledFunction) {
  const Device device;
  const Tensor x = support::noise_on(device, {33, 7}, 0);
  const auto f = [](const Tensor& start, const Scalar& rate) {
    Tensor s = start;
    Scalar now = rate;
    for (int t = 0; t < 300; ++t) {
      s = s - now * sin(s);
      now = now * 0.99;
    }
    return s;
  };
  auto compiled = compile(f);
  compiled(x, Scalar(0.5)).eval();
  const Counters before = counters(device);
  const Tensor other = compiled(x, Scalar(0.25));
  const Floats got = other.to_vector<float>();
  const Counters after = counters(device);
  EXPECT_EQ(after.draws - before.draws, 1);
  EXPECT_EQ(after.programs_compiled - before.programs_compiled, 0);
  EXPECT_EQ(after.plans_made - before.plans_made, 0);
  const Floats want = f(x, Scalar(0.25)).to_vector<float>();
  for (std::size_t k = 0; k < got.size(); ++k) EXPECT_EQ(got[k], want[k]) << k;
}

}  // namespace
}  // namespace trigon
