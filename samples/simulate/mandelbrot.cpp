// SPDX-License-Identifier: MIT
#include "mandelbrot.hpp"

#include <algorithm>
#include <cmath>

#include <trigon/trigon.hpp>

#include "looped.hpp"

namespace simulate {

using trigon::Tensor;

Mandelbrot::Mandelbrot(std::int64_t n)
    : side(n),
      cx(trigon::linspace(-2.2, 0.8, n)),
      cy(expand_dims(trigon::linspace(-1.5, 1.5, n), 1)) {}

Mandelbrot::State Mandelbrot::start() const {
  const Tensor zero = trigon::zeros({side, side});
  return {zero, zero, trigon::zeros({side, side}, trigon::int32)};
}

Tensor Mandelbrot::goes_on(const State& s) const { return s.x * s.x + s.y * s.y <= 4.0; }

Mandelbrot::State Mandelbrot::next(const State& s) const {
  return {s.x * s.x - s.y * s.y + cx, 2.0 * s.x * s.y + cy, s.count + 1};
}

Mandelbrot::State Mandelbrot::by_hand(const State& s, std::int64_t, std::int64_t steps) const {
  static const trigon::ElementwiseKernel kernel(
      "float32 cx, float32 cy, float32 x0, float32 y0, int32 n0, int32 steps",
      "float32 x, float32 y, int32 n", R"(
        x = x0;
        y = y0;
        n = n0;
        for (int k = 0; k < steps; ++k) {
          if (x * x + y * y > 4.0) break;
          float next = x * x - y * y + cx;
          y = 2.0 * x * y + cy;
          x = next;
          ++n;
        })",
      "mandelbrot");
  auto results = kernel.call({cx, cy, s.x, s.y, s.count, trigon::Scalar(steps)});
  return {results[0], results[1], results[2]};
}

std::vector<Value> Mandelbrot::values(const State& s) const { return {{"count", s.count}}; }

Image Mandelbrot::picture(const State& s) const {
  const std::vector<std::int32_t> counts = s.count.to_vector<std::int32_t>();
  const std::int32_t most = *std::max_element(counts.begin(), counts.end());
  Image image(static_cast<int>(side), static_cast<int>(side));
  for (std::size_t k = 0; k < counts.size(); ++k) {
    // Those that are left are taken for points of the set.
    if (counts[k] < most) image.pixels[k] = cyclic_colour(0.18 * std::log2(1.0 + counts[k]));
  }
  return image;
}

std::unique_ptr<Simulation> make_mandelbrot(const Settings& settings) {
  return std::make_unique<Looped<Mandelbrot>>(Mandelbrot(settings.lanes), settings.report);
}

}  // namespace simulate
