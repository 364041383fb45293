// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/math.hpp>
#include <trigon/trigon.hpp>

#include "core/internals.hpp"
#include "reference/interpret.hpp"
#include "support/compare.hpp"
#include "support/statistics.hpp"
#include "support/values.hpp"

// The profile of WebGL 1 with float textures: the parts of GPT-2.

namespace trigon {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;
using support::Random;

class WebGL1 : public ::testing::Test {
 protected:
  static const Device& device() {
    static const Device opened{{.profile = Profile::webgl1}};
    return opened;
  }
  static Tensor upload(const Floats& values, const Shape& shape) {
    return tensor<float>(std::span<const float>(values), shape, device());
  }
  static Tensor upload(const Ints& values, const Shape& shape) {
    return tensor<std::int32_t>(std::span<const std::int32_t>(values), shape, device());
  }
  Tensor random(const Shape& shape, const Range& range = {-2, 2}) {
    return upload(support::random_floats(random_, shape.numel(), range), shape);
  }
  // Against the reference, to `tolerance` of its values.
  static void expect(const Tensor& y, const Tolerance& tolerance = Ulp{0}) {
    EXPECT_EQ(y.device(), device());
    const std::vector<double> want = graph::interpret(detail::Internals::node(y));
    EXPECT_EQ(support::difference(support::read_doubles(y), want, tolerance, y.dtype()), "");
  }

  Random random_{11};
};

TEST_F(WebGL1, TheDeviceSaysSo) { EXPECT_EQ(device().profile(), Profile::webgl1); }

TEST_F(WebGL1, ReadsWhatWasUploaded) {
  for (std::int64_t n = 0; n < 40; ++n) {
    Floats values(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) - 7.5F;
    EXPECT_EQ(upload(values, {n}).to_vector<float>(), values);
  }
  const Ints ints{0, 1, -1, 16'777'216, -16'777'216};
  EXPECT_EQ(upload(ints, {5}).to_vector<std::int32_t>(), ints);
}

// Only ops of floats: integers have no bit operations here.
TEST_F(WebGL1, ElementwiseOps) {
  std::vector<std::string> wrong;
  for (const Op* op : registry()) {
    if (op->family != Family::unary) continue;
    const UnarySpec& spec = op->unary();
    const Tensor y = detail::apply(*op, random({3, 5}, spec.domain));
    const std::vector<double> want = graph::interpret(detail::Internals::node(y));
    const std::string text =
        support::difference(support::read_doubles(y), want, spec.tolerance, y.dtype());
    if (!text.empty()) wrong.push_back(std::string(op->name) + ": " + text);
  }
  EXPECT_EQ(wrong, std::vector<std::string>{});
}

TEST_F(WebGL1, BinaryOps) {
  const Tensor a = random({3, 5});
  const Tensor b = random({5}, {0.5, 3});
  const Tolerance ulp = Ulp{1};
  expect(a + b, ulp);
  expect(a - b, ulp);
  expect(a * b, ulp);
  expect(a / b, ulp);
  expect(maximum(a, b));
  expect(minimum(a, b));
  expect(power(b, a), find_op("power")->binary().tolerance);
  expect(remainder(a, b), ulp);
  expect(a < b);
  expect(a >= b);
  expect(logical_and(a > 0.0, b > 1.0));
}

TEST_F(WebGL1, SpecialValues) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const Tensor x = upload(Floats{nan, inf, -inf, 0, -1, 2}, {6});
  expect(isnan(x));
  expect(isinf(x));
  expect(exp(x), find_op("exp")->unary().tolerance);
  expect(maximum(x, 0.0));
  expect(where(x > 0.0, x, -1.0));
  expect(tanh(x), find_op("tanh")->unary().tolerance);
}

TEST_F(WebGL1, Views) {
  const Tensor x = random({4, 6});
  expect(x.T() + 0.0);
  expect(x[Slice{1, 4, 2}] + 0.0);
  expect(flip(x) + 0.0);
  expect(x.at(ellipsis, Slice{{}, {}, -2}).get() + 0.0);
  expect(x.reshape(3, 8) * 1.0);
  expect(x.T().reshape(8, 3) * 1.0);
  expect(broadcast_to(random({6}), {4, 6}) + x, Ulp{1});
  const std::array<PadWidth, 2> widths{PadWidth{1, 2}, PadWidth{0, 3}};
  expect(pad(x, widths, 0.25) + 0.0);
  expect(concatenate({x, random({4, 3})}, 1));
  expect(random({2, 3, 4, 5}).transpose({0, 2, 1, 3}) + 0.0);
}

TEST_F(WebGL1, FlatIndicesAreExact) {
  // A stride of 3 makes every texel of the result gather from four others.
  const std::int64_t n = 5'001;
  Floats values(static_cast<std::size_t>(3 * n));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const Floats got = (upload(values, {n, 3}).T() + 0.0).to_vector<float>();
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::size_t column = i / static_cast<std::size_t>(n);
    const std::size_t row = i % static_cast<std::size_t>(n);
    ASSERT_EQ(got[i], values[row * 3 + column]) << i;
  }
}

TEST_F(WebGL1, Where) {
  const Tensor a = random({3, 5});
  const Tensor b = random({3, 1});
  expect(where(a > b, a, b));
  expect(where(iota(5) < 3, a, -1e9));
}

TEST_F(WebGL1, Reductions) {
  const Tensor x = random({5, 33});
  expect(sum(x, 1), find_op("sum")->reduce().tolerance);
  expect(sum(x, 0), find_op("sum")->reduce().tolerance);
  expect(sum(x), find_op("sum")->reduce().tolerance);
  expect(mean(x, -1, true), find_op("sum")->reduce().tolerance);
  expect(max(x, 1));
  expect(min(x, 0));
  for (const Tensor& y : moments(x, 1)) expect(y, find_op("moments")->reduce().tolerance);
  for (const Tensor& y : max_sumexp(x, 1)) expect(y, find_op("max_sumexp")->reduce().tolerance);
  expect(sum(random({1, 9'001})), find_op("sum")->reduce().tolerance);
}

TEST_F(WebGL1, ArgmaxTakesTheFirst) {
  Floats values(300, 1.0F);
  values[77] = values[211] = 3.0F;
  EXPECT_EQ(argmax(upload(values, {300})).item<std::int32_t>(), 77);
  EXPECT_EQ(argmax(upload(values, {3, 100}), 1).to_vector<std::int32_t>(), (Ints{77, 0, 11}));
}

TEST_F(WebGL1, Matmul) {
  const Tolerance tolerance(Ulp{8}, Abs{1e-5});
  for (const std::int64_t inner : {1, 2, 3, 4, 5, 8, 19}) {
    expect(matmul(random({5, inner}), random({inner, 7})), tolerance);
    expect(matmul(random({5, inner}), random({7, inner}).T()), tolerance);
  }
  expect(matmul(random({2, 3, 4, 5}), random({2, 3, 5, 6})), tolerance);
  expect(matmul(random({1, 24}), random({40, 24}).T()), tolerance);
  expect(nn::gelu(matmul(random({9, 12}), random({12, 16})) + random({16}), nn::Gelu::tanh),
         tolerance);
}

TEST_F(WebGL1, MatmulWithLengths) {
  const Tolerance tolerance(Ulp{8}, Abs{1e-5});
  const MatmulOptions inner{.inner = Scalar(5)};
  expect(matmul(random({3, 8}), random({8, 6}), inner), tolerance);
  const MatmulOptions columns{.columns = Scalar(3)};
  expect(matmul(random({3, 8}), random({8, 6}), columns), tolerance);
}

TEST_F(WebGL1, Take) {
  const Tensor x = random({9, 6});
  expect(take(x, upload(Ints{3, 0, -1, 8}, {4})) + 0.0);
  expect(take(x, upload(Ints{5, 1, 1, 2, 0, 3}, {2, 3}), 1) + 0.0);
  expect(nn::embedding(upload(Ints{7}, {1}), x) + 0.0);
}

TEST_F(WebGL1, RunTimeSlices) {
  const Tensor x = random({9, 6});
  for (const int start : {0, 3, 8, 20}) {
    expect(x.at(Window{Scalar(start), 2}).get() + 0.0);
    expect(x.at(Scalar(std::min(start, 8))).get() + 0.0);
  }
}

TEST_F(WebGL1, Writes) {
  Tensor x = random({6, 8}) + 0.0;
  const Floats before = x.to_vector<float>();
  const Tensor row = random({8});
  const Floats values = row.to_vector<float>();
  x = x.at(2).set(row);
  x = x.at(Window{Scalar(4), 1}, Slice{1, 4}).set(9.0);
  Floats want = before;
  for (std::size_t k = 0; k < 8; ++k) want[16 + k] = values[k];
  for (std::size_t k = 1; k < 4; ++k) want[32 + k] = 9;
  EXPECT_EQ(x.to_vector<float>(), want);
  x = x.at(0).set(x[5]);
  std::copy(want.begin() + 40, want.end(), want.begin());
  EXPECT_EQ(x.to_vector<float>(), want);
}

TEST_F(WebGL1, SoftmaxAndLayerNorm) {
  const Tensor x = random({5, 19}, {-5, 5});
  expect(nn::softmax(x), Tolerance(Ulp{64}, Abs{1e-6}));
  expect(nn::softmax(x, 0), Tolerance(Ulp{64}, Abs{1e-6}));
  expect(nn::softmax(x, -1, Scalar(7)), Tolerance(Ulp{64}, Abs{1e-6}));
  expect(nn::layer_norm(x, random({19}), random({19})), Tolerance(Ulp{64}, Abs{1e-5}));
}

TEST_F(WebGL1, Attention) {
  const Tensor q = random({2, 3, 4});
  const Tensor k = random({2, 8, 4});
  const Tensor v = random({2, 8, 4});
  expect(nn::scaled_dot_product_attention(q, k, v), Tolerance(Ulp{64}, Abs{1e-5}));
  const nn::AttentionOptions cached{.is_causal = true, .scale = {}, .past = Scalar(2)};
  expect(nn::scaled_dot_product_attention(q, k, v, cached), Tolerance(Ulp{64}, Abs{1e-5}));
}

TEST_F(WebGL1, Gradients) {
  const Tensor x = random({3, 5});
  const Tensor w = random({5, 4});
  const auto [dx, dw] =
      grad([](Tensor a, Tensor b) { return sum(square(tanh(matmul(a, b)))); }, x, w);
  for (const Tensor& each : {dx, dw}) expect(each, Tolerance(Ulp{64}, Abs{2e-5}));
}

// More than 2^24 elements, in rows of whole texels: rows and columns are indices of their own.
TEST_F(WebGL1, HoldsMoreElementsThanAFloatCounts) {
  constexpr std::int64_t rows = 4'100, columns = 4'096;
  const Tensor column = (arange(rows) % 7).reshape(rows, 1).to(device());
  const Tensor x = (column * 10 + arange(columns) % 5).astype(float32);
  x.eval();
  Floats sums;
  for (int r = 0; r < rows; ++r) {
    sums.push_back(static_cast<float>(r % 7 * 10 * columns + columns / 5 * 10));
  }
  EXPECT_EQ(sum(x, 1).to_vector<float>(), sums);
  EXPECT_EQ(x.at(-1, Slice{-3, {}}).get().to_vector<float>(), (Floats{43, 44, 40}));
  const Tensor doubled = (x * 2.0).eval();
  EXPECT_TRUE(all(all(doubled - x == x, 1)).item<bool>());
  EXPECT_EQ(take(x, upload(Ints{4'099, 8}, {2})).at(ellipsis, 4'095).get().to_vector<float>(),
            (Floats{40, 10}));
}

// Quotients of indices up to 2^24.
TEST_F(WebGL1, DividesIndicesPastHalfOfWhatAFloatCounts) {
  for (const std::int64_t columns : {3, 2'049, 4'095}) {
    const std::int64_t rows = 16'777'000 / columns;
    const Tensor x = arange(rows * columns).reshape(rows, columns).to(device());
    const Tensor row = arange(rows).reshape(rows, 1);
    EXPECT_TRUE(all(x == row * columns + arange(columns)).item<bool>()) << columns;
  }
}

TEST_F(WebGL1, WhatItCannotHoldThrows) {
  const Tensor one = upload(Floats{1}, {});
  const Tensor row = arange(140'000).astype(float32) * one;
  EXPECT_THROW((row + row.reshape(140'000, 1)).eval(), DeviceError);
  EXPECT_EQ(sum(one + one).item(), 2);
}

}  // namespace
}  // namespace trigon
