// SPDX-License-Identifier: MIT
#include "../picture.hpp"

#include <unistd.h>

#include <filesystem>
#include <limits>

#include <trigon/image.hpp>
#include <trigon/trigon.hpp>

#include "support.hpp"

namespace simulate {
namespace {

namespace fs = std::filesystem;
using test::error_of;

TEST(SimulatePicture, IsReadAsItWasWritten) {
  Image image(5, 3);
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 5; ++x) {
      image.at(x, y) = {static_cast<std::uint8_t>(50 * x), static_cast<std::uint8_t>(80 * y), 7};
    }
  }
  const fs::path file =
      fs::path(testing::TempDir()) / ("simulate_" + std::to_string(getpid()) + ".png");
  save_png(file, image);
  const trigon::Tensor found = trigon::load_png(file);
  fs::remove(file);
  ASSERT_EQ(found.shape(), (trigon::Shape{3, 5, 3}));
  std::vector<Colour> pixels(15);
  found.read(pixels.data(), trigon::uint8);
  EXPECT_EQ(pixels, image.pixels);
}

TEST(SimulatePicture, NamesTheFileThatCannotBeWritten) {
  EXPECT_EQ(error_of([] { save_png("/nowhere/a.png", Image(1, 1)); }),
            "trigon::save_png: \"/nowhere/a.png\": cannot write: No such file or directory; must "
            "be a writable path in a writable directory");
}

TEST(SimulatePicture, CyclesAreWithoutASeam) {
  EXPECT_EQ(cyclic_colour(0), cyclic_colour(1));
  EXPECT_EQ(cyclic_colour(0.25), cyclic_colour(3.25));
  EXPECT_NE(cyclic_colour(0), cyclic_colour(0.5));
}

TEST(SimulatePicture, FieldsHaveTheirRows) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Image image = field_picture(trigon::tensor<float>({0, 1, 2, 4, 3, nan}, {2, 3}), 0, 4);
  EXPECT_EQ(image.width, 3);
  EXPECT_EQ(image.height, 2);
  EXPECT_EQ(image.at(2, 1), (Colour{0, 0, 0}));
  EXPECT_GT(image.at(0, 1)[0], 250);  // pale yellow
  EXPECT_GT(image.at(0, 1)[1], 250);
  EXPECT_LT(image.at(0, 0)[0], 3);
  EXPECT_EQ(image.at(2, 0), field_picture(trigon::full({1, 1}, 0.5), 0, 1).at(0, 0));
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
