// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "reference/interpret.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/kernels.hpp"
#include "support/threefry.hpp"

// Random numbers on devices of both profiles have identical bits.

namespace trigon {
namespace {

using support::error_of;
using support::read_doubles;
using Values = std::vector<double>;

class RandomOnDevice : public support::KernelTest {
 protected:
  static bool is_webgl1() { return device().profile() == Profile::webgl1; }
  static Values on_device(const Tensor& x) { return read_doubles(x.to(device())); }
  static std::uint64_t words(const random::Key& key) {
    std::uint64_t all = 0;
    for (const double half : on_device(random::key_data(key))) {
      all = all << 16U | static_cast<std::uint64_t>(half);
    }
    return all;
  }
  static void expect_exact(const Tensor& x) {
    EXPECT_EQ(on_device(x), graph::interpret(detail::Internals::node(x)));
  }
  static void expect_near(const Tensor& x, double tolerance) {
    const Values want = graph::interpret(detail::Internals::node(x));
    const Values got = on_device(x);
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], want[k], tolerance) << k;
  }
};

INSTANTIATE_TEST_SUITE_P(Profiles, RandomOnDevice,
                         ::testing::Values(Profile::webgl2, Profile::webgl1),
                         support::profile_name);

TEST_P(RandomOnDevice, GivesThePublishedAnswers) {
  for (const auto& [key, counter, result] : support::known_answers) {
    EXPECT_EQ(words(random::fold_in(key, counter)), result) << std::hex << key << ", " << counter;
  }
}

TEST_P(RandomOnDevice, BitsAreTheReference) {
  if (is_webgl1()) {
    EXPECT_THROW(on_device(random::bits(7, {5})), DeviceError);
  } else {
    expect_exact(random::bits(7, {70'000}));
  }
}

TEST_P(RandomOnDevice, ExactNumbersAreTheReference) {
  for (const Shape& shape : {Shape{}, Shape{1}, Shape{0}, Shape{2, 1, 3, 2, 1, 3}, Shape{33, 9}}) {
    expect_exact(random::uniform(7, shape));
    expect_exact(random::uniform(-9, shape, -1.1, 2.3));
    expect_exact(random::integers(7, shape, -5, 9));
    expect_exact(random::integers(7, shape, 0, 1 << 24));
    expect_exact(random::bernoulli(7, 0.3, shape));
  }
  expect_exact(random::uniform(7, {70'000}));
}

TEST_P(RandomOnDevice, SeedsOfTensors) {
  const Tensor seeds = ints({7, -9, 16'777'216}, {3, 1});
  const Values got = read_doubles(random::uniform(random::fold_in(seeds, Scalar(5)), {3, 50}));
  EXPECT_EQ(got, graph::interpret(
                     detail::Internals::node(random::uniform(random::fold_in(seeds, 5), {3, 50}))));
  EXPECT_EQ(read_doubles(random::uniform(seeds, {3, 1}))[1],
            support::random_fraction(0xfffffff7, 1));
}

TEST_P(RandomOnDevice, OthersAgreeWithinTheirBounds) {
  expect_near(random::normal(7, {1000}), 2e-5);
  expect_near(random::exponential(7, {1000}), 4e-6);
  expect_near(random::gumbel(7, {1000}), 2e-5);
  expect_near(random::truncated_normal(7, -2, 3, {1000}), 2e-5);
  expect_exact(random::categorical(7, zeros({50, 6})));
}

TEST_P(RandomOnDevice, PositionsBeyondWhatFloatsHold) {
  const Tensor wide = random::uniform(7, {20'000, 10, 100});
  EXPECT_EQ(on_device(wide[-1][-1][-1])[0], support::random_fraction(7, 19'999'999));
  EXPECT_EQ(on_device(wide[17'001][3][5])[0], support::random_fraction(7, 17'001'305));
  const Tensor row = random::uniform(7, {20'000'000});
  if (is_webgl1()) {
    EXPECT_EQ(error_of<DeviceError>([&] {
                on_device(row[Slice{0, 4}]);
              }),
              "trigon::eval: integer is not exact on the device: 19999999; profile webgl1 computes "
              "with floats, so integers must be in [-16777216, 16777216]");
  } else {
    EXPECT_EQ(on_device(row[-1])[0], support::random_fraction(7, 19'999'999));
  }
}

TEST_P(RandomOnDevice, ANewSeedReusesPlanAndProgram) {
  const Tensor x = counting({40});
  const auto draw = [&](const random::Key& key) {
    read_doubles(x + random::normal(random::fold_in(key, Scalar(3)), {40}));
  };
  draw(7);
  const Counters before = counters(device());
  draw(-2'000'000'000);
  draw(0x123456789abcdef0);
  const Counters work = counters(device()) - before;
  EXPECT_EQ(work.plans_made, 0);
  EXPECT_EQ(work.programs_compiled, 0);
  EXPECT_EQ(work.draws, 2);
}

// The walk's numbers are those outside of the loop.
TEST_P(RandomOnDevice, LoopsDrawTheSameStream) {
  const auto step = [](const Tensor& i, const Tensor& x) {
    return x + random::integers(random::fold_in(7, i), {30}, 100).astype(float32);
  };
  const Values got = read_doubles(fori_loop(0, 20, step, counting({30})));
  Tensor rolled = counting({30});
  for (int i = 0; i < 20; ++i) rolled = step(Scalar(i), rolled);
  Values want;
  for (int k = 0; k < 30; ++k) want.push_back(k);
  for (int i = 0; i < 20; ++i) {
    const std::uint64_t key = words(random::fold_in(7, i));
    for (std::uint32_t k = 0; k < 30; ++k) {
      want[k] += static_cast<double>(support::random_integer(key, k, 0, 100));
    }
  }
  EXPECT_EQ(got, want);
  EXPECT_EQ(read_doubles(rolled), want);
}

// llvmpipe ends a fragment's loops after 65,535 trips; in profile webgl1 each block takes some.
TEST_P(RandomOnDevice, LongLoopsDrawToTheEnd) {
  constexpr int steps = 2'000;
  const auto step = [](const Tensor& i, const Tensor& x) {
    return x + random::bernoulli(random::fold_in(7, i), 0.5, x.shape()).astype(float32);
  };
  const Values got = read_doubles(fori_loop(0, steps, step, floats({0, 0, 0}, {3})));
  Values want(3);
  for (std::uint32_t i = 0; i < steps; ++i) {
    const support::Block folded = support::threefry({0, 7}, {0, i});
    const std::uint64_t seed = std::uint64_t{folded[0]} << 32U | folded[1];
    for (std::uint32_t k = 0; k < 3; ++k) want[k] += support::random_fraction(seed, k) < 0.5;
  }
  EXPECT_EQ(got, want);
}

}  // namespace
}  // namespace trigon
