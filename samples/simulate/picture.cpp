// SPDX-License-Identifier: MIT
#include "picture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <trigon/trigon.hpp>

namespace simulate {
namespace {

using trigon::Tensor;

std::pair<double, double> range_of(std::span<const std::vector<double>> curves) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const auto& curve : curves) {
    for (const double y : curve) {
      if (!std::isfinite(y)) continue;
      low = std::min(low, y);
      high = std::max(high, y);
    }
  }
  if (low > high) return {0.0, 1.0};
  return low == high ? std::pair(low - 0.5, high + 0.5) : std::pair(low, high);
}

// Calls f(x, y) with pixels of a line, with some of them twice.
template <class F>
void for_each_on_line(double x0, double y0, double x1, double y1, F&& f) {
  const int points =
      1 + static_cast<int>(std::ceil(std::max(std::abs(x1 - x0), std::abs(y1 - y0))));
  for (int k = 0; k <= points; ++k) {
    const double t = static_cast<double>(k) / points;
    f(static_cast<int>(std::lround(x0 + (x1 - x0) * t)),
      static_cast<int>(std::lround(y0 + (y1 - y0) * t)));
  }
}

void draw_line(Image& image, double x0, double y0, double x1, double y1, Colour colour) {
  for_each_on_line(x0, y0, x1, y1, [&](int x, int y) {
    for (const int below : {0, 1}) {
      if (x < 0 || x >= image.width || y + below < 0 || y + below >= image.height) continue;
      image.at(x, y + below) = colour;
    }
  });
}

}  // namespace

Image::Image(int columns, int rows, Colour fill)
    : width(columns), height(rows), pixels(static_cast<std::size_t>(columns) * rows, fill) {}

void add_light(Image& image, int x, int y, Colour light) {
  if (x < 0 || x >= image.width || y < 0 || y >= image.height) return;
  Colour& pixel = image.at(x, y);
  for (std::size_t k = 0; k < pixel.size(); ++k) {
    pixel[k] = static_cast<std::uint8_t>(std::min(255, pixel[k] + light[k]));
  }
}

void add_line(Image& image, double x0, double y0, double x1, double y1, Colour light) {
  int last_x = std::numeric_limits<int>::min();
  int last_y = last_x;
  for_each_on_line(x0, y0, x1, y1, [&](int x, int y) {
    if (x != last_x || y != last_y) add_light(image, x, y, light);
    last_x = x;
    last_y = y;
  });
}

Image curve_picture(std::span<const std::vector<double>> curves, int width, int height) {
  constexpr std::array<Colour, 2> colours = {{{255, 190, 60}, {90, 150, 255}}};
  constexpr int margin = 10;
  const auto [low, high] = range_of(curves);
  Image image(width, height, {18, 20, 28});
  for (int quarter = 0; quarter <= 4; ++quarter) {
    const int y = margin + (height - 2 * margin - 1) * quarter / 4;
    for (int x = margin; x < width - margin; x += 4) image.at(x, y) = {70, 74, 88};
  }
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const std::vector<double>& curve = curves[c];
    const double step = (width - 2.0 * margin) / std::max<double>(1.0, curve.size() - 1.0);
    const auto y_of = [&, bottom = low, range = high - low](double y) {
      return height - margin - 2 - (height - 2.0 * margin - 2) * (y - bottom) / range;
    };
    for (std::size_t k = 0; k < curve.size(); ++k) {
      const std::size_t last = k == 0 ? 0 : k - 1;
      if (!std::isfinite(curve[k]) || !std::isfinite(curve[last])) continue;
      draw_line(image, margin + step * last, y_of(curve[last]), margin + step * k, y_of(curve[k]),
                colours[c % colours.size()]);
    }
  }
  return image;
}

Tensor to_tensor(const Image& image) {
  const trigon::Shape shape{image.height, image.width, 3};
  const Tensor bytes = trigon::from_host(image.pixels.data(), trigon::uint8, shape);
  return bytes.astype(trigon::float32) / 255.0;
}

Tensor cyclic_colours(const Tensor& x) {
  // Red, green and blue at equal distances; between them, straight lines.
  constexpr double colours[3][6] = {{0.00, 0.13, 0.93, 1.00, 0.24, 0.00},
                                    {0.03, 0.42, 1.00, 0.67, 0.04, 0.03},
                                    {0.39, 0.80, 1.00, 0.00, 0.08, 0.39}};
  const Tensor place = (x - floor(x)) * 5.0;
  std::vector<Tensor> channels;
  for (const auto& channel : colours) {
    Tensor y = channel[0] + (channel[1] - channel[0]) * minimum(place, 1.0);
    for (int k = 1; k < 5; ++k) y = y + (channel[k + 1] - channel[k]) * clip(place - k, 0.0, 1.0);
    channels.push_back(y);
  }
  return trigon::stack(channels, -1);
}

}  // namespace simulate
