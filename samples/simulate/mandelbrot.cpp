// SPDX-License-Identifier: MIT
#include "mandelbrot.hpp"

#include <algorithm>
#include <limits>

#include <trigon/trigon.hpp>

#include "looped.hpp"
#include "picture.hpp"

namespace simulate {

using trigon::Scalar;
using trigon::Tensor;

Mandelbrot::State Mandelbrot::start(const Region& region) const {
  const Tensor zero = trigon::zeros({side, side});
  return {zero, zero, trigon::zeros({side, side}, trigon::int32), region};
}

Mandelbrot::Points Mandelbrot::points(const Region& region) const {
  const Tensor away = trigon::linspace(-0.5, 0.5, side) * Scalar(region.width);
  return {Scalar(region.x) + away, expand_dims(Scalar(region.y) - away, 1)};
}

Tensor Mandelbrot::goes_on(const State& s) const {
  const Tensor x_2 = s.x * s.x;
  return x_2 + s.y * s.y <= 4.0;
}

Mandelbrot::State Mandelbrot::next(const State& s) const {
  const auto [cx, cy] = points(s.region);
  const Tensor x_2 = s.x * s.x;
  return {x_2 - s.y * s.y + cx, 2.0 * s.x * s.y + cy, s.count + 1, s.region};
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
  const auto [cx, cy] = points(s.region);
  auto results = kernel.call({cx, cy, s.x, s.y, s.count, Scalar(steps)});
  return {results[0], results[1], results[2], s.region};
}

std::vector<Value> Mandelbrot::values(const State& s) const { return {{"count", s.count}}; }

Tensor Mandelbrot::picture(const State& s) const {
  // After three more steps |z| is so large that log2(log2(|z|)) gives the fraction between two
  // steps.
  const auto [cx, cy] = points(s.region);
  Tensor x = s.x;
  Tensor y = s.y;
  for (int k = 0; k < 3; ++k) {
    const Tensor x_2 = x * x;
    const Tensor next = x_2 - y * y + cx;
    y = 2.0 * x * y + cy;
    x = next;
  }
  const Tensor x_2 = x * x;
  const Tensor whole = s.count.astype(trigon::float32) + 4.0;
  const Tensor steps = whole - log2(0.5 * log2(x_2 + y * y));
  const Tensor colours = cyclic_colours(0.18 * log2(maximum(steps, 1.0)));
  return where(expand_dims(goes_on(s), -1), 0.0, colours);
}

Mandelbrot::State Mandelbrot::touched(const State& s, const Touch& touch, std::int64_t) const {
  if (touch.dx == 0.0 && touch.dy == 0.0) return s;
  Region next = s.region;
  next.x = std::clamp(next.x - touch.dx * next.width, -2.0, 2.0);
  next.y = std::clamp(next.y + touch.dy * next.width, -2.0, 2.0);
  return start(next);
}

Mandelbrot::State Mandelbrot::zoomed(const State& s, const Zoom& zoom) const {
  Region next = s.region;
  next.width = std::clamp(next.width / zoom.factor, least_width(side), most_width);
  next.x = std::clamp(next.x + (zoom.x - 0.5) * (s.region.width - next.width), -2.0, 2.0);
  next.y = std::clamp(next.y - (zoom.y - 0.5) * (s.region.width - next.width), -2.0, 2.0);
  return start(next);
}

double Mandelbrot::least_width(std::int64_t side) {
  return 2.0 * std::numeric_limits<float>::epsilon() * static_cast<double>(side);
}

std::unique_ptr<Simulation> make_mandelbrot(const Settings& settings) {
  return std::make_unique<Looped<Mandelbrot>>(Mandelbrot{settings.elements, settings.region},
                                              settings.report);
}

}  // namespace simulate
