// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <trigon/tensor.hpp>

namespace simulate {

using Colour = std::array<std::uint8_t, 3>;  ///< red, green, blue

/// Pixels in rows from the top, for pictures painted point by point on the host.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<Colour> pixels{};

  Image() = default;
  Image(int columns, int rows, Colour fill = {0, 0, 0});
  Colour& at(int x, int y) { return pixels[static_cast<std::size_t>(y) * width + x]; }
  const Colour& at(int x, int y) const { return pixels[static_cast<std::size_t>(y) * width + x]; }
};

/// Adds light to a pixel; does nothing outside the image.
void add_light(Image& image, int x, int y, Colour light);

/// Adds light along a line between two points, once to each pixel.
void add_line(Image& image, double x0, double y0, double x1, double y1, Colour light);

/// Curves over the same axis, the first in gold, the second in blue; dotted lines are quarters of
/// the range of all values. NaN and infinities are left out.
Image curve_picture(std::span<const std::vector<double>> curves, int width = 640, int height = 400);

/// The same as a tensor (height, width, 3): float32 from 0 to 1.
trigon::Tensor to_tensor(const Image& image);

/// A cycle of blue, white and gold for x from 0 to 1; periodic.
///
/// x : float32, any shape. Returns (..., 3) float32 from 0 to 1.
trigon::Tensor cyclic_colours(const trigon::Tensor& x);

}  // namespace simulate
