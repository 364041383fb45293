// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

namespace simulate::test {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

inline std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
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

}  // namespace simulate::test
