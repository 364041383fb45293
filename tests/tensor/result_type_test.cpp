// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>

#include <trigon/trigon.hpp>

#include "support/errors.hpp"

namespace trigon {
namespace {

using support::error_of;

constexpr DType all[] = {boolean, uint8, uint32, int32, float16, float32};

// Rows: from; columns: to; both in the order of `all`. NumPy's can_cast(from, to) says the same.
TEST(CanCast, HoldsWhereNoValueIsLost) {
  constexpr bool want[6][6] = {
      {true, true, true, true, true, true},       // bool
      {false, true, true, true, true, true},      // uint8
      {false, false, true, false, false, false},  // uint32
      {false, false, false, true, false, false},  // int32
      {false, false, false, false, true, true},   // float16
      {false, false, false, false, false, true},  // float32
  };
  for (int from = 0; from < 6; ++from) {
    for (int to = 0; to < 6; ++to) {
      EXPECT_EQ(can_cast(all[from], all[to]), want[from][to])
          << name(all[from]) << " to " << name(all[to]);
    }
  }
  EXPECT_TRUE(can_cast(zeros({2}, uint8), int32));
  EXPECT_FALSE(can_cast(zeros({2}), float16));
}

TEST(ResultType, IsTheHighestOfAll) {
  EXPECT_EQ(result_type(boolean), boolean);
  EXPECT_EQ(result_type(boolean, uint8, uint32), uint32);
  EXPECT_EQ(result_type(uint8, uint32, int32), int32);
  EXPECT_EQ(result_type(int32, float16), float32);
  EXPECT_EQ(result_type(float16), float32);  // float16 is for storage only
}

TEST(ResultType, CountsNumbersByTheirKind) {
  EXPECT_EQ(result_type(true), boolean);
  EXPECT_EQ(result_type(true, 2), int32);
  EXPECT_EQ(result_type(2, 2.5), float32);
  EXPECT_EQ(result_type(boolean, 2), int32);
  EXPECT_EQ(result_type(uint8, 2, true), uint8);
  EXPECT_EQ(result_type(uint8, 2.5), float32);
  EXPECT_EQ(result_type(zeros({3}, uint8), 300), uint8);
  EXPECT_EQ(result_type(zeros({3}, uint8), Scalar(3)), int32);  // a Scalar is a tensor
  EXPECT_EQ(result_type(Tensor(3), uint8), uint8);
}

TEST(FInfo, HasNumPysNumbers) {
  const FloatInfo single = finfo(float32);
  EXPECT_EQ(single.bits, 32);
  EXPECT_EQ(single.precision, 6);
  EXPECT_EQ(single.eps, 0x1p-23);
  EXPECT_EQ(single.epsneg, 0x1p-24);
  EXPECT_EQ(single.max, 3.4028234663852886e38);
  EXPECT_EQ(single.min, -3.4028234663852886e38);
  EXPECT_EQ(single.smallest_normal, 0x1p-126);
  EXPECT_EQ(single.tiny, 0x1p-126);
  EXPECT_EQ(single.smallest_subnormal, 0x1p-149);
  EXPECT_DOUBLE_EQ(single.resolution, 1e-6);
  const FloatInfo half = finfo(float16);
  EXPECT_EQ(half.dtype, float16);
  EXPECT_EQ(half.bits, 16);
  EXPECT_EQ(half.precision, 3);
  EXPECT_EQ(half.eps, 0x1p-10);
  EXPECT_EQ(half.max, 65504);
  EXPECT_EQ(half.smallest_normal, 0x1p-14);
  EXPECT_EQ(half.smallest_subnormal, 0x1p-24);
  EXPECT_DOUBLE_EQ(half.resolution, 1e-3);
  EXPECT_EQ(error_of([] { return finfo(int32); }),
            "trigon::finfo: not a dtype of floats: int32; must be float32 or float16");
}

TEST(IInfo, HasTheRange) {
  EXPECT_EQ(iinfo(int32).min, -2147483648LL);
  EXPECT_EQ(iinfo(int32).max, 2147483647);
  EXPECT_EQ(iinfo(uint32).max, 4294967295);
  EXPECT_EQ(iinfo(uint8).min, 0);
  EXPECT_EQ(iinfo(uint8).max, 255);
  EXPECT_EQ(iinfo(uint8).bits, 8);
  EXPECT_EQ(error_of([] { return iinfo(boolean); }),
            "trigon::iinfo: not a dtype of integers: bool; must be int32, uint32 or uint8");
}

}  // namespace
}  // namespace trigon
