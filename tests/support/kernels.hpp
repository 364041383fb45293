// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <trigon/extend.hpp>
#include <trigon/trigon.hpp>

#include "support/compare.hpp"
#include "support/values.hpp"

// Helpers of the tests of users' kernels: a device of each profile, and two kernels.

namespace trigon::support {

using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;

class KernelTest : public ::testing::TestWithParam<Profile> {
 protected:
  static const Device& device() {
    static const Device webgl2{{.profile = Profile::webgl2}};
    static const Device webgl1{{.profile = Profile::webgl1}};
    return GetParam() == Profile::webgl2 ? webgl2 : webgl1;
  }
  static bool has_several_targets() { return GetParam() == Profile::webgl2; }

  static Tensor floats(const Floats& values, const Shape& shape) {
    return tensor<float>(std::span<const float>(values), shape, device());
  }
  static Tensor ints(const Ints& values, const Shape& shape) {
    return tensor<std::int32_t>(std::span<const std::int32_t>(values), shape, device());
  }
  static Tensor counting(const Shape& shape) {
    Floats values(static_cast<std::size_t>(shape.numel()));
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<float>(k);
    return floats(values, shape);
  }
  Tensor random(const Shape& shape) {
    return floats(random_floats(random_, shape.numel(), {-2, 2}), shape);
  }
  static void expect_equal(const Tensor& got, const Tensor& want) {
    EXPECT_EQ(got.shape(), want.shape());
    EXPECT_EQ(got.dtype(), want.dtype());
    EXPECT_EQ(difference(read_doubles(got), read_doubles(want), Ulp{2}, want.dtype()), "");
  }

  Random random_{3};
};

inline std::string profile_name(const ::testing::TestParamInfo<Profile>& info) {
  return info.param == Profile::webgl2 ? "WebGL2" : "WebGL1";
}
inline const ElementwiseKernel& squared_difference() {
  static const ElementwiseKernel kernel("T x, T y", "T z", "z = (x - y) * (x - y)",
                                        "squared_difference");
  return kernel;
}

inline const ElementwiseKernel& reversed() {
  static const ElementwiseKernel kernel("raw T x", "T y", "y = x(_ind_size - 1 - i)", "reversed");
  return kernel;
}

}  // namespace trigon::support
