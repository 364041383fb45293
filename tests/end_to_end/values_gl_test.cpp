// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "graph/build.hpp"
#include "reference/interpret.hpp"
#include "support/compare.hpp"
#include "support/kernels.hpp"

// Values at the edges of their dtypes, in both profiles: results do not depend on which values
// share a draw.

namespace trigon {
namespace {

using support::error_of;
using support::Floats;
using support::Ints;
using support::read_doubles;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

class Edges : public support::KernelTest {
 protected:
  static Tensor bytes(const std::vector<std::uint8_t>& values) {
    return from_host(values.data(), uint8, {static_cast<std::int64_t>(values.size())}, device());
  }
  static Tensor row(const Floats& values) {
    return floats(values, {static_cast<std::int64_t>(values.size())});
  }
  static Tensor row(const Ints& values) {
    return ints(values, {static_cast<std::int64_t>(values.size())});
  }
  // Compares the stored value, and a fused reader of it, with the reference on the CPU.
  static void expect_exact(const Tensor& y) {
    const std::vector<double> want = graph::interpret(detail::Internals::node(y));
    const Tensor fused = y.astype(float32) * 0.5;
    const std::vector<double> halves = read_doubles(fused);
    const std::vector<double> got = read_doubles(y);
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i], want[i]) << "stored, element " << i;
      EXPECT_EQ(halves[i], want[i] * 0.5) << "fused, element " << i;
    }
  }
  static bool is_webgl1() { return device().profile() == Profile::webgl1; }
};

INSTANTIATE_TEST_SUITE_P(Profiles, Edges, ::testing::Values(Profile::webgl2, Profile::webgl1),
                         support::profile_name);

// ---- Integers

TEST_P(Edges, BytesWrapAround) {
  const Tensor a = bytes({250, 10, 0, 255, 128, 3});
  const Tensor b = bytes({10, 246, 1, 255, 128, 5});
  expect_exact(a + b);
  expect_exact(a - b);
  expect_exact(a * b);
  expect_exact(-a);
  expect_exact(square(a));
  expect_exact(floor_divide(a + b, 2));
  expect_exact(maximum(a - b, 7));
}

TEST_P(Edges, CastsToBytesWrapAround) {
  expect_exact(row(Ints{300, -1, 256, 65'535, -257}).astype(uint8));
  expect_exact(row(Floats{300.7F, -1.2F, 255.9F, 0.9F, -0.9F}).astype(uint8));
  expect_exact(arange(600).to(device()).astype(uint8));
}

TEST_P(Edges, IntegersDividedByZeroAreZero) {
  const Tensor a = row(Ints{5, -5, 0, 7, -7, 9});
  const Tensor b = row(Ints{0, 0, 0, 2, 2, -4});
  expect_exact(floor_divide(a, b));
  expect_exact(remainder(a, b));
  expect_exact(fmod(a, b));
  expect_exact(floor_divide(bytes({5, 0, 9}), bytes({0, 0, 2})));
  expect_exact(remainder(bytes({5, 0, 9}), bytes({0, 0, 2})));
  EXPECT_EQ(floor_divide(a, b).to_vector<std::int32_t>(), (Ints{0, 0, 0, 3, -4, -3}));
  EXPECT_EQ(remainder(a, b).to_vector<std::int32_t>(), (Ints{0, 0, 0, 1, 1, -3}));
}

TEST_P(Edges, PowersOfIntegersAreExact) {
  const Tensor a = row(Ints{3, 2, -3, -1, 1, 0, 0, 2, 5, -1, 7, 4096});
  const Tensor b = row(Ints{15, 23, 13, 1'001, -9, 5, 0, -1, 10, -3, 8, 1});
  EXPECT_EQ(
      power(a, b).to_vector<std::int32_t>(),
      (Ints{14'348'907, 8'388'608, -1'594'323, -1, 1, 0, 1, 0, 9'765'625, -1, 5'764'801, 4'096}));
  EXPECT_EQ(power(row(Ints{0, 0, 2}), row(Ints{-1, -2, -5})).to_vector<std::int32_t>(),
            (Ints{0, 0, 0}));
  EXPECT_EQ(sum(power(a, b) * 0 + a).item<std::int32_t>(), sum(a).item<std::int32_t>());
}

TEST_P(Edges, ExtremaKeepTheDtype) {
  const Tensor x = bytes({3, 200, 7});
  EXPECT_EQ(max(x).item<std::uint8_t>(), 200);
  EXPECT_EQ(min(x).item<std::uint8_t>(), 3);
  EXPECT_EQ(ptp(x).item<std::uint8_t>(), 197);
  const Tensor mask = row(Ints{0, 1, 0}).astype(boolean);
  EXPECT_TRUE(max(mask).item<bool>());
  EXPECT_FALSE(min(mask).item<bool>());
  EXPECT_TRUE(ptp(mask).item<bool>());
}

TEST_P(Edges, MeansOfIntegersAreFloats) {
  EXPECT_EQ(norm(bytes({16})).item(), 16);
  EXPECT_EQ(norm(row(Ints{3'000, 4'000})).item(), 5'000);
  EXPECT_EQ(mean(bytes({255, 255, 255, 254})).item(), 254.75F);
  EXPECT_FLOAT_EQ(nanmean(row(Ints{1, 2, 4})).item(), 7.0F / 3);  // a division rounds
}

TEST_P(Edges, IntegersPastFloatsThrowWhereIntegersAreFloats) {
  const Tensor x = row(Ints{16'777'216, -16'777'216});
  const std::string rule =
      "; profile webgl1 computes with floats, so integers must be in [-16777216, 16777216]";
  const auto expected = [&](const std::string& text) {
    return is_webgl1() ? text + rule : "no error";
  };
  EXPECT_EQ(error_of([&] { (x + 16'777'217).eval(); }),
            expected("trigon::add: integer is not exact on the device: 16777217"));
  EXPECT_EQ(error_of([&] { return x - Scalar(20'000'000); }),
            expected("trigon::subtract: integer is not exact on the device: 20000000"));
  EXPECT_EQ(error_of([&] {
              row(Ints{1, -16'777'217});
            }),
            expected("trigon::tensor: integer is not exact on the device: -16777217"));
  EXPECT_EQ(error_of([&] { return full({2}, 20'000'001, int32).to(device()); }),
            expected("trigon::eval: integer is not exact on the device: 20000001"));
  EXPECT_EQ(error_of([&] { return x + 16'777'216; }), "no error");
  EXPECT_EQ(error_of([&] { return x.astype(float32) + 3e9; }), "no error");
}

TEST_P(Edges, ComputedIntegersPastFloatsAreRoundedWhereIntegersAreFloats) {
  const Tensor x = row(Ints{16'777'216, 16'777'215, -16'777'216});
  const Ints sums{is_webgl1() ? 16'777'216 : 16'777'217, 16'777'216, -16'777'215};
  EXPECT_EQ((x + 1).to_vector<std::int32_t>(), sums);
  EXPECT_EQ((x * 2).to_vector<std::int32_t>(), (Ints{33'554'432, 33'554'430, -33'554'432}));
}

// Only by shape: no value of that size is stored.
TEST_P(Edges, PositionsPastFloatsThrow) {
  const Tensor x = iota(16'777'217) % row(Ints{7});
  const std::string text =
      "trigon::argmax: too many elements: 16777217 along the axis; positions are exact up to "
      "16777216";
  EXPECT_EQ(error_of([&] { return argmax(x.astype(float32)); }), text);
  if (!is_webgl1()) return;  // integers have all bits
  EXPECT_EQ(error_of([&] { return argmax(x); }), text);
  EXPECT_EQ(error_of([&] {
              return argmin(broadcast_to(x, {2, 16'777'217}), 1);
            }),
            "trigon::argmin: too many elements: 16777217 along the axis; positions are exact up to "
            "16777216");
  EXPECT_EQ(error_of<DeviceError>([&] { return argmax(iota(16'777'217)).to(device()); }), text);
  const auto rule = [](const char* function) {
    return std::string("trigon::") + function +
           ": too many elements: 16777217 along axis 0; profile webgl1 computes with floats, so an "
           "axis that is indexed must have at most 16777216";
  };
  const Tensor at = row(Ints{3});
  EXPECT_EQ(error_of([&] { return take(x, at); }), rule("take"));
  EXPECT_EQ(error_of([&] { return take_along_axis(x, at, 0); }), rule("take_along_axis"));
  EXPECT_EQ(error_of([&] { return scatter_add(x, at, 1, 0); }), rule("scatter_add"));
  EXPECT_EQ(error_of([&] {
              return nonzero(broadcast_to(row(Ints{0}), {2, 16'777'218}));
            }),
            "trigon::nonzero: too many elements: 16777218 along axis 1; profile webgl1 computes "
            "with floats, so positions must be in [0, 16777216]");
}

TEST_P(Edges, UnsignedIntegersWrapBelowZero) {
  const std::vector<std::uint32_t> values{3, 7};
  const Tensor x = from_host(values.data(), uint32, {2}, device());
  EXPECT_EQ((x - 5 > 100).to_vector<bool>(), (std::vector<bool>{true, false}));
  EXPECT_EQ((row(Ints{-1, 1}).astype(uint32) > 100).to_vector<bool>(),
            (std::vector<bool>{true, false}));
}

// ---- Halves

TEST_P(Edges, HalvesAreRounded) {
  expect_exact(row(Floats{1.0F + 1.0F / 2048, 1.0F + 3.0F / 2048, 1.0F / 3, -2049, 2051, 65'504,
                          65'519, 0.1F, -1000.3F})
                   .astype(float16));
  expect_exact(row(Floats{6.1e-5F, 6.0e-5F, 5.96e-8F, 2.98e-8F, 3.0e-8F, 8.95e-8F, -1e-9F, 0})
                   .astype(float16));
  const Floats y = row(Floats{65'520, -70'000, inf, -inf}).astype(float16).to_vector<float>();
  EXPECT_EQ(y, (Floats{inf, -inf, inf, -inf}));
  EXPECT_TRUE(std::isnan(row(Floats{not_a_number}).astype(float16).item()));
}

TEST_P(Edges, EveryHalfIsItself) {
  Floats values;
  for (int exponent = -24; exponent < 16; ++exponent) {
    for (int k = 0; k < 64; ++k) {
      const double x = std::ldexp(1.0 + 0.015625 * k, exponent);
      values.push_back(static_cast<float>(graph::round_to_half(x)));
      values.push_back(-values.back());
    }
  }
  EXPECT_EQ(row(values).astype(float16).to_vector<float>(), values);
}

// ---- Zeros and infinities

TEST_P(Edges, OddFunctionsKeepTheSignOfZero) {
  const Tensor x = row(Floats{-0.0F, 0.0F});
  const std::vector<Tensor> results{sin(x),    tan(x),     tanh(x),       sinh(x), arcsin(x),
                                    arctan(x), arcsinh(x), arctanh(x),    erf(x),  expm1(x),
                                    log1p(x),  round(x),   floor(x),      ceil(x), trunc(x),
                                    cbrt(x),   sqrt(x),    fmod(x, 1.0F), x * 2.0F};
  for (std::size_t k = 0; k < results.size(); ++k) {
    const Floats y = results[k].to_vector<float>();
    EXPECT_TRUE(y[0] == 0 && std::signbit(y[0])) << k;
    EXPECT_TRUE(y[1] == 0 && !std::signbit(y[1])) << k;
  }
}

TEST_P(Edges, TheSignOfAZeroIsSeenInTheSameDraw) {
  const Tensor x = row(Floats{-0.0F, 0.0F, 4}), y = row(Floats{1, 1, 1});
  const std::vector<bool> want{true, false, false};
  EXPECT_EQ(signbit(x).to_vector<bool>(), want);
  EXPECT_EQ(signbit(sqrt(x)).to_vector<bool>(), want);
  EXPECT_EQ(signbit(cbrt(x)).to_vector<bool>(), want);
  EXPECT_EQ(signbit(x * 2.0F).to_vector<bool>(), want);
  EXPECT_EQ(signbit(copysign(y, sqrt(x))).to_vector<bool>(), want);
  EXPECT_EQ(signbit(arctan2(sqrt(x), y)).to_vector<bool>(), want);
  EXPECT_EQ(signbit(round(sqrt(x))).to_vector<bool>(), want);
  EXPECT_EQ(signbit(reciprocal(sqrt(x))).to_vector<bool>(), want);
  EXPECT_EQ(signbit(rsqrt(x)).to_vector<bool>(), want);
}

TEST_P(Edges, TheInverseErrorFunctionEndsAtOne) {
  const Tensor x = row(Floats{1, -1, 1.0000001F, -2, inf, -inf, not_a_number, -0.0F, 0, 0.5F,
                              1e-20F, 1 - 0x1p-24F, 0.997F});
  const Floats y = erfinv(x).to_vector<float>();
  EXPECT_EQ(y[0], inf);
  EXPECT_EQ(y[1], -inf);
  for (std::size_t k = 2; k < 7; ++k) EXPECT_TRUE(std::isnan(y[k])) << k;
  EXPECT_TRUE(y[7] == 0 && std::signbit(y[7]));
  EXPECT_TRUE(y[8] == 0 && !std::signbit(y[8]));
  const Floats want{0.476936276F, 8.86226925e-21F, 3.83250686F};
  for (std::size_t k = 0; k < want.size(); ++k) EXPECT_FLOAT_EQ(y[9 + k], want[k]);
  EXPECT_NEAR(erf(erfinv(x)).to_vector<float>()[12], 0.997F, 1e-7F);
}

TEST_P(Edges, RoundingToZeroKeepsTheSign) {
  const Tensor x = row(Floats{-0.3F, 0.3F});
  for (const Tensor& result : {round(x), trunc(x)}) {
    const Floats y = result.to_vector<float>();
    EXPECT_TRUE(y[0] == 0 && std::signbit(y[0]));
    EXPECT_TRUE(y[1] == 0 && !std::signbit(y[1]));
  }
}

TEST_P(Edges, RemaindersOfZeroHaveTheSignOfTheDivisor) {
  const Tensor a = row(Floats{0, -0.0F, 4, -4, 4, -4});
  const Tensor b = row(Floats{-1, 1, 2, 2, -2, -2});
  const std::vector<bool> of_divisor{true, false, false, false, true, true};
  EXPECT_EQ(signbit(remainder(a, b)).to_vector<bool>(), of_divisor);
  const std::vector<bool> of_dividend{false, true, false, true, false, true};
  EXPECT_EQ(signbit(fmod(a, b)).to_vector<bool>(), of_dividend);
}

TEST_P(Edges, RemaindersBesideTheLeastNumberAreNotFlushed) {
  const Tensor a = row(Floats{-5.0e-38F, -3.8e-17F, 3.0e-38F});
  const Tensor b = row(Floats{2.0e-38F, 5.0e-38F, -2.5e-38F});
  for (const Tensor& y : {remainder(a, b), floor_divide(a, b)}) {
    EXPECT_EQ(
        support::difference(read_doubles(y), graph::interpret(detail::Internals::node(y)), Ulp{1}),
        "");
  }
}

TEST_P(Edges, SoftmaxOfAnInfinityIsNaN) {
  const Tensor x = row(Floats{inf, 1});
  for (const Tensor& y : {nn::softmax(x), nn::log_softmax(x)}) {
    for (const float one : y.to_vector<float>()) EXPECT_TRUE(std::isnan(one));
  }
  EXPECT_EQ(logsumexp(x).item(), inf);
  EXPECT_EQ(logsumexp(row(Floats{-inf, -inf})).item(), -inf);
  EXPECT_EQ(nn::softmax(row(Floats{-inf, 0})).to_vector<float>(), (Floats{0, 1}));
}

// ---- Eight axes

TEST_P(Edges, ReductionsOfEightAxes) {
  const Tensor x = random({2, 1, 3, 2, 1, 2, 3, 2});
  const Tolerance tolerance(Ulp{64}, Abs{1e-5});
  const auto expect = [&](const Tensor& y) {
    const std::vector<double> want = graph::interpret(detail::Internals::node(y));
    EXPECT_EQ(support::difference(read_doubles(y), want, tolerance, y.dtype()), "");
  };
  expect(sum(x, {0, 2, 4, 6}));
  expect(sum(x, {0, 2, 4, 6}, true));
  expect(max(x, -1, true));
  expect(argmax(x, 2));
  expect(var(x, {1, 3, 5, 7}));
  expect(nn::softmax(x, 3));
  const Tensor row_of = random({3, 2});
  expect(
      grad([&](const Tensor& v) { return sum(square(broadcast_to(v, x.shape()) * x)); }, row_of));
}

}  // namespace
}  // namespace trigon
