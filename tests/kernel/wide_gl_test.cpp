// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <trigon/trigon.hpp>

// Tensors of more than 2^24 elements where indices are floats. tests/kernel/wide_test.cpp has many
// more cases, on devices whose indices end earlier.

namespace trigon {
namespace {

constexpr std::int64_t n = (1 << 24) + 5;  // 3 * 5,592,407

// Small, so that all sums are exact.
float element(std::int64_t k) { return static_cast<float>(k * 5 % 13 - 6); }

class PastFloats : public ::testing::Test {
 protected:
  static const Device& device() {
    static const Device opened{{.profile = Profile::webgl1}};
    return opened;
  }
  static Tensor elements(const Shape& shape) {
    std::vector<float> values;
    for (std::int64_t k = 0; k < shape.numel(); ++k) values.push_back(element(k));
    return tensor<float>(std::span<const float>(values), shape, device());
  }
  template <class F>
  static void expect_each(const Tensor& y, F value) {
    const std::vector<float> got = y.to_vector<float>();
    for (std::size_t k = 0; k < got.size(); ++k) {
      ASSERT_EQ(got[k], value(static_cast<std::int64_t>(k))) << k;
    }
  }
};

TEST_F(PastFloats, OneAxis) {
  const Tensor x = elements({n});
  float total = 0;
  for (std::int64_t k = 0; k < n; ++k) total += element(k);
  EXPECT_EQ(sum(x).item(), total);
  EXPECT_EQ(max(x).item(), 6);
  expect_each(x[Slice{1, {}}] * 2.0, [](std::int64_t k) { return element(k + 1) * 2; });
  expect_each(flip(x), [](std::int64_t k) { return element(n - 1 - k); });
  expect_each(concatenate({x[Slice{3, {}}], x[Slice{0, 7}]}, 0),
              [](std::int64_t k) { return element(k < n - 3 ? k + 3 : k - n + 3); });
  expect_each(x.reshape(n / 3, 3).at(ellipsis, 1).get(),
              [](std::int64_t k) { return element(3 * k + 1); });
}

TEST_F(PastFloats, OddRows) {
  constexpr std::int64_t rows = 4'100, columns = 4'093;
  const Tensor x = elements({rows, columns});
  std::vector<float> along(rows), down(columns);
  for (std::int64_t k = 0; k < rows * columns; ++k) {
    along[static_cast<std::size_t>(k / columns)] += element(k);
    down[static_cast<std::size_t>(k % columns)] += element(k);
  }
  EXPECT_EQ(sum(x, 1).to_vector<float>(), along);
  EXPECT_EQ(sum(x, 0).to_vector<float>(), down);
  expect_each(x + sum(x, 0), [&](std::int64_t k) {
    return element(k) + down[static_cast<std::size_t>(k % columns)];
  });
  expect_each(pad(x.reshape(-1), std::array{PadWidth{1, 1}}),
              [](std::int64_t k) { return k == 0 || k > rows * columns ? 0 : element(k - 1); });
}

TEST_F(PastFloats, RowsLongerThanFloatsCount) {
  const Tensor x = elements({n});
  expect_each(stack({x, x + 1.0}, 0),
              [](std::int64_t k) { return k < n ? element(k) : element(k - n) + 1; });
}

TEST_F(PastFloats, PositionsAreRoundedOnce) {
  const Tensor zero = elements({1}) * 0.0;
  expect_each((arange(n) + zero)[Slice{n - 9, {}}],
              [](std::int64_t k) { return static_cast<float>(n - 9 + k); });
}

}  // namespace
}  // namespace trigon
