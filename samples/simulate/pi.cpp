// SPDX-License-Identifier: MIT
#include "pi.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <trigon/trigon.hpp>

#include "keys.hpp"
#include "looped.hpp"
#include "picture.hpp"

namespace simulate {

using trigon::Tensor;

Pi::State Pi::start() const { return {trigon::zeros({elements}, trigon::int32)}; }

Pi::Points Pi::points(const Tensor& step) const {
  const Tensor key = seed;
  return {uniform(fold_in(key, step * 2), {elements}),
          uniform(fold_in(key, step * 2 + 1), {elements})};
}

Pi::State Pi::next(const State& s, const Tensor& step) const {
  const auto [x, y] = points(step);
  const Tensor x_2 = x * x;
  return {s.inside + (x_2 + y * y < 1.0).astype(trigon::int32)};
}

std::vector<Value> Pi::values(const State& s) const { return {{"inside", s.inside}}; }

Tensor Pi::picture(const State&, std::int64_t steps) const {
  constexpr int side = 400;
  constexpr std::int64_t most = 65'536;    // points
  constexpr std::int64_t most_steps = 64;  // each is read back by itself
  const std::int64_t shown =
      std::min({steps, most_steps, std::max<std::int64_t>(1, most / elements)});
  Image image(side, side, {6, 7, 14});
  for (std::int64_t step = steps - shown; step < steps; ++step) {
    const Points drawn = points(trigon::Scalar(step));
    const std::vector<float> x = drawn.x.to_vector<float>();
    const std::vector<float> y = drawn.y.to_vector<float>();
    for (std::size_t k = 0; k < x.size(); ++k) {
      const bool inside = x[k] * x[k] + y[k] * y[k] < 1.0F;
      add_light(image, static_cast<int>(x[k] * side), side - 1 - static_cast<int>(y[k] * side),
                inside ? Colour{200, 145, 45} : Colour{45, 90, 190});
    }
  }
  return to_tensor(image);
}

std::string Pi::summary(const State& s, std::int64_t steps) const {
  double inside = 0;
  for (const std::int32_t n : s.inside.to_vector<std::int32_t>()) inside += n;
  const double samples = static_cast<double>(elements) * static_cast<double>(steps);
  return fmt::format("pi is about {:.6f}", 4.0 * inside / samples);
}

std::unique_ptr<Simulation> make_pi(const Settings& settings) {
  return std::make_unique<Looped<Pi>>(Pi{settings.elements, trigon::Scalar(settings.seed)},
                                      settings.report);
}

}  // namespace simulate
