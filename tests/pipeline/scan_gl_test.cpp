// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/counted.hpp"
#include "support/on_profile.hpp"
#include "support/values.hpp"

// Scans on a device, several steps per draw: their costs, and outputs read by other code.

namespace trigon {
namespace {

using support::counting;
using Floats = std::vector<float>;
using support::counted;
using Two = std::pair<Tensor, Tensor>;
using Scanned = ScanResult<Tensor, Tensor>;

/// s = s * 0.5 + x: the last state, and all of them.
Scanned scanned(const Tensor& init, const Tensor& xs) {
  const auto f = [](const Tensor& s, const Tensor& x) {
    const Tensor next = s * 0.5 + x;
    return Two(next, next);
  };
  return scan(f, init, xs);
}
std::vector<Floats> expected(std::int64_t iterations, std::int64_t elements, double factor) {
  std::vector<Floats> rows;
  std::vector<double> s(static_cast<std::size_t>(elements), 0);
  for (std::int64_t t = 0; t < iterations; ++t) {
    Floats row;
    for (std::int64_t k = 0; k < elements; ++k) {
      double& one = s[static_cast<std::size_t>(k)];
      one = one * 0.5 + static_cast<double>(t * elements + k) * factor;
      row.push_back(static_cast<float>(one));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}
void expect_near(const Floats& got, const Floats& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t k = 0; k < got.size(); ++k) {
    EXPECT_NEAR(got[k], want[k], 1e-5F * (1 + std::abs(want[k]))) << k;
  }
}

TEST(ScanCost, SeveralStepsADrawAndNothingNewInASecondRun) {
  const support::OnWebGL2 only("draws of several targets");
  for (const std::int64_t iterations : {256, 2'000}) {
    const Tensor init = zeros({64});
    const Tensor xs = counting({iterations, 64}, 0.001);
    const auto run = [&] {
      const Scanned both = scanned(init, xs);
      eval({both.state, both.outputs});
    };
    for (int k = 0; k < 3; ++k) run();
    const Counters work = counted(run);
    const std::int64_t draws = (iterations + 6) / 7;
    EXPECT_EQ(work.draws, draws);
    EXPECT_EQ(work.textures_created, 0);
    EXPECT_EQ(work.framebuffers_created, 0);
    EXPECT_EQ(work.programs_compiled, 0);
    EXPECT_EQ(work.plans_made, 0);
    EXPECT_EQ(work.bytes_uploaded, 0);
    EXPECT_LE(work.uniform_bytes, draws * 64);
  }
}

TEST(ScanCost, MoreStepsThanLayersAreTwoDrawsForEight) {
  const support::OnWebGL2 only("draws of several targets");
  const std::int64_t iterations = 5'000;
  const Tensor init = zeros({8});
  const Tensor xs = counting({iterations, 8}, 0.0001);
  Scanned both;
  const auto run = [&] {
    both = scanned(init, xs);
    eval({both.state, both.outputs});
  };
  for (int k = 0; k < 3; ++k) run();
  const Counters work = counted(run);
  EXPECT_EQ(work.draws, iterations / 8 * 2);
  EXPECT_EQ(work.textures_created, 0);
  EXPECT_EQ(work.framebuffers_created, 0);
  EXPECT_LE(work.uniform_bytes, work.draws * 64);
  Floats want;
  for (const Floats& row : expected(iterations, 8, 0.0001)) {
    want.insert(want.end(), row.begin(), row.end());
  }
  expect_near(both.outputs.to_vector<float>(), want);
}

TEST(ScanCost, DownloadsLeaveTheFramebuffersOfTheDraws) {
  const Tensor init = zeros({64});
  const Tensor xs = counting({200, 64}, 0.001);
  const auto run = [&] { return scanned(init, xs).outputs.to_vector<float>(); };
  // Textures that tests before this one have left take turns for a while.
  for (int k = 0; k < 20; ++k) run();
  const Counters work = counted(run);
  EXPECT_EQ(work.textures_created, 0);
  EXPECT_EQ(work.framebuffers_created, 0);
}

/// With few elements each step begins with the first one; with many, a draw does several steps.
void read_in_any_way(std::int64_t iterations, std::int64_t elements) {
  const Tensor xs = counting({iterations, elements}, 0.01);
  const std::vector<Floats> want = expected(iterations, elements, 0.01);
  const auto [last, ys] = scanned(zeros({elements}), xs);
  ys.eval();
  EXPECT_EQ(ys[3].shape(), (Shape{elements}));
  for (const std::int64_t t : {0, 3, 17}) {
    const auto row = static_cast<std::size_t>(t);
    expect_near(ys[t].to_vector<float>(), want[row]);
    expect_near((ys[t] * 2.0 - ys[t]).to_vector<float>(), want[row]);
  }
  Floats all, sums(static_cast<std::size_t>(elements), 0), turned;
  for (const Floats& row : want) {
    all.insert(all.end(), row.begin(), row.end());
    for (std::size_t k = 0; k < row.size(); ++k) sums[k] += row[k];
  }
  for (std::size_t k = 0; k < sums.size(); ++k) {
    for (const Floats& row : want) turned.push_back(row[k]);
  }
  expect_near(ys.to_vector<float>(), all);
  expect_near(reshape(ys, {9, 2 * elements}).to_vector<float>(), all);
  expect_near(transpose(ys).to_vector<float>(), turned);
  expect_near(sum(ys, 0).to_vector<float>(), sums);
  expect_near(last.to_vector<float>(), want.back());
  expect_near(ys.at(Slice{16, 18}, Slice{1, 2}).get().to_vector<float>(),
              {want[16][1], want[17][1]});
}

TEST(ScanValues, OutputsOfFewElementsAreReadInAnyWay) { read_in_any_way(18, 7); }
TEST(ScanValues, OutputsOfManyElementsAreReadInAnyWay) { read_in_any_way(18, 1'001); }

/// Several carries and outputs, of other dtypes and with several values an element.
TEST(ScanValues, OutputsOfAllDtypesAreThoseOfAPlainLoop) {
  struct State {
    Tensor x, count;
  };
  struct Row {
    Tensor real, whole, truth, half, byte, both;
  };
  const auto f = [](const State& s, const Tensor& x) {
    const State next{s.x * 0.75 + x, s.count + (s.x > x).astype(int32)};
    return std::pair(
        next, Row{next.x * 2.0, next.count * 3 - 1, next.x > s.x, (next.x * 0.5).astype(float16),
                  next.count.astype(uint8), stack({next.x, s.x}, 1)});
  };
  for (const std::int64_t elements : {3, 1'500}) {
    const std::int64_t iterations = 16;
    const Tensor xs = sin(counting({iterations, elements}, 0.7));
    xs.eval();
    const State init{zeros({elements}), zeros({elements}, int32)};
    const auto [last, ys] = scan(f, init, xs);
    State state = init;
    std::vector<Row> rows;
    for (std::int64_t t = 0; t < iterations; ++t) {
      auto [next, row] = f(state, xs[t]);
      eval({next.x, next.count});
      state = next;
      rows.push_back(row);
    }
    const auto compare = [&](const Tensor& got, Tensor Row::*field) {
      for (std::int64_t t = 0; t < iterations; ++t) {
        const Tensor& want = rows[static_cast<std::size_t>(t)].*field;
        ASSERT_EQ(got.dtype(), want.dtype());
        expect_near(got[t].astype(float32).to_vector<float>(),
                    want.astype(float32).to_vector<float>());
      }
    };
    compare(ys.real, &Row::real);
    compare(ys.whole, &Row::whole);
    compare(ys.truth, &Row::truth);
    compare(ys.half, &Row::half);
    compare(ys.byte, &Row::byte);
    compare(ys.both, &Row::both);
    expect_near(last.x.to_vector<float>(), state.x.to_vector<float>());
    EXPECT_EQ(last.count.to_vector<std::int32_t>(), state.count.to_vector<std::int32_t>());
  }
}

TEST(ScanValues, AWriteKeepsTheOutputs) {
  const Tensor ys = scanned(zeros({4}), counting({10, 4})).outputs;
  ys.eval();
  const Tensor changed = ys.at(2).set(0.0);
  Floats want = ys.to_vector<float>();
  for (std::size_t k = 8; k < 12; ++k) want[k] = 0;
  EXPECT_EQ(changed.to_vector<float>(), want);
  EXPECT_EQ(ys[2].to_vector<float>(), (Floats{10, 11.75, 13.5, 15.25}));
}

TEST(ScanCompiled, ACallBindsItsArguments) {
  const auto f = compile([](Tensor init, Tensor xs) {
    auto [last, ys] = scanned(std::move(init), std::move(xs));
    return Two(last, ys + 1.0);
  });
  for (const double factor : {0.01, 0.02, 0.03}) {
    const Tensor xs = counting({23, 6}, factor);
    const Two got = f(zeros({6}), xs);
    const std::vector<Floats> want = expected(23, 6, factor);
    Floats all;
    for (const Floats& row : want) {
      for (const float v : row) all.push_back(v + 1);
    }
    expect_near(got.first.to_vector<float>(), want.back());
    expect_near(got.second.to_vector<float>(), all);
  }
}

TEST(ScanWebGL1, StepsGoOneByOne) {
  const Device device({.profile = Profile::webgl1});
  Floats numbers;
  for (int k = 0; k < 40; ++k) numbers.push_back(static_cast<float>(k) * 0.1F);
  const Tensor xs = tensor<float>(numbers, {10, 4}, device);
  const Tensor ys = scanned(zeros({4}), xs).outputs;
  Floats want;
  for (const Floats& row : expected(10, 4, 0.1)) want.insert(want.end(), row.begin(), row.end());
  expect_near(ys.to_vector<float>(), want);
}

}  // namespace
}  // namespace trigon
