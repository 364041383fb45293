// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <trigon/create.hpp>
#include <trigon/grad.hpp>
#include <trigon/index.hpp>
#include <trigon/join.hpp>
#include <trigon/linalg.hpp>
#include <trigon/logic.hpp>
#include <trigon/math.hpp>
#include <trigon/nn.hpp>
#include <trigon/reduce.hpp>
#include <trigon/shape.hpp>

#include "support/errors.hpp"
#include "support/graph_values.hpp"

namespace trigon {
namespace {

using Values = std::vector<double>;

void expect_near(const Tensor& x, const Values& expected, double tolerance = 1e-6) {
  const Values got = values(x);
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], expected[k], tolerance) << k;
}

// ---- Networks

TEST(Softmax, SharesOutOne) {
  const double e = std::exp(1.0);
  expect_near(nn::softmax(arange(2).astype(float32)), {1 / (1 + e), e / (1 + e)});
  expect_near(nn::log_softmax(arange(2).astype(float32)), {-std::log(1 + e), 1 - std::log(1 + e)});
  expect_near(nn::softmax(full({2, 2}, 1000.0), 0), {0.5, 0.5, 0.5, 0.5});
}

TEST(Softmax, IsZeroPastItsLength) {
  expect_near(nn::softmax(ones({4}), 0, Scalar(2)), {0.5, 0.5, 0, 0});
}

TEST(Softmax, OfOnlyMinusInfinityIsNaN) {
  const Values y = values(nn::softmax(full({2}, -std::numeric_limits<double>::infinity())));
  EXPECT_TRUE(std::isnan(y[0]) && std::isnan(y[1]));
}

TEST(LayerNorm, ScalesToUnitVariance) {
  const Tensor x = arange(4).astype(float32);
  const double unit = 1 / std::sqrt(1.25);
  expect_near(nn::layer_norm(x, {}, {}, {.eps = 0}),
              {-1.5 * unit, -0.5 * unit, 0.5 * unit, 1.5 * unit});
  expect_near(nn::layer_norm(x, full({4}, 2.0), ones({4}), {.eps = 0}),
              {1 - 3 * unit, 1 - unit, 1 + unit, 1 + 3 * unit});
}

TEST(LayerNorm, RejectsWeightsThatDoNotFit) {
  EXPECT_EQ(
      error_of([] {
        return nn::layer_norm(ones({2, 4}), ones({3}));
      }),
      "trigon::nn::layer_norm: weight does not fit: weight is (3,), x is (2, 4); must be (4,)");
}

TEST(RmsNorm, DividesByTheRootMeanSquare) {
  expect_near(nn::rms_norm(full({2}, 3.0), full({2}, 2.0), 0), {2, 2});
}

TEST(Gelu, FollowsItsFormula) {
  expect_near(nn::gelu(ones({})), {0.5 * (1 + std::erf(std::sqrt(0.5)))});
  const double inner = std::sqrt(2 / 3.14159265358979) * 1.044715;
  expect_near(nn::gelu(ones({}), nn::Gelu::tanh), {0.5 * (1 + std::tanh(inner))});
  expect_near(nn::silu(ones({})), {1 / (1 + std::exp(-1.0))});
}

TEST(Linear, MultipliesWithTheTransposedWeight) {
  const Tensor weight = arange(6).astype(float32).reshape(2, 3);
  expect_near(nn::linear(ones({3}), weight, ones({2})), {4, 13});
  EXPECT_EQ(error_of([&] { return nn::linear(ones({2}), weight); }),
            "trigon::nn::linear: inner sizes differ: x is (2,), weight is (2, 3); must be (..., K) "
            "and (N, K)");
}

TEST(Embedding, TakesRows) {
  expect_near(nn::embedding(arange(2), arange(6).astype(float32).reshape(3, 2)), {0, 1, 2, 3});
}

TEST(Attention, LooksBackOnly) {
  const Tensor q = noise({2, 3, 4}, 1);
  const Tensor v = noise({2, 3, 4}, 2);
  const Tensor y = nn::scaled_dot_product_attention(q, q, v, {.is_causal = true});
  expect_near(y.at(ellipsis, 0, Slice{}).get(), values(v.at(ellipsis, 0, Slice{}).get()));
}

TEST(Attention, WithACacheEqualsAttentionWithoutOne) {
  const Tensor q = noise({2, 5, 4}, 1);
  const Tensor k = noise({2, 5, 4}, 2);
  const Tensor v = noise({2, 5, 4}, 3);
  const Tensor all = nn::scaled_dot_product_attention(q, k, v, {.is_causal = true});
  // Rows of the cache that are not in use yet hold NaN.
  const auto cached = [](const Tensor& x, std::int64_t rows) {
    const Tensor counts = reshape(iota(8), {8, 1}) < rows;
    const Tensor padded = pad(x, std::vector<PadWidth>{{0, 0}, {0, 3}, {0, 0}});
    return where(counts, padded, std::numeric_limits<double>::quiet_NaN());
  };
  for (const std::int64_t past : {0, 2, 4}) {
    const std::int64_t count = past == 4 ? 1 : 2;
    const Slice now{past, past + count};
    const nn::AttentionOptions options{.is_causal = true, .past = Scalar(past)};
    const Tensor y = nn::scaled_dot_product_attention(
        q.at(Slice{}, now).get(), cached(k, past + count), cached(v, past + count), options);
    expect_near(y, values(all.at(Slice{}, now).get()));
  }
}

TEST(Attention, RejectsAPastBeyondTheCache) {
  const Tensor x = ones({4, 2});
  EXPECT_EQ(
      error_of([&] {
        return nn::scaled_dot_product_attention(x.at(Slice{0, 1}).get(), x, x, {.past = Scalar(4)});
      }),
      "trigon::nn::scaled_dot_product_attention: past is out of range: past is 4, T is 1, S is "
      "4; past must be in [0, S - T]");
}

// ---- Losses

TEST(OneHot, MarksEachId) {
  const Tensor y = nn::one_hot(arange(-1, 3), 3);
  EXPECT_EQ(y.shape(), (Shape{4, 3}));
  EXPECT_EQ(y.dtype(), float32);
  EXPECT_EQ(values(y), (Values{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(nn::one_hot(arange(2), 2, boolean).dtype(), boolean);
  EXPECT_EQ(error_of([] { return nn::one_hot(ones({2}), 2); }),
            "trigon::nn::one_hot: ids are not integers: they are float32; cast with astype");
  EXPECT_EQ(error_of([] { return nn::one_hot(arange(2), -2); }),
            "trigon::nn::one_hot: negative count: -2 classes; must be 0 or more");
}

TEST(MseLoss, IsTheMeanOfSquares) {
  const Tensor x = arange(3).astype(float32);
  expect_near(nn::mse_loss(x, ones({3})), {2.0 / 3});
  expect_near(nn::mse_loss(x, ones({3}), nn::Reduction::sum), {2});
  expect_near(nn::mse_loss(full({2}, 200, uint8), full({2}, 100, uint8)), {10'000});
  expect_near(nn::mse_loss(x, ones({3}), nn::Reduction::none), {1, 0, 1});
}

TEST(CrossEntropy, OfClassesAndProbabilities) {
  const Tensor logits = arange(6).reshape(2, 3).astype(float32);
  const double sum = 1 + std::exp(1.0) + std::exp(2.0);
  const double of_0 = std::log(sum), of_2 = std::log(sum) - 2;
  const Tensor target = arange(2) * 2;  // 0, 2
  expect_near(nn::cross_entropy(logits, target, nn::Reduction::none), {of_0, of_2});
  expect_near(nn::cross_entropy(logits, target), {(of_0 + of_2) / 2});
  expect_near(nn::cross_entropy(logits, target, nn::Reduction::sum), {of_0 + of_2});
  expect_near(nn::cross_entropy(logits, nn::one_hot(target, 3)), {(of_0 + of_2) / 2});
  expect_near(nn::cross_entropy(arange(3).astype(float32), Tensor(2)), {of_2});
  const Tensor padded = where(target == 0, -100, target);
  expect_near(nn::cross_entropy(logits, padded), {of_2});
  expect_near(nn::cross_entropy(logits, padded, nn::Reduction::none), {0, of_2});
  const Tensor pixels = broadcast_to(logits.reshape(2, 3, 1), {2, 3, 4});
  expect_near(nn::cross_entropy(pixels, broadcast_to(target.reshape(2, 1), {2, 4})),
              {(of_0 + of_2) / 2});
  EXPECT_EQ(error_of([&] { return nn::cross_entropy(logits, arange(3)); }),
            "trigon::nn::cross_entropy: target does not fit: logits are (2, 3), target is int32 "
            "(3,); must be integers of (2,) or probabilities of the logits' shape");
}

TEST(CrossEntropy, HasTheGradientOfSoftmax) {
  const Tensor logits = arange(3).astype(float32);
  const auto loss = [](const Tensor& x) { return nn::cross_entropy(x, Tensor(2)); };
  expect_near(grad(loss, logits) + nn::one_hot(Tensor(2), 3), values(nn::softmax(logits)));
}

}  // namespace
}  // namespace trigon
