// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace simulate {

using Colour = std::array<std::uint8_t, 3>;  ///< red, green, blue

/// Pixels in rows from the top.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<Colour> pixels{};

  Image() = default;
  Image(int columns, int rows, Colour fill = {0, 0, 0});
  Colour& at(int x, int y) { return pixels[static_cast<std::size_t>(y) * width + x]; }
  const Colour& at(int x, int y) const { return pixels[static_cast<std::size_t>(y) * width + x]; }
};

/// Black, violet, orange and pale yellow for x from 0 to 1, in rising brightness; x outside is
/// clamped and NaN is 0.
Colour heat_colour(double x);
/// A cycle of blue, white and gold for x from 0 to 1; periodic.
Colour cyclic_colour(double x);

/// A field of (height, width) in heat colours: `low` is the darkest, `high` the brightest.
Image field_picture(std::span<const float> field, int width, double low, double high);

/// Adds light to a pixel; outside of the image nothing happens.
void add_light(Image& image, int x, int y, Colour light);

/// Adds light along a line between two points, once to each pixel.
void add_line(Image& image, double x0, double y0, double x1, double y1, Colour light);

/// Curves over the same axis, the first in gold, the second in blue; dotted lines are quarters of
/// the range of all values. NaN and infinities are left out.
Image curve_picture(std::span<const std::vector<double>> curves, int width = 640, int height = 400);

/// Writes a PNG of 8 bits a channel. Raises trigon::Error with the file and libpng's words. Source:
/// libpng's simplified interface.
void write_png(const std::filesystem::path& file, const Image& image);

}  // namespace simulate
