// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/values.hpp"

// Matrix products of small whole numbers, exact in any order of adding, over the sizes at which a
// block, a texel or a pair of fragments ends.

namespace trigon {
namespace {

using Floats = std::vector<float>;

struct Matrix {
  std::int64_t rows, columns;
  Floats values;

  Matrix(std::int64_t rows_, std::int64_t columns_, support::Random& random)
      : rows(rows_), columns(columns_) {
    for (float v : support::random_floats(random, rows * columns, {-4, 4})) {
      values.push_back(std::trunc(v));
    }
  }
  float at(std::int64_t y, std::int64_t x) const {
    return values[static_cast<std::size_t>(y * columns + x)];
  }
  Tensor whole() const { return tensor<float>(values, {rows, columns}); }
  Tensor turned() const {
    Floats other;
    for (std::int64_t x = 0; x < columns; ++x) {
      for (std::int64_t y = 0; y < rows; ++y) other.push_back(at(y, x));
    }
    return tensor<float>(other, {columns, rows}).T();
  }
};

// The product over the first `inner` steps; 0 past the first `columns`.
Floats product(const Matrix& a, const Matrix& b, std::int64_t inner, std::int64_t columns) {
  Floats c;
  for (std::int64_t y = 0; y < a.rows; ++y) {
    for (std::int64_t x = 0; x < b.columns; ++x) {
      float sum = 0;
      for (std::int64_t k = 0; k < inner && x < columns; ++k) sum += a.at(y, k) * b.at(k, x);
      c.push_back(sum);
    }
  }
  return c;
}

TEST(Matmul, OfEverySizeAroundABlock) {
  support::Random random(1);
  for (const std::int64_t m : {1, 2, 3, 8, 9, 17}) {
    for (const std::int64_t n : {1, 3, 4, 5, 8, 9, 12, 13, 36, 65, 68}) {
      for (const std::int64_t k : {15, 31, 32, 33, 63, 64, 65, 100, 700}) {
        const Matrix a(m, k, random), b(k, n, random);
        const Floats want = product(a, b, k, n);
        ASSERT_EQ(matmul(a.whole(), b.whole()).to_vector<float>(), want)
            << m << " x " << k << " x " << n;
        ASSERT_EQ(matmul(a.whole(), b.turned()).to_vector<float>(), want)
            << m << " x " << k << " x " << n << ", turned";
      }
    }
  }
}

TEST(Matmul, GoesOnWithWhatAMatmulLeft) {
  support::Random random(2);
  for (const std::int64_t m : {1, 5, 9}) {
    for (const std::int64_t n : {33, 36, 61}) {
      const Matrix a(m, 40, random), b(40, n, random), bias(1, n, random);
      const Tensor c = (matmul(a.whole(), b.whole()) + bias.whole()).eval();
      Floats want = product(a, b, 40, n);
      for (std::size_t i = 0; i < want.size(); ++i) {
        want[i] += bias.values[i % static_cast<std::size_t>(n)];
      }
      ASSERT_EQ(c.to_vector<float>(), want) << m << ", " << n;
      float total = 0;
      for (const float v : want) total += v;
      EXPECT_EQ(sum(c).item(), total);
      EXPECT_EQ(sum(matmul(c, ones({n, 2}))).item(), total * 2);
    }
  }
}

// Operands of each shape through ops and views that the kernel computes.
std::vector<Tensor> views(std::int64_t rows, std::int64_t columns, support::Random& random) {
  const auto whole = [&](std::int64_t y, std::int64_t x) { return Matrix(y, x, random).whole(); };
  std::vector<Tensor> all{whole(rows, columns) * 2.0, whole(rows, columns)[Slice{{}, {}, -1}],
                          flip(whole(rows, columns), 1),
                          broadcast_to(whole(1, columns), {rows, columns}),
                          reshape(whole(1, rows * columns), {rows, columns})};
  for (const std::int64_t cut : {1, 2, 4}) {
    if (rows > cut) {
      all.push_back(pad(whole(rows - cut, columns), std::vector<PadWidth>{{0, cut}, {0, 0}}, 3.0));
      all.push_back(pad(whole(rows - cut, columns), std::vector<PadWidth>{{cut, 0}, {0, 0}}, 3.0));
      all.push_back(concatenate({whole(rows - cut, columns), whole(cut, columns)}, 0));
    }
    if (columns > cut) {
      all.push_back(pad(whole(rows, columns - cut), std::vector<PadWidth>{{0, 0}, {0, cut}}, 3.0));
      all.push_back(pad(whole(rows, columns - cut), std::vector<PadWidth>{{0, 0}, {cut, 0}}, 3.0));
      all.push_back(concatenate({whole(rows, columns - cut), whole(rows, cut)}, 1));
    }
    if (columns % cut == 0) {
      all.push_back(whole(rows * cut, columns / cut)
                        .reshape(cut, rows, columns / cut)
                        .transpose({1, 0, 2})
                        .reshape(rows, columns));
    }
  }
  return all;
}

TEST(Matmul, ReadsThroughViews) {
  support::Random random(4);
  for (const std::int64_t m : {1, 9}) {
    for (const std::int64_t k : {32, 36, 66}) {
      for (const std::int64_t n : {7, 8, 36}) {
        const Tensor a = Matrix(m, k, random).whole(), b = Matrix(k, n, random).whole();
        const auto expect = [&](const Tensor& left, const Tensor& right) {
          const Tensor product = matmul(left, right);
          const Floats found = product.to_vector<float>();
          const auto host = [](const Tensor& x) {
            return tensor<float>(x.to_vector<float>(), x.shape());
          };
          ASSERT_EQ(found, matmul(host(left), host(right)).to_vector<float>())
              << m << " x " << k << " x " << n << "\n"
              << explain(matmul(left, right));
        };
        for (const Tensor& view : views(m, k, random)) expect(view, b);
        for (const Tensor& view : views(k, n, random)) expect(a, view);
        for (const Tensor& view : views(n, k, random)) expect(a, view.T());
      }
    }
  }
}

// Elements past the lengths are NaN, and not read.
TEST(Matmul, StopsAtRunTimeLengths) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  support::Random random(3);
  for (const std::int64_t m : {1, 3, 8}) {
    const Matrix a(m, 129, random), b(129, 68, random);
    for (const int inner : {0, 1, 4, 17, 63, 64, 65, 128, 129}) {
      for (const int columns : {0, 1, 5, 8, 9, 33, 68}) {
        const auto cut = [&](const Matrix& x, bool by_row) {
          Floats values = x.values;
          for (std::size_t i = 0; i < values.size(); ++i) {
            const auto width = static_cast<std::size_t>(x.columns);
            if (static_cast<int>(by_row ? i / width : i % width) >= inner) values[i] = nan;
          }
          return tensor<float>(values, {x.rows, x.columns});
        };
        const MatmulOptions options{.inner = Scalar(inner), .columns = Scalar(columns)};
        ASSERT_EQ(matmul(cut(a, false), cut(b, true), options).to_vector<float>(),
                  product(a, b, inner, columns))
            << m << ", inner " << inner << ", columns " << columns;
      }
    }
  }
}

TEST(Matmul, KeepsInfinitiesAndNanInTheirRowsAndColumns) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  Floats a(9 * 64, 1), b(64 * 12, 1);
  a[3 * 64 + 17] = inf;
  b[40 * 12 + 5] = std::numeric_limits<float>::quiet_NaN();
  const Floats y = matmul(tensor<float>(a, {9, 64}), tensor<float>(b, {64, 12})).to_vector<float>();
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (i % 12 == 5) {
      EXPECT_TRUE(std::isnan(y[i])) << i;
    } else {
      EXPECT_EQ(y[i], i / 12 == 3 ? inf : 64) << i;
    }
  }
}

}  // namespace
}  // namespace trigon
