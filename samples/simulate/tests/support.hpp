// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <exception>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/errors.hpp"

namespace simulate::test {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

template <class F>
std::string error_of(const F& call) {
  return trigon::support::error_of<std::exception>(call);
}

inline Doubles doubles(const trigon::Tensor& x) {
  const Floats values = x.astype(trigon::float32).to_vector<float>();
  return {values.begin(), values.end()};
}

/// |found - expected| is at most `tolerance` times max(1, |expected|), for each element.
inline void expect_near(const trigon::Tensor& found, const Doubles& expected,
                        double tolerance = 1e-5) {
  const Doubles values = doubles(found);
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    EXPECT_NEAR(values[k], expected[k], tolerance * std::max(1.0, std::abs(expected[k])))
        << "element " << k;
  }
}

/// A picture, read back.
struct Pixels {
  explicit Pixels(const trigon::Tensor& picture)
      : width(static_cast<int>(picture.shape()[1])),
        height(static_cast<int>(picture.shape()[0])),
        values(picture.to_vector<float>()) {}

  /// Red, green and blue from 0 to 1.
  std::array<float, 3> at(int x, int y) const {
    const std::size_t first = 3 * (static_cast<std::size_t>(y) * width + x);
    return {values[first], values[first + 1], values[first + 2]};
  }

  int width, height;
  Floats values;
};

}  // namespace simulate::test
