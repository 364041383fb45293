// SPDX-License-Identifier: MIT
#include "../picture.hpp"

#include <png.h>
#include <unistd.h>

#include <filesystem>
#include <limits>

#include "support.hpp"

namespace simulate {
namespace {

namespace fs = std::filesystem;
using test::error_of;

Image read_png(const fs::path& file) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_file(&png, file.c_str()), 0) << png.message;
  png.format = PNG_FORMAT_RGB;
  Image image(static_cast<int>(png.width), static_cast<int>(png.height));
  EXPECT_NE(png_image_finish_read(&png, nullptr, image.pixels.data(), 3 * image.width, nullptr), 0)
      << png.message;
  return image;
}

TEST(SimulatePicture, IsReadAsItWasWritten) {
  Image image(5, 3);
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 5; ++x) {
      image.at(x, y) = {static_cast<std::uint8_t>(50 * x), static_cast<std::uint8_t>(80 * y), 7};
    }
  }
  const fs::path file =
      fs::path(testing::TempDir()) / ("simulate_" + std::to_string(getpid()) + ".png");
  write_png(file, image);
  const Image found = read_png(file);
  fs::remove(file);
  EXPECT_EQ(found.width, 5);
  EXPECT_EQ(found.height, 3);
  EXPECT_EQ(found.pixels, image.pixels);
}

TEST(SimulatePicture, NamesTheFileThatCannotBeWritten) {
  EXPECT_EQ(error_of([] { write_png("/nowhere/a.png", Image(1, 1)); }),
            "simulate: /nowhere/a.png: cannot be written: No such file or directory");
}

TEST(SimulatePicture, HeatGetsBrighter) {
  EXPECT_EQ(heat_colour(0), (Colour{0, 0, 4}));
  EXPECT_EQ(heat_colour(1), (Colour{252, 253, 191}));
  EXPECT_EQ(heat_colour(-1), heat_colour(0));
  EXPECT_EQ(heat_colour(2), heat_colour(1));
  EXPECT_EQ(heat_colour(std::numeric_limits<double>::quiet_NaN()), heat_colour(0));
  EXPECT_EQ(heat_colour(0.5), (Colour{183, 55, 121}));
}

TEST(SimulatePicture, CyclesAreWithoutASeam) {
  EXPECT_EQ(cyclic_colour(0), cyclic_colour(1));
  EXPECT_EQ(cyclic_colour(0.25), cyclic_colour(3.25));
  EXPECT_NE(cyclic_colour(0), cyclic_colour(0.5));
}

TEST(SimulatePicture, FieldsHaveTheirRows) {
  const std::vector<float> field = {0, 1, 2, 4, 3, 0};
  const Image image = field_picture(field, 3, 0, 4);
  EXPECT_EQ(image.height, 2);
  EXPECT_EQ(image.at(0, 1), heat_colour(1));
  EXPECT_EQ(image.at(2, 0), heat_colour(0.5));
}

TEST(SimulatePicture, LightAddsUpWithinTheImage) {
  Image image(2, 1);
  add_light(image, 1, 0, {200, 10, 0});
  add_light(image, 1, 0, {200, 10, 0});
  add_light(image, 2, 0, {200, 10, 0});
  add_light(image, 0, -1, {200, 10, 0});
  EXPECT_EQ(image.at(1, 0), (Colour{255, 20, 0}));
  EXPECT_EQ(image.at(0, 0), (Colour{0, 0, 0}));
}

TEST(SimulatePicture, LinesLightEachPixelOnce) {
  Image image(6, 4);
  add_line(image, 1, 2, 4, 2, {100, 0, 0});
  add_line(image, 1, 2, 1, -5, {100, 0, 0});
  for (int x = 0; x < 6; ++x) {
    EXPECT_EQ(image.at(x, 2)[0], x == 1 ? 200 : (x > 1 && x < 5 ? 100 : 0)) << x;
  }
  EXPECT_EQ(image.at(1, 0)[0], 100);
  EXPECT_EQ(image.at(1, 3)[0], 0);
}

TEST(SimulatePicture, CurvesRiseWithTheirValues) {
  const std::vector<std::vector<double>> curves = {{0, 1}, {}};
  const Image image = curve_picture(curves, 100, 50);
  const Colour gold = {255, 190, 60};
  const auto height_at = [&](int x) {
    for (int y = 0; y < image.height; ++y) {
      if (image.at(x, y) == gold) return y;
    }
    return -1;
  };
  EXPECT_GT(height_at(20), height_at(80));
  EXPECT_GE(height_at(80), 0);
}

TEST(SimulatePicture, CurvesLeaveOutWhatIsNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::vector<double>> curves = {{nan, nan}, {nan}};
  EXPECT_EQ(curve_picture(curves).pixels, curve_picture({}).pixels);
}

}  // namespace
}  // namespace simulate
