// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/compare.hpp"
#include "support/on_profile.hpp"
#include "support/values.hpp"

namespace trigon {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;
using support::filled;
using support::Random;

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

// (rows, columns) in the corner of a larger tensor whose every other element is NaN, materialised
// so that the tails of its texels can hold NaN too.
Tensor in_nan(const Tensor& x) {
  const std::array<PadWidth, 2> widths{PadWidth{1, 2}, PadWidth{0, 3}};
  const Tensor poisoned = pad(x, widths, nan_value);
  poisoned.eval();
  return poisoned.at(Slice{1, x.shape()[0] + 1}, Slice{0, x.shape()[1]}).get();
}

// ---- Tails

TEST(Tails, SumsTakeNothingFromBeyondTheRow) {
  for (std::int64_t n = 1; n <= 9; ++n) {
    const Tensor x = in_nan(filled({3, n}, 1));
    EXPECT_EQ(sum(x, 1).to_vector<float>(), Floats(3, static_cast<float>(n)));
    EXPECT_EQ(sum(x, 0).to_vector<float>(), Floats(static_cast<std::size_t>(n), 3));
    EXPECT_EQ(sum(x).item(), static_cast<float>(3 * n));
  }
}

TEST(Tails, ReductionsOfWhatADrawLeft) {
  Random random(1);
  for (std::int64_t n = 1; n <= 9; ++n) {
    const Floats values = support::random_floats(random, 2 * n, {1, 2});
    const Tensor x = tensor<float>(values, {2, n}) * -1.0;
    x.eval();
    for (std::size_t row = 0; row < 2; ++row) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(row) * n;
      const float largest = -*std::min_element(first, first + n);
      const float smallest = -*std::max_element(first, first + n);
      EXPECT_EQ(max(x, 1).to_vector<float>()[row], largest) << n;
      EXPECT_EQ(min(x, 1).to_vector<float>()[row], smallest) << n;
    }
    EXPECT_FALSE(any(isnan(x)).item<bool>());
    EXPECT_TRUE(all(x < 0).item<bool>());
  }
}

TEST(Tails, MatmulsOfEveryInnerSize) {
  for (std::int64_t inner = 1; inner <= 13; ++inner) {
    const Tensor a = in_nan(filled({5, inner}, 1));
    const Tensor b = in_nan(filled({inner, 6}, 2));
    const Floats want(30, static_cast<float>(2 * inner));
    EXPECT_EQ(matmul(a, b).to_vector<float>(), want) << inner;
    EXPECT_EQ(matmul(in_nan(filled({inner, 5}, 1)).T(), b).to_vector<float>(), want) << inner;
    EXPECT_EQ(matmul(a, in_nan(filled({6, inner}, 2)).T()).to_vector<float>(), want) << inner;
  }
}

TEST(Tails, MatmulsOfWhatMatmulsLeft) {
  for (std::int64_t n = 1; n <= 9; ++n) {
    const Tensor a = matmul(filled({3, 2}, 1), filled({2, n}, 1));
    const Tensor b = matmul(filled({n, 2}, 1), filled({2, 5}, 1));
    EXPECT_EQ(matmul(a, b).to_vector<float>(), Floats(15, static_cast<float>(4 * n))) << n;
  }
}

TEST(Tails, EntriesPastTheLengthAreNeverRead) {
  const Tensor x = in_nan(filled({2, 6}, 1));
  Tensor cache = filled({8, 5}, nan_value);
  cache = cache.at(Slice{0, 3}).set(1.0);
  const MatmulOptions options{.inner = Scalar(3)};
  EXPECT_EQ(matmul(filled({2, 8}, 1), cache, options).to_vector<float>(), Floats(10, 3));
  EXPECT_EQ(sum(x).item(), 12);
}

TEST(Tails, ColumnsPastTheirNumberAreZero) {
  const Tensor a = filled({3, 4}, 1);
  const Tensor b = filled({4, 11}, 1);
  for (const int columns : {0, 1, 3, 4, 6, 8, 11}) {
    const Floats y = matmul(a, b, {.inner = {}, .columns = Scalar(columns)}).to_vector<float>();
    for (std::size_t i = 0; i < y.size(); ++i) {
      ASSERT_EQ(y[i], static_cast<int>(i % 11) < columns ? 4 : 0) << columns << ": " << i;
    }
  }
}

TEST(Tails, SoftmaxWithALengthIgnoresTheRest) {
  Tensor x = filled({2, 7}, nan_value);
  x = x.at(ellipsis, Slice{0, 4}).set(0.0);
  const Floats y = nn::softmax(x, -1, Scalar(4)).to_vector<float>();
  for (const std::size_t i : {0U, 3U, 7U, 10U}) EXPECT_FLOAT_EQ(y[i], 0.25F);
}

// ---- Sizes

TEST(Sizes, ZeroElements) {
  const Tensor x = tensor<float>(Floats{}, {2, 0, 3});
  EXPECT_TRUE((exp(x) + 1.0).to_vector<float>().empty());
  EXPECT_EQ(sum(x, 1).to_vector<float>(), Floats(6, 0));
  EXPECT_EQ(sum(x, 2).shape(), (Shape{2, 0}));
  EXPECT_EQ(prod(x).item(), 1);
  for (const Tensor& y : {mean(x, 1), mean(x), nanmean(x), var(x, 1), stddev(x)}) {
    for (const float value : y.to_vector<float>()) EXPECT_TRUE(std::isnan(value));
  }
  EXPECT_EQ(logsumexp(x).item(), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(norm(x).item(), 0);
  EXPECT_TRUE(all(x).item<bool>());
  EXPECT_FALSE(any(x).item<bool>());
  EXPECT_EQ(matmul(zeros({3, 0}), zeros({0, 2})).to_vector<float>(), Floats(6, 0));
  EXPECT_TRUE(matmul(zeros({0, 3}), zeros({3, 2})).to_vector<float>().empty());
  EXPECT_EQ(concatenate({x, x}, 1).shape(), (Shape{2, 0, 3}));
}

TEST(Sizes, Scalars) {
  const Tensor x = tensor<float>({2.5F}, {});
  EXPECT_EQ((x * x).item(), 6.25F);
  EXPECT_EQ(sum(x).item(), 2.5F);
  EXPECT_EQ(argmax(x).item<std::int32_t>(), 0);
  EXPECT_EQ(x.reshape(1, 1).shape(), (Shape{1, 1}));
  EXPECT_EQ(broadcast_to(x, {2, 3}).to_vector<float>(), Floats(6, 2.5F));
  EXPECT_EQ(x.at(ellipsis).set(4.0).item(), 4);
}

TEST(Sizes, RankSixTransposed) {
  const Shape shape{2, 3, 1, 4, 2, 3};
  Floats values(144);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const Tensor x = tensor<float>(values, shape);
  const Tensor y = x.transpose({5, 3, 1, 0, 4, 2}) * 2.0;
  EXPECT_EQ(y.shape(), (Shape{3, 4, 3, 2, 2, 1}));
  const Floats got = y.to_vector<float>();
  std::size_t flat = 0;
  for (std::size_t f = 0; f < 3; ++f) {
    for (std::size_t d = 0; d < 4; ++d) {
      for (std::size_t b = 0; b < 3; ++b) {
        for (std::size_t a = 0; a < 2; ++a) {
          for (std::size_t e = 0; e < 2; ++e) {
            const std::size_t source = (((a * 3 + b) * 4 + d) * 2 + e) * 3 + f;
            ASSERT_EQ(got[flat++], 2 * values[source]);
          }
        }
      }
    }
  }
}

TEST(Sizes, AVectorLongerThanATexture) {
  // 90,001 elements are 22,501 texels; sides end at 16,384 texels on common devices.
  const std::int64_t n = 90'001;
  const Tensor x = arange(n).astype(float32) + filled({}, 1);
  const Tensor y = x.eval() * 1.0;
  EXPECT_EQ(y.at(-1).get().item(), static_cast<float>(n));
  EXPECT_EQ(y.at(65'536).get().item(), 65'537.0F);
  const Floats all = y.to_vector<float>();
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], static_cast<float>(i) + 1);
}

TEST(Sizes, MoreRowsThanATexture) {
  const std::int64_t rows = 40'003;
  const Tensor x = arange(rows).astype(float32).reshape(rows, 1) + filled({3}, 0);
  x.eval();
  EXPECT_EQ(sum(x, 1).at(-1).get().item(), 3.0F * 40'002);
  EXPECT_EQ(max(x, 0).to_vector<float>(), Floats(3, 40'002));
  EXPECT_EQ(x.T().at(1, 33'333).get().item(), 33'333.0F);
  const Tensor product = matmul(x, filled({3, 2}, 1));
  EXPECT_EQ(product.at(32'769, 1).get().item(), 3.0F * 32'769);
}

TEST(Sizes, ALongSumIsExact) {
  const std::int64_t n = 1 << 20;
  const Tensor x = tensor<std::int32_t>(Ints(static_cast<std::size_t>(n), 3), {n});
  EXPECT_EQ(sum(x).item<std::int32_t>(), 3 * n);
  EXPECT_EQ(sum(x.astype(float32)).item(), static_cast<float>(3 * n));
}

TEST(Sizes, PastAllLimitsIsADeviceError) {
  const std::int64_t n = std::int64_t{1} << 21;
  const Tensor column = arange(n).astype(float32).reshape(n, 1) * filled({}, 1);
  const Tensor row = arange(n).astype(float32);
  const Tensor x = column + row;
  EXPECT_EQ(x.shape(), (Shape{n, n}));
  try {
    x.eval();
    FAIL() << "16 TiB were computed";
  } catch (const DeviceError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("(2097152, 2097152)"), std::string::npos) << text;
    EXPECT_NE(text.find("17592186044416"), std::string::npos) << text;
  }
  // The device is as before.
  EXPECT_EQ(sum(row.at(Slice{0, 10}).get()).item(), 45);
}

TEST(Sizes, PastTheDriversMemoryIsADeviceError) {
  const std::int64_t n = std::int64_t{1} << 20;
  const Tensor x = arange(n).astype(float32).reshape(n, 1) + filled({1}, 1);
  EXPECT_THROW((x + x.T()).eval(), DeviceError);
  EXPECT_EQ(x.at(9, 0).get().item(), 10);
}

/// Evaluates roots that need a texture of 6.4 GB; whether it failed, as the device has no room.
bool fails_for_memory(std::span<const Tensor> roots) {
  try {
    eval(roots);
  } catch (const DeviceError&) {
    return true;
  }
  return false;
}

// Writes before the failure are neither lost nor repeated.
TEST(Sizes, AFailureLeavesWritesDoneOnce) {
  constexpr std::int64_t n = 40'000;
  Tensor x = filled({4, 4}, 1) * 1.0;
  x.eval();
  const Tensor rows = x[Slice{0, 2}] + 1.0;
  const Tensor y = std::move(x).at(Slice{0, 2}).set(rows);
  x = Tensor();
  const Tensor row = arange(n).astype(float32) + y.at(0, 0).get();
  const std::vector<Tensor> roots{y, row + row.reshape(n, 1)};
  if (!fails_for_memory(roots)) GTEST_SKIP() << "the device has room for 6.4 GB";
  Floats want(16, 1);
  std::fill(want.begin(), want.begin() + 8, 2.0F);
  EXPECT_EQ(y.to_vector<float>(), want);
  EXPECT_EQ(y.to_vector<float>(), want);
}

TEST(Sizes, AFailureKeepsWhatWasDrawnFromOverwrittenTexels) {
  constexpr std::int64_t n = 40'000;
  Tensor x = filled({64, 64}, 1) * 1.0;
  x.eval();
  const Tensor doubled = x * 2.0;
  const Tensor written = std::move(x).at(0).set(9.0);
  x = Tensor();
  const Tensor row = arange(n).astype(float32) + written.at(0, 0).get();
  const std::vector<Tensor> roots{doubled, written, row + row.reshape(n, 1)};
  if (!fails_for_memory(roots)) GTEST_SKIP() << "the device has room for 6.4 GB";
  EXPECT_EQ(doubled.to_vector<float>(), Floats(64 * 64, 2));
  Floats want(64 * 64, 1);
  std::fill(want.begin(), want.begin() + 64, 9.0F);
  EXPECT_EQ(written.to_vector<float>(), want);
}

TEST(Booleans, OfAnyByteAreZeroOrOne) {
  const std::vector<std::uint8_t> bytes{2, 255, 0, 1, 128};
  const Tensor x = from_host(bytes.data(), boolean, {5});
  EXPECT_EQ(x.astype(float32).to_vector<float>(), (Floats{1, 1, 0, 1, 1}));
  EXPECT_EQ(sum(x).item<std::int32_t>(), 4);
  EXPECT_EQ((x == true).to_vector<bool>(), (std::vector<bool>{true, true, false, true, true}));
}

TEST(Devices, CostRefusesTensorsOfTwo) {
  const Device one, other;
  const std::vector<Tensor> roots{tensor<float>(std::span<const float>(Floats{1, 2}), {2}, one),
                                  tensor<float>(std::span<const float>(Floats{1, 2}), {2}, other)};
  EXPECT_THROW(static_cast<void>(cost(std::span<const Tensor>(roots))), Error);
}

// ---- Ties, infinities, integers

TEST(Ties, ArgmaxAndArgminTakeTheFirst) {
  for (const std::int64_t n : {1, 3, 4, 5, 8, 31, 300}) {
    Tensor x = filled({3, n}, 2);
    EXPECT_EQ(argmax(x, 1).to_vector<std::int32_t>(), Ints(3, 0)) << n;
    EXPECT_EQ(argmin(x, 1).to_vector<std::int32_t>(), Ints(3, 0)) << n;
    EXPECT_EQ(argmax(x).item<std::int32_t>(), 0) << n;
    const std::int64_t place = n / 2;
    x = x.at(ellipsis, Slice{place, n}).set(5.0);
    EXPECT_EQ(argmax(x, 1).to_vector<std::int32_t>(), Ints(3, static_cast<int>(place))) << n;
    EXPECT_EQ(argmax(x).item<std::int32_t>(), place) << n;
  }
}

TEST(Ties, ArgmaxTakesTheFirstNan) {
  const Tensor x = tensor<float>({1, nan_value, 9, nan_value, 2});
  EXPECT_EQ(argmax(x).item<std::int32_t>(), 1);
  EXPECT_EQ(argmin(x).item<std::int32_t>(), 1);
}

TEST(Infinities, AreNoSentinels) {
  const float inf = std::numeric_limits<float>::infinity();
  const Tensor low = tensor<float>({-inf, -inf, -inf});
  EXPECT_EQ(max(low).item(), -inf);
  EXPECT_EQ(min(-low).item(), inf);
  EXPECT_EQ(argmax(low).item<std::int32_t>(), 0);
  const Tensor huge = tensor<float>({-3.4e38F, -3.3e38F});
  EXPECT_EQ(max(huge).item(), -3.3e38F);
}

TEST(Infinities, SoftmaxOfMaskedRows) {
  const float inf = std::numeric_limits<float>::infinity();
  const Floats y = nn::softmax(tensor<float>({-inf, 0, 0, -inf, -inf})).to_vector<float>();
  EXPECT_EQ(y, (Floats{0, 0.5F, 0.5F, 0, 0}));
}

TEST(Integers, AreExactPastAFloatsBits) {
  const support::OnWebGL2 only("integers past 2^24");
  const Ints values{16'777'217, -2'147'483'647, 2'147'483'647, 123'456'789};
  const Tensor x = tensor<std::int32_t>(values, {4});
  EXPECT_EQ((x + 0).to_vector<std::int32_t>(), values);
  EXPECT_EQ(x.reshape(2, 2).T().to_vector<std::int32_t>(),
            (Ints{16'777'217, 2'147'483'647, -2'147'483'647, 123'456'789}));
  EXPECT_EQ(max(x).item<std::int32_t>(), 2'147'483'647);
  EXPECT_EQ(min(x).item<std::int32_t>(), -2'147'483'647);
  EXPECT_EQ(take(x, tensor<std::int32_t>({3, 0})).to_vector<std::int32_t>(),
            (Ints{123'456'789, 16'777'217}));
  EXPECT_EQ((x == x).to_vector<bool>(), std::vector<bool>(4, true));
}

TEST(Integers, UnsignedIndicesPastInt32AreClampedToTheEnd) {
  const support::OnWebGL2 only("integers past 2^24");
  const Tensor x = tensor<float>({1, 2, 3, 4});
  const Tensor indices = tensor<std::uint32_t>({1, 2147483648U, 4294967294U});
  EXPECT_EQ(take(x, indices).to_vector<float>(), (Floats{2, 4, 4}));
  EXPECT_EQ(take_along_axis(x, indices, 0).to_vector<float>(), (Floats{2, 4, 4}));
}

TEST(Integers, WrapAround) {
  const support::OnWebGL2 only("integers past 2^24");
  const Tensor x = tensor<std::int32_t>({2'147'483'647});
  EXPECT_EQ((x + 1).item<std::int32_t>(), std::numeric_limits<std::int32_t>::min());
  const Tensor u = tensor<std::uint32_t>({4'000'000'000U, 300'000'000U});
  EXPECT_EQ(sum(u).item<std::uint32_t>(), 4'300'000'000U % 4'294'967'296U);
  const Tensor b = tensor<std::uint8_t>({250, 10});
  EXPECT_EQ((b + tensor<std::uint8_t>({10, 246})).to_vector<std::uint8_t>(),
            (std::vector<std::uint8_t>{4, 0}));
}

TEST(Integers, ConstantsPastAFloatsBits) {
  const support::OnWebGL2 only("integers past 2^24");
  const Tensor x = tensor<std::int32_t>({1});
  EXPECT_EQ((x + 16'777'217).item<std::int32_t>(), 16'777'218);
  EXPECT_EQ(full({2}, 2'147'483'647, int32).to_vector<std::int32_t>(), Ints(2, 2'147'483'647));
}

TEST(Halves, AreRoundedToNearestEven) {
  const Tensor x = tensor<float>({1.0F + 1.0F / 2048, 1.0F + 3.0F / 2048, 65504, 70000, 1e-8F});
  const Floats y = x.astype(float16).astype(float32).to_vector<float>();
  EXPECT_EQ(y[0], 1.0F);
  EXPECT_EQ(y[1], 1.0F + 4.0F / 2048);
  EXPECT_EQ(y[2], 65504.0F);
  EXPECT_TRUE(std::isinf(y[3]));
  EXPECT_EQ(y[4], 0.0F);
}

TEST(Depth, AHundredThousandNodesBuildEvaluateAndDie) {
  Tensor x = tensor<float>({0, 1, 2});
  for (int i = 0; i < 100'000; ++i) x = x + 1.0;
  EXPECT_EQ(x.to_vector<float>(), (Floats{100'000, 100'001, 100'002}));
}

TEST(Depth, DiamondsStayLinear) {
  Tensor x = tensor<float>({1, 2});
  for (int i = 0; i < 1000; ++i) x = (x + x) * 0.5;
  EXPECT_EQ(x.to_vector<float>(), (Floats{1, 2}));
}

}  // namespace
}  // namespace trigon
