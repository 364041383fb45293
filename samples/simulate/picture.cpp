// SPDX-License-Identifier: MIT
#include "picture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <trigon/image.hpp>
#include <trigon/trigon.hpp>

namespace simulate {
namespace {

Colour mix(const Colour& a, const Colour& b, double t) {
  Colour c{};
  for (std::size_t k = 0; k < c.size(); ++k) {
    c[k] = static_cast<std::uint8_t>(std::lround(a[k] + (b[k] - a[k]) * t));
  }
  return c;
}

// Between equally spaced colours; x is in [0, 1].
Colour between(std::span<const Colour> colours, double x) {
  const double place = x * static_cast<double>(colours.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(place), colours.size() - 2);
  return mix(colours[low], colours[low + 1], place - static_cast<double>(low));
}

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

Colour cyclic_colour(double x) {
  constexpr std::array<Colour, 6> colours = {
      {{0, 7, 100}, {32, 107, 203}, {237, 255, 255}, {255, 170, 0}, {60, 10, 20}, {0, 7, 100}}};
  return between(colours, x - std::floor(x));
}

Image field_picture(const trigon::Tensor& field, double low, double high) {
  const trigon::Tensor share = (field.astype(trigon::float32) - low) / (high - low);
  const trigon::Tensor levels = floor(trigon::cm::magma(share) * 255.0 + 0.5);
  const auto [rows, columns] = field.shape().sizes<2>();
  Image image(static_cast<int>(columns), static_cast<int>(rows));
  levels.astype(trigon::uint8).read(image.pixels.data(), trigon::uint8);
  return image;
}

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

void save_png(const std::filesystem::path& file, const Image& image) {
  const trigon::Shape shape{image.height, image.width, 3};
  trigon::save_png(file, trigon::from_host(image.pixels.data(), trigon::uint8, shape));
}

}  // namespace simulate
