// SPDX-License-Identifier: MIT
#include "io/safetensors.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "support/entry_of.hpp"
#include "support/io_files.hpp"

namespace trigon::detail::io {
namespace {

TEST(ToFloat32, TakesEveryDtype) {
  using F = std::vector<float>;
  EXPECT_EQ(to_float32(entry_of<double>(FileDType::f64, {0.1, -1e300})),
            (F{0.1f, -std::numeric_limits<float>::infinity()}));
  EXPECT_EQ(to_float32(entry_of<float>(FileDType::f32, {0.1f})), F{0.1f});
  EXPECT_EQ(to_float32(entry_of<std::uint16_t>(FileDType::f16, {0x3c00, 0x0001})),
            (F{1, 0x1p-24f}));
  EXPECT_EQ(to_float32(entry_of<std::uint16_t>(FileDType::bf16, {0x3f80, 0xc040})), (F{1, -3}));
  EXPECT_EQ(to_float32(entry_of<std::int64_t>(FileDType::i64, {-5, 1ll << 40})), (F{-5, 0x1p40f}));
  EXPECT_EQ(to_float32(entry_of<std::int32_t>(FileDType::i32, {-5, 16777217})), (F{-5, 16777216}));
  EXPECT_EQ(to_float32(entry_of<std::uint32_t>(FileDType::u32, {~0u})), F{0x1p32f});
  EXPECT_EQ(to_float32(entry_of<std::uint8_t>(FileDType::u8, {255})), F{255});
  EXPECT_EQ(to_float32(entry_of<std::uint8_t>(FileDType::boolean, {0, 1, 7})), (F{0, 1, 1}));
}

TEST(ToInt32, TakesEveryIntegerDtype) {
  using I = std::vector<std::int32_t>;
  EXPECT_EQ(to_int32(entry_of<std::int64_t>(FileDType::i64, {-2147483648, 2147483647})),
            (I{std::numeric_limits<std::int32_t>::min(), 2147483647}));
  EXPECT_EQ(to_int32(entry_of<std::int32_t>(FileDType::i32, {-5})), I{-5});
  EXPECT_EQ(to_int32(entry_of<std::uint32_t>(FileDType::u32, {5})), I{5});
  EXPECT_EQ(to_int32(entry_of<std::uint8_t>(FileDType::u8, {255})), I{255});
  EXPECT_EQ(to_int32(entry_of<std::uint8_t>(FileDType::boolean, {0, 9})), (I{0, 1}));
}

TEST(ToInt32, RefusesValuesOutOfRange) {
  const TemporaryDirectory directory;
  const std::vector<std::int64_t> wide = {1, 2, -2147483649};
  EXPECT_EQ(error_of(directory, [&] { to_int32(entry_of(FileDType::i64, wide)); }),
            "trigon::SafeTensors: tensor \"x\": value does not fit int32: element 2 is "
            "-2147483649; must be in [-2147483648, 2147483647]");
  const std::vector<std::uint32_t> high = {2147483648u};
  EXPECT_EQ(error_of(directory, [&] { to_int32(entry_of(FileDType::u32, high)); }),
            "trigon::SafeTensors: tensor \"x\": value does not fit int32: element 0 is "
            "2147483648; must be in [-2147483648, 2147483647]");
}

TEST(ToInt32, RefusesFloats) {
  const TemporaryDirectory directory;
  const std::vector<float> values = {1};
  EXPECT_EQ(error_of(directory, [&] { to_int32(entry_of(FileDType::f32, values)); }),
            "trigon::SafeTensors: tensor \"x\": not an integer tensor: dtype is F32; "
            "must be I64, I32, U32, U8 or BOOL");
}

TEST(ViewAs, IsTheBytesThemselves) {
  const std::vector<float> values = {1, 2, 3};
  const auto view = view_as<float>(entry_of(FileDType::f32, values));
  ASSERT_TRUE(view.has_value());
  EXPECT_EQ(view->data(), values.data());
  EXPECT_EQ(view->size(), 3u);
}

TEST(ViewAs, IsNothingForAnotherDtype) {
  const std::vector<std::int32_t> values = {1};
  const auto entry = entry_of(FileDType::i32, values);
  EXPECT_FALSE(view_as<float>(entry).has_value());
  EXPECT_FALSE(view_as<std::uint32_t>(entry).has_value());
  EXPECT_FALSE(view_as<std::uint8_t>(entry).has_value());
  EXPECT_TRUE(view_as<std::int32_t>(entry).has_value());
}

}  // namespace
}  // namespace trigon::detail::io
