// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/layout.hpp"
#include "core/storage.hpp"
#include "core/targets.hpp"

// The table of encodings.

namespace trigon {
namespace {

using core::Dialect;
using core::Encoding;
using core::EncodingInfo;
using core::Format;

TEST(Storage, KnowsEachRowByItsNumber) {
  std::int32_t number = 0;
  for (const EncodingInfo& row : core::encodings()) {
    EXPECT_EQ(core::find_encoding(Dialect::es300, row.dtype, row.encoding), &row);
    EXPECT_EQ(core::number_of(row), number++);
  }
}

TEST(Storage, StoresPlainElementsInTheFormatOfTheirDtype) {
  const auto format = [](Dialect dialect, DType dtype) {
    return core::find_encoding(dialect, dtype, Encoding::plain)->format;
  };
  EXPECT_EQ(format(Dialect::es300, float32), Format::rgba32f);
  EXPECT_EQ(format(Dialect::es300, float16), Format::rgba16f);
  EXPECT_EQ(format(Dialect::es300, int32), Format::rgba32i);
  EXPECT_EQ(format(Dialect::es300, uint32), Format::rgba32ui);
  EXPECT_EQ(format(Dialect::es300, uint8), Format::rgba8ui);
  EXPECT_EQ(format(Dialect::es300, boolean), Format::rgba8ui);
  for (const DType dtype : {float32, float16, int32, uint32, uint8, boolean}) {
    EXPECT_EQ(format(Dialect::es100, dtype), Format::rgba32f);
  }
}

TEST(Storage, CountsTheBytesOfEachDtype) {
  const auto bytes = [](DType dtype) {
    return core::Layout{.dtype = dtype, .width = 3, .height = 2, .layers = 5}.bytes() / 30;
  };
  EXPECT_EQ(bytes(float32), 16);
  EXPECT_EQ(bytes(float16), 8);
  EXPECT_EQ(bytes(int32), 16);
  EXPECT_EQ(bytes(uint32), 16);
  EXPECT_EQ(bytes(uint8), 4);
  EXPECT_EQ(bytes(boolean), 4);
}

TEST(Storage, PacksSixteenBytesIntoATexel) {
  const EncodingInfo* const row =
      core::find_encoding(Dialect::es300, float32, Encoding::packed_int8);
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->elements_per_texel, 16);
  EXPECT_EQ(core::bytes_per_texel(row->format), 16);
  EXPECT_EQ(core::texel_type(row->format), core::Type::u);
  EXPECT_EQ(row->register_type, core::Type::f);
  const std::array<std::uint32_t, 4> texel{0x80ff017f, 0, 0, 0xfe000000};
  const auto* const bytes = reinterpret_cast<const std::byte*>(texel.data());
  EXPECT_EQ(row->element(bytes, 0), 127);
  EXPECT_EQ(row->element(bytes, 1), 1);
  EXPECT_EQ(row->element(bytes, 2), -1);
  EXPECT_EQ(row->element(bytes, 3), -128);
  EXPECT_EQ(row->element(bytes, 4), 0);
  EXPECT_EQ(row->element(bytes, 15), -2);
}

TEST(Storage, HasNoPackedElementsInES100OrOfOtherDtypes) {
  EXPECT_EQ(core::find_encoding(Dialect::es100, float32, Encoding::packed_int8), nullptr);
  EXPECT_EQ(core::find_encoding(Dialect::es300, int32, Encoding::packed_int8), nullptr);
}

}  // namespace
}  // namespace trigon
