// SPDX-License-Identifier: MIT
#include "../picture.hpp"

#include <limits>

#include <trigon/trigon.hpp>

#include "support.hpp"

namespace simulate {
namespace {

TEST(SimulatePicture, IsATensorOfItsPixels) {
  Image image(2, 1);
  image.at(0, 0) = {51, 0, 255};
  image.at(1, 0) = {7, 102, 0};
  const trigon::Tensor found = to_tensor(image);
  EXPECT_EQ(found.shape(), (trigon::Shape{1, 2, 3}));
  test::expect_near(found, {0.2, 0, 1, 7.0 / 255, 0.4, 0});
}

TEST(SimulatePicture, CyclesAreWithoutASeam) {
  const test::Floats x = {0, 1, -2, 0.25F, 3.25F, 0.2F, 0.5F};
  const trigon::Tensor colours = cyclic_colours(trigon::tensor(x, {7}));
  EXPECT_EQ(colours.shape(), (trigon::Shape{7, 3}));
  const test::Pixels row(expand_dims(colours, 0));
  EXPECT_EQ(row.at(0, 0), row.at(1, 0));
  EXPECT_EQ(row.at(0, 0), row.at(2, 0));
  EXPECT_EQ(row.at(3, 0), row.at(4, 0));
  test::expect_near(colours[5], {0.13, 0.42, 0.8});
  test::expect_near(colours[6], {0.965, 0.835, 0.5});  // between white and gold
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
