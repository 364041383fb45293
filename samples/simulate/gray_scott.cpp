// SPDX-License-Identifier: MIT
#include "gray_scott.hpp"

#include <algorithm>

#include <trigon/image.hpp>
#include <trigon/trigon.hpp>

#include "grid.hpp"
#include "looped.hpp"

namespace simulate {

using trigon::Tensor;

GrayScott::GrayScott(std::int64_t side, std::int64_t seed) {
  const Tensor spots = discs(side, seed, 60, 0.012);
  initial = {(1.0 - 0.5 * spots).eval(), (0.25 * spots).eval()};
}

// Outside there is only U.
GrayScott::State GrayScott::next(const State& s, const Tensor&) const {
  const auto& [feed, kill] = parameters;
  const trigon::Scalar feed_rate = feed.value, removal = feed.value + kill.value;
  const auto around = [](const Tensor& x, double outside) {
    const Tensor sum = Neighbours(x, outside).sum_of_4();
    return sum - 4.0 * x;
  };
  const Tensor around_u = around(s.u, 1.0);
  const Tensor around_v = around(s.v, 0.0);
  const Tensor reaction = s.u * s.v * s.v;
  const Tensor u = s.u + spread_u * around_u - reaction;
  const Tensor v = s.v + spread_v * around_v + reaction;
  return {u + feed_rate * (1.0 - s.u), v - removal * s.v};
}

Tensor GrayScott::picture(const State& s) const { return trigon::cm::magma(2.5 * s.v); }

GrayScott::State GrayScott::touched(const State& s, const Touch& touch, std::int64_t) const {
  const std::int64_t side = s.u.shape()[0];
  const double radius = std::max(2.0, 0.015 * static_cast<double>(side));
  const Tensor within = squared_distances(side, touch) < radius * radius;
  return evaluated(State{where(within, 0.5, s.u), where(within, 0.25, s.v)});
}

std::unique_ptr<Simulation> make_gray_scott(const Settings& settings) {
  return std::make_unique<Looped<GrayScott>>(GrayScott(settings.elements, settings.seed),
                                             settings.report);
}

}  // namespace simulate
