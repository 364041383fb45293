// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <trigon/error.hpp>

#include "core/layout.hpp"
#include "core/targets.hpp"
#include "support/errors.hpp"

// The places of elements in textures.

namespace trigon {
namespace {

using core::Layout;
using core::Target;

struct Place {
  std::int64_t x, y, layer, component;
  friend bool operator<(const Place& a, const Place& b) {
    return std::tie(a.layer, a.y, a.x, a.component) < std::tie(b.layer, b.y, b.x, b.component);
  }
};

/// The examples of Layout's comment, word for word.
Place place(const Layout& layout, std::int64_t offset) {
  const std::int64_t texel = offset / layout.elements_per_texel;
  const std::int64_t row = texel / layout.width;
  return {texel % layout.width,
          row / (layout.slab * layout.layers) * layout.slab + row % layout.slab,
          row / layout.slab % layout.layers, offset % layout.elements_per_texel};
}

void each_offset(const Layout& layout, const std::function<void(std::int64_t)>& visit) {
  const Shape& shape = layout.shape;
  std::vector<std::int64_t> index(static_cast<std::size_t>(shape.rank()), 0);
  for (std::int64_t n = 0; n < shape.numel(); ++n) {
    std::int64_t offset = 0, rest = n;
    for (int k = shape.rank() - 1; k >= 0; --k) {
      offset += rest % shape[k] * layout.strides[static_cast<std::size_t>(k)];
      rest /= shape[k];
    }
    visit(offset);
  }
}

void expect_each_element_has_a_place_of_its_own(const Layout& layout, const Target& target) {
  std::set<Place> taken;
  each_offset(layout, [&](std::int64_t offset) {
    const Place at = place(layout, offset);
    EXPECT_TRUE(at.x < layout.width && at.y < layout.height && at.layer < layout.layers);
    EXPECT_TRUE(taken.insert(at).second) << "offset " << offset;
  });
  EXPECT_LE(layout.width, target.max_side);
  EXPECT_LE(layout.height, target.max_side);
  EXPECT_LE(layout.layers, target.max_layers);
}

Target small() {
  Target target = core::es30_minimum();
  target.max_side = 9;
  return target;
}

std::vector<Shape> shapes() {
  return {{},        {1},       {3},          {4},          {5},          {17},      {64},
          {2, 3},    {3, 4},    {5, 1},       {1, 5},       {7, 9},       {64, 64},  {100, 3},
          {2, 3, 4}, {3, 5, 7}, {2, 1, 3, 5}, {2, 2, 2, 2}, {4, 1, 1, 8}, {1, 1, 1}, {40, 36}};
}

std::string text_of(const Layout& layout) {
  return to_string(layout.shape) + " " + std::to_string(layout.width) + " x " +
         std::to_string(layout.height) + " x " + std::to_string(layout.layers);
}

TEST(Layout, GivesEachElementAPlaceOfItsOwn) {
  for (const Target& target : {core::h200(), core::es30_minimum(), small()}) {
    for (const Shape& shape : shapes()) {
      for (const Layout& layout : {core::flat_layout(target, float32, shape),
                                   core::padded_layout(target, float32, shape)}) {
        SCOPED_TRACE(text_of(layout));
        expect_each_element_has_a_place_of_its_own(layout, target);
      }
    }
  }
}

TEST(Layout, OfBlocksGivesEachElementAPlaceOfItsOwn) {
  const Target target = core::h200();
  for (const Shape& shape : {Shape{8, 4}, Shape{64, 64}, Shape{9, 5}, Shape{3, 17, 6},
                             Shape{2, 3, 10, 4}, Shape{5, 1, 1}, Shape{7, 30}}) {
    for (std::int64_t rows : {1, 2, 4, 8}) {
      const Layout layout = core::block_layout(target, float32, shape, rows);
      SCOPED_TRACE(text_of(layout));
      ASSERT_TRUE(core::block_fits(target, shape, rows));
      expect_each_element_has_a_place_of_its_own(layout, target);
    }
  }
}

TEST(Layout, OfTuplesGivesEachElementAPlaceOfItsOwn) {
  const Target target = core::h200();
  for (const Shape& shape : {Shape{2, 5}, Shape{4, 3, 7}, Shape{3, 40, 2}, Shape{2, 2, 3, 4}}) {
    for (const Layout& layout : {core::texel_layout(target, float32, shape),
                                 core::stacked_layout(target, float32, shape)}) {
      SCOPED_TRACE(text_of(layout));
      expect_each_element_has_a_place_of_its_own(layout, target);
    }
  }
}

TEST(Layout, FlatLeavesNoGaps) {
  for (const Shape& shape : shapes()) {
    const Layout layout = core::flat_layout(core::h200(), float32, shape);
    std::int64_t next = 0;
    each_offset(layout, [&](std::int64_t offset) { EXPECT_EQ(offset, next++); });
    EXPECT_LT(layout.width * layout.height * 4 - shape.numel(), layout.width * 4)
        << text_of(layout);
  }
}

TEST(Layout, PaddedStartsEachRowInATexel) {
  const Layout layout = core::padded_layout(core::h200(), float32, {100, 3});
  EXPECT_EQ(layout.strides[0], 4);
  EXPECT_EQ(layout.strides[1], 1);
}

TEST(Layout, FlatAndPaddedAreOneWhereRowsAreWholeTexels) {
  for (const Shape& shape : {Shape{64, 64}, Shape{3, 5, 8}, Shape{4}, Shape{1000, 4}}) {
    EXPECT_EQ(core::flat_layout(core::h200(), float32, shape),
              core::padded_layout(core::h200(), float32, shape));
  }
}

TEST(Layout, FoldsLongVectors) {
  const Layout layout = core::flat_layout(core::h200(), float32, {4 << 20});
  EXPECT_EQ(layout.width, 1024);
  EXPECT_EQ(layout.height, 1024);
  EXPECT_EQ(layout.layers, 1);
}

TEST(Layout, FoldsNarrowRows) {
  const Layout layout = core::flat_layout(core::h200(), float32, {100'000, 4});
  EXPECT_EQ(layout.width, 1024);
  EXPECT_EQ(layout.height, 98);
}

TEST(Layout, StacksPastTheHeightLimit) {
  Target target = core::es30_minimum();
  target.max_side = 16;
  const Layout layout = core::flat_layout(target, float32, {64, 64});
  EXPECT_EQ(layout.width, 16);
  EXPECT_EQ(layout.height, 16);
  EXPECT_EQ(layout.layers, 4);
  EXPECT_EQ(layout.slab, 16);
}

TEST(Layout, FillsTheOnlyTextureOfWebGL1) {
  Target target = core::llvmpipe_webgl1();
  target.max_side = 63;
  for (const Shape& shape : {Shape{128, 96}, Shape{100, 80}, Shape{63, 252}, Shape{3968, 4}}) {
    const Layout layout = core::flat_layout(target, float32, shape);
    SCOPED_TRACE(text_of(layout));
    expect_each_element_has_a_place_of_its_own(layout, core::es30_minimum());
    EXPECT_LE(layout.height, 63);
    EXPECT_EQ(layout.layers, 1);
  }
  EXPECT_EQ(core::flat_layout(target, float32, {128, 96}).width, 63);  // 24 texels a row
  EXPECT_EQ(core::flat_layout(target, float32, {100, 80}).width, 60);  // 20, so three of them
}

TEST(Layout, OfBlocksKeepsTheRowsOfABlockInLayers) {
  const Layout layout = core::block_layout(core::h200(), float32, {1024, 512}, 8);
  EXPECT_EQ(layout.width, 128);
  EXPECT_EQ(layout.height, 128);
  EXPECT_EQ(layout.slab, 128);
  EXPECT_EQ(layout.layers, 8);
  for (std::int64_t row : {0, 127, 128, 1023}) {
    const Place at = place(layout, row * layout.strides[0]);
    EXPECT_EQ(at.layer, row / 128);
    EXPECT_EQ(at.y, row % 128);
    EXPECT_EQ(at.x, 0);
  }
}

TEST(Layout, BlocksNeedDrawBuffersAndSides) {
  EXPECT_TRUE(core::block_fits(core::h200(), {64, 64}, 8));
  EXPECT_FALSE(core::block_fits(core::es30_minimum(), {64, 64}, 8));
  EXPECT_TRUE(core::block_fits(core::es30_minimum(), {64, 64}, 4));
  EXPECT_FALSE(core::block_fits(core::es30_minimum(), {64, 4 * 2048 + 1}, 4));
  EXPECT_FALSE(core::block_fits(core::es30_minimum(), {4 * 2048 + 1, 64}, 4));
}

TEST(Layout, StatesShapeBytesAndLimitPastAllLimits) {
  EXPECT_EQ(support::error_of<DeviceError>([&] {
              core::flat_layout(core::es30_minimum(), float32, {1 << 20, 8192});
            }),
            "trigon::eval: tensor too large for the device: shape (1048576, 8192), "
            "34359738368 bytes, 1048576 texture rows of 2048 texels; at most 524288 rows");
}

TEST(Layout, CountsTheBytesOfItsFormat) {
  const auto bytes = [](DType dtype) {
    return core::flat_layout(core::h200(), dtype, {64, 64}).bytes();
  };
  EXPECT_EQ(bytes(float32), 64 * 64 * 4);
  EXPECT_EQ(bytes(int32), 64 * 64 * 4);
  EXPECT_EQ(bytes(float16), 64 * 64 * 2);
  EXPECT_EQ(bytes(uint8), 64 * 64);
  EXPECT_EQ(bytes(boolean), 64 * 64);
}

// ---- Sides

TEST(TextureSide, HoldsWhatIsAskedForWithLittleWaste) {
  const Target target = core::h200();
  for (std::int64_t side = 1; side <= target.max_side; ++side) {
    const std::int64_t chosen = core::texture_side(target, side);
    ASSERT_GE(chosen, side);
    ASSERT_LE(chosen, target.max_side);
    ASSERT_LE(chosen * 5, std::max<std::int64_t>(side * 6, 9 * 5)) << side;
  }
}

TEST(TextureSide, IsNoPowerOfTwoBelowTheLargest) {
  const Target target = core::llvmpipe();
  for (std::int64_t side = 1; side < target.max_side; ++side) {
    const std::int64_t chosen = core::texture_side(target, side);
    ASSERT_TRUE((chosen & (chosen - 1)) != 0 || chosen == target.max_side) << side;
  }
}

TEST(TextureSide, TakesFewValues) {
  std::set<std::int64_t> sides;
  for (std::int64_t side = 1; side <= 16384; ++side) {
    sides.insert(core::texture_side(core::llvmpipe(), side));
  }
  EXPECT_LE(sides.size(), 80u);
}

TEST(TextureSide, IsTheFixedPointOfItself) {
  for (std::int64_t side = 1; side <= 16384; ++side) {
    const std::int64_t chosen = core::texture_side(core::llvmpipe(), side);
    ASSERT_EQ(core::texture_side(core::llvmpipe(), chosen), chosen);
  }
}

// ---- Types

TEST(RegisterType, FollowsDtypeAndDialect) {
  using core::Type;
  const Target es300 = core::h200();
  EXPECT_EQ(core::register_type(es300, float32), Type::f);
  EXPECT_EQ(core::register_type(es300, float16), Type::f);
  EXPECT_EQ(core::register_type(es300, int32), Type::i);
  EXPECT_EQ(core::register_type(es300, uint32), Type::u);
  EXPECT_EQ(core::register_type(es300, uint8), Type::u);
  EXPECT_EQ(core::register_type(es300, boolean), Type::f);
  EXPECT_EQ(core::texel_type(es300, boolean), Type::u);
  for (DType dtype : {float32, float16, int32, uint32, uint8, boolean}) {
    EXPECT_EQ(core::register_type(core::webgl1_minimum(), dtype), Type::f);
    EXPECT_EQ(core::texel_type(core::webgl1_minimum(), dtype), Type::f);
  }
}

}  // namespace
}  // namespace trigon
