// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string_view>

#include "core/half.hpp"
#include "core/hash.hpp"
#include "core/math.hpp"

namespace trigon {
namespace {

TEST(IntegerMath, CeilDivRoundsUp) {
  EXPECT_EQ(core::ceil_div(0, 4), 0);
  EXPECT_EQ(core::ceil_div(1, 4), 1);
  EXPECT_EQ(core::ceil_div(4, 4), 1);
  EXPECT_EQ(core::ceil_div(5, 4), 2);
  EXPECT_EQ(core::ceil_div(std::size_t{9}, 8), 2u);
}

TEST(IntegerMath, CeilDivOfTheLargestNumberDoesNotOverflow) {
  constexpr auto last = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(core::ceil_div(last, 1), last);
  EXPECT_EQ(core::ceil_div(last, 4), last / 4 + 1);
}

TEST(IntegerMath, FloorDivRoundsDown) {
  EXPECT_EQ(core::floor_div(7, 4), 1);
  EXPECT_EQ(core::floor_div(-1, 4), -1);
  EXPECT_EQ(core::floor_div(-4, 4), -1);
  EXPECT_EQ(core::floor_div(-5, 4), -2);
}

TEST(IntegerMath, RoundUpIsAMultiple) {
  EXPECT_EQ(core::round_up(0, 4), 0);
  EXPECT_EQ(core::round_up(1, 4), 4);
  EXPECT_EQ(core::round_up(8, 4), 8);
  EXPECT_EQ(core::round_up(9, 4), 12);
  EXPECT_EQ(core::round_up(std::size_t{65}, 64), 128u);
}

TEST(Mix, IsKnownAtCompileTime) {
  static_assert(core::mix(0, 1) != core::mix(1, 0));
  static_assert(core::mix(7, std::string_view("add")) == core::mix(7, std::string_view("add")));
}

TEST(Mix, DiffersByOrderLengthAndSign) {
  EXPECT_NE(core::mix(core::mix(0, 1), 2), core::mix(core::mix(0, 2), 1));
  EXPECT_NE(core::mix(0, 0), core::mix(core::mix(0, 0), 0));
  EXPECT_NE(core::mix(0, 0.0), core::mix(0, -0.0));
  EXPECT_NE(core::mix(0, std::string_view("a")), core::mix(0, std::string_view("\0a", 2)));
  EXPECT_NE(core::mix(core::mix(0, std::string_view("ab")), std::string_view("c")),
            core::mix(core::mix(0, std::string_view("a")), std::string_view("bc")));
}

TEST(Mix, HasNoCollisionsAmongSmallPairs) {
  std::set<std::uint64_t> found;
  for (int a = -300; a < 300; ++a) {
    for (int b = -300; b < 300; ++b) found.insert(core::mix(core::mix(0, a), b));
  }
  EXPECT_EQ(found.size(), 360'000u);
}

// A bucket index is the low bits, so each has to depend on every bit of the value.
TEST(Mix, OneBitOfTheValueChangesHalfOfTheHash) {
  for (int bit = 0; bit < 64; ++bit) {
    int changed = 0;
    for (std::uint64_t k = 0; k < 256; ++k) {
      changed += std::popcount(core::mix(k, k * 977) ^
                               core::mix(k, (k * 977) ^ (std::uint64_t{1} << bit)));
    }
    EXPECT_NEAR(changed / 256.0, 32.0, 1.5) << "bit " << bit;
  }
}

// ---- Halves

TEST(Half, IsExactForEveryFiniteValue) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const int exponent = static_cast<int>(bits >> 10U & 0x1fU);
    const int fraction = static_cast<int>(bits & 0x3ffU);
    if (exponent == 31) continue;
    const double size =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    const float found = core::half_to_float(static_cast<std::uint16_t>(bits));
    ASSERT_EQ(found, static_cast<float>(bits >> 15U != 0 ? -size : size)) << bits;
    ASSERT_EQ(std::signbit(found), bits >> 15U != 0) << bits;
    ASSERT_EQ(core::float_to_half(found), bits);
  }
}

TEST(Half, KeepsInfinityAndNan) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(core::half_to_float(0x7c00), inf);
  EXPECT_EQ(core::half_to_float(0xfc00), -inf);
  EXPECT_TRUE(std::isnan(core::half_to_float(0x7e00)));
  EXPECT_EQ(std::bit_cast<std::uint32_t>(core::half_to_float(0xfc01)), 0xff802000U);
  EXPECT_EQ(core::float_to_half(inf), 0x7c00);
  EXPECT_EQ(core::float_to_half(-inf), 0xfc00);
  EXPECT_EQ(core::float_to_half(std::numeric_limits<float>::quiet_NaN()), 0x7e00);
}

// Also where the program rounds upwards.
TEST(Half, RoundsToTheNearestTiesToEven) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  for (const int mode : {FE_TONEAREST, FE_UPWARD}) {
    std::fesetround(mode);
    for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
      const float low = core::half_to_float(static_cast<std::uint16_t>(bits));
      const float high =
          bits + 1 == 0x7c00 ? 65536.0F : core::half_to_float(static_cast<std::uint16_t>(bits + 1));
      const float middle = (low + high) / 2;
      ASSERT_EQ(core::float_to_half(middle), bits + (bits & 1U)) << bits;
      ASSERT_EQ(core::float_to_half(std::nextafter(middle, 0.0F)), bits);
      ASSERT_EQ(core::float_to_half(std::nextafter(middle, inf)), bits + 1);
      ASSERT_EQ(core::float_to_half(-middle), (bits + (bits & 1U)) | 0x8000U);
    }
    EXPECT_EQ(core::float_to_half(std::numeric_limits<float>::max()), 0x7c00);
    EXPECT_EQ(core::float_to_half(std::numeric_limits<float>::denorm_min()), 0);
  }
  std::fesetround(FE_TONEAREST);
}

}  // namespace
}  // namespace trigon
