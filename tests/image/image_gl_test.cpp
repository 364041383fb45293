// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <trigon/image.hpp>
#include <trigon/trigon.hpp>

#include "support/errors.hpp"
#include "support/on_profile.hpp"

namespace trigon {
namespace {

using support::error_of;
using Bytes = std::vector<std::uint8_t>;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

class ImageFile : public testing::Test {
 protected:
  ~ImageFile() override { std::filesystem::remove(path_); }

  /// The result of load_png after save_png.
  Tensor saved(const Tensor& image) {
    save_png(path_, image);
    return load_png(path_);
  }

  std::filesystem::path path_ = std::filesystem::path(testing::TempDir()) /
                                ("image_test_" + std::to_string(::getpid()) + ".png");
};

// ---- Files

TEST_F(ImageFile, BytesComeBack) {
  for (const Shape& shape : {Shape{2, 5, 2}, Shape{2, 5, 3}, Shape{2, 5, 4}, Shape{4, 6}}) {
    const Tensor image = (arange(shape.numel()) * 5 % 256).astype(uint8).reshape(shape);
    const Tensor found = saved(image);
    EXPECT_EQ(found.dtype(), uint8);
    EXPECT_EQ(found.shape(), shape);
    EXPECT_EQ(found.to_vector<std::uint8_t>(), image.to_vector<std::uint8_t>());
  }
}

TEST_F(ImageFile, OneChannelIsGrey) {
  EXPECT_EQ(saved(tensor<float>({0, 1, 1, 0, 0, 1}, {2, 3, 1})).shape(), (Shape{2, 3}));
}

TEST_F(ImageFile, FloatsAreClampedAndRounded) {
  const float infinity = std::numeric_limits<float>::infinity();
  const Tensor x = tensor<float>({0, 0.5F / 255, 0.499F, 1, -3, 7, infinity, nan}, {2, 4});
  EXPECT_EQ(saved(x).to_vector<std::uint8_t>(), (Bytes{0, 1, 127, 255, 0, 255, 255, 0}));
  EXPECT_EQ(saved(x[Slice{0, 1}].astype(float16)).to_vector<std::uint8_t>(),
            (Bytes{0, 0, 127, 255}));
}

TEST_F(ImageFile, TruthsAreBlackAndWhite) {
  EXPECT_EQ(saved(arange(4).reshape(2, 2) > 1).to_vector<std::uint8_t>(), (Bytes{0, 0, 255, 255}));
}

TEST_F(ImageFile, IsCastOnRequest) {
  save_png(path_, tensor<float>({0, 1}, {1, 2}));
  const Tensor found = load_png(path_, {.dtype = float32});
  EXPECT_EQ(found.dtype(), float32);
  EXPECT_EQ(found.to_vector<float>(), (std::vector<float>{0, 255}));
}

TEST_F(ImageFile, RefusesWhatIsNoImage) {
  const auto refusal = [&](const Tensor& x) { return error_of([&] { save_png(path_, x); }); };
  const std::string rule =
      "; must be (height, width), or (height, width, channels) with 1 to 4 channels, and height "
      "and width from 1 to 1000000";
  EXPECT_EQ(refusal(zeros({3})), "trigon::save_png: bad shape: image is (3,)" + rule);
  EXPECT_EQ(refusal(zeros({2, 2, 5})), "trigon::save_png: bad shape: image is (2, 2, 5)" + rule);
  EXPECT_EQ(refusal(zeros({2, 0, 3})), "trigon::save_png: bad shape: image is (2, 0, 3)" + rule);
  EXPECT_EQ(refusal(arange(4).reshape(2, 2)),
            "trigon::save_png: bad dtype: image is int32; must be uint8, bool, float32 or float16");
  EXPECT_FALSE(std::filesystem::exists(path_));
}

// ---- Colour maps

// A map, and its colours 0, 16, ... 240, 255 of 256 as Matplotlib 3.6 has them, times 255.
struct Published {
  const char* name;
  Tensor (*map)(const Tensor&);
  std::array<std::array<float, 3>, 17> colours;
};

const std::array<Published, 4> published = {{
    {"viridis",
     &cm::viridis,
     {{{68.09F, 1.24F, 84.0F},
       {71.99F, 24.21F, 106.42F},
       {71.1F, 44.75F, 123.27F},
       {66.04F, 64.14F, 133.81F},
       {58.58F, 82.2F, 139.16F},
       {50.85F, 98.84F, 141.43F},
       {44.04F, 114.44F, 142.26F},
       {38.0F, 129.55F, 142.1F},
       {32.53F, 144.57F, 140.39F},
       {30.76F, 159.59F, 136.04F},
       {40.25F, 174.36F, 127.93F},
       {62.75F, 188.42F, 115.27F},
       {94.15F, 201.17F, 97.64F},
       {131.58F, 211.95F, 75.04F},
       {173.01F, 220.25F, 48.32F},
       {215.62F, 226.27F, 25.42F},
       {253.28F, 231.07F, 36.7F}}}},
    {"magma",
     &cm::magma,
     {{{0.37F, 0.12F, 3.54F},
       {10.1F, 7.93F, 34.05F},
       {28.84F, 16.7F, 70.58F},
       {53.99F, 15.81F, 106.75F},
       {80.75F, 18.28F, 123.77F},
       {105.75F, 28.16F, 128.69F},
       {130.77F, 37.79F, 129.45F},
       {156.47F, 46.36F, 127.13F},
       {182.68F, 54.82F, 121.2F},
       {208.31F, 65.25F, 111.3F},
       {230.59F, 81.5F, 98.97F},
       {245.04F, 106.67F, 91.71F},
       {251.61F, 136.57F, 97.46F},
       {254.0F, 166.68F, 113.78F},
       {254.21F, 196.25F, 136.4F},
       {253.07F, 225.5F, 163.23F},
       {251.7F, 252.82F, 191.12F}}}},
    {"coolwarm",
     &cm::coolwarm,
     {{{58.6F, 76.17F, 192.19F},
       {77.56F, 103.77F, 215.54F},
       {97.83F, 130.1F, 234.05F},
       {119.26F, 154.43F, 246.98F},
       {141.35F, 175.97F, 253.86F},
       {163.41F, 193.99F, 254.45F},
       {184.63F, 207.8F, 248.79F},
       {204.15F, 216.84F, 237.15F},
       {221.19F, 220.42F, 219.96F},
       {236.02F, 210.51F, 196.64F},
       {244.68F, 195.58F, 171.91F},
       {247.27F, 176.07F, 146.66F},
       {243.95F, 152.5F, 121.71F},
       {234.96F, 125.31F, 97.77F},
       {220.67F, 94.64F, 75.42F},
       {201.59F, 59.01F, 55.14F},
       {179.95F, 3.97F, 38.31F}}}},
    {"turbo",
     &cm::turbo,
     {{{48.44F, 18.3F, 59.2F},
       {64.02F, 64.35F, 161.6F},
       {70.45F, 107.4F, 227.26F},
       {65.95F, 147.79F, 254.68F},
       {40.4F, 187.56F, 235.38F},
       {23.63F, 220.71F, 194.39F},
       {50.13F, 242.0F, 151.64F},
       {109.08F, 253.52F, 98.37F},
       {164.12F, 252.45F, 59.56F},
       {205.21F, 235.75F, 52.17F},
       {237.92F, 207.15F, 57.8F},
       {253.25F, 171.89F, 51.89F},
       {250.82F, 125.69F, 32.76F},
       {234.87F, 80.3F, 13.96F},
       {208.1F, 47.08F, 4.61F},
       {169.44F, 21.51F, 1.08F},
       {122.3F, 4.04F, 2.69F}}}},
}};

// The colours of x, three numbers each: one program for each map and device.
std::vector<float> colours(const Published& one, const std::vector<float>& x) {
  return one.map(tensor<float>(x, {static_cast<std::int64_t>(x.size())})).to_vector<float>();
}

std::vector<float> places(std::size_t count) {
  std::vector<float> x(count);
  for (std::size_t k = 0; k < count; ++k) {
    x[k] = static_cast<float>(k) / static_cast<float>(count - 1);
  }
  return x;
}

class ColourMaps : public testing::TestWithParam<Profile> {
 protected:
  support::OnProfile profile_{GetParam()};
};

TEST_P(ColourMaps, AreWithinALevelOfTheirTables) {
  const std::vector<float> x = places(256);
  for (const Published& one : published) {
    const std::vector<float> found = colours(one, x);
    ASSERT_EQ(found.size(), 3 * x.size());
    for (std::size_t k = 0; k < 17; ++k) {
      const std::size_t place = k == 16 ? 255 : 16 * k;
      for (std::size_t channel = 0; channel < 3; ++channel) {
        EXPECT_NEAR(found[3 * place + channel], one.colours[k][channel] / 255, 1.0 / 255)
            << one.name << " " << place;
      }
    }
  }
}

TEST_P(ColourMaps, ClampWhatTheyAreGiven) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const Published& one : published) {
    const std::vector<float> y = colours(one, {0, -0.5F, -infinity, 1, 1.5F, infinity, nan});
    for (const std::size_t k : {0, 1, 2}) {
      EXPECT_EQ(y[3 + k], y[k]) << one.name;
      EXPECT_EQ(y[6 + k], y[k]) << one.name;
      EXPECT_EQ(y[12 + k], y[9 + k]) << one.name;
      EXPECT_EQ(y[15 + k], y[9 + k]) << one.name;
      EXPECT_EQ(y[18 + k], 0) << one.name;
    }
  }
}

TEST_P(ColourMaps, StayBetweenZeroAndOneAndHaveNoSteps) {
  for (const Published& one : published) {
    const std::vector<float> y = colours(one, places(3001));
    float step = 0;
    for (std::size_t k = 3; k < y.size(); ++k) {
      ASSERT_TRUE(y[k] >= 0 && y[k] <= 1) << one.name << " " << k;
      step = std::max(step, std::abs(y[k] - y[k - 3]));
    }
    EXPECT_LT(step, 1.2F / 255) << one.name;  // coolwarm's halves meet within a level
  }
}

TEST_P(ColourMaps, KeepTheShapeAndTakeHalves) {
  const Tensor colours = cm::viridis(full({2, 1, 3}, 0.5).astype(float16));
  EXPECT_EQ(colours.shape(), (Shape{2, 1, 3, 3}));
  EXPECT_EQ(colours.dtype(), float32);
  EXPECT_EQ(cm::turbo(Tensor(0.5)).shape(), (Shape{3}));
}

INSTANTIATE_TEST_SUITE_P(Profiles, ColourMaps, testing::Values(Profile::webgl2, Profile::webgl1),
                         [](const auto& profile) {
                           return profile.param == Profile::webgl2 ? "webgl2" : "webgl1";
                         });

TEST(ColourMap, TakesFloatsAlone) {
  EXPECT_EQ(error_of([] { return cm::magma(arange(3)); }),
            "trigon::cm::magma: x is not a float: it is int32; cast with astype");
}

}  // namespace
}  // namespace trigon
