// SPDX-License-Identifier: MIT
#include "life.hpp"

#include <algorithm>

#include <trigon/image.hpp>
#include <trigon/trigon.hpp>

#include "grid.hpp"
#include "looped.hpp"

namespace simulate {

using trigon::Tensor;

Life::Life(std::int64_t side, std::int64_t seed) {
  const Tensor noise = trigon::random::uniform(trigon::Scalar(seed), {side, side});
  initial.alive = (noise < 0.3).astype(trigon::float32).eval();
}

Life::State Life::next(const State& s, const Tensor&) const {
  const Tensor count = Neighbours(s.alive, 0.0).sum_of_8();
  const Tensor is_alive = s.alive == 1.0;
  const Tensor stays = logical_and(is_alive, count == 2.0);
  return {logical_or(count == 3.0, stays).astype(trigon::float32)};
}

Tensor Life::picture(const State& s) const {
  const Tensor light = 0.75 * s.alive;
  return trigon::cm::magma(light + 0.03 * Neighbours(s.alive, 0.0).sum_of_8());
}

Life::State Life::touched(const State& s, const Touch& touch, std::int64_t steps) const {
  const std::int64_t side = s.alive.shape()[0];
  const double radius = std::max(2.0, 0.02 * static_cast<double>(side));
  const Tensor luck = trigon::random::uniform(trigon::Scalar(steps), {side, side});
  const Tensor is_near = squared_distances(side, touch) < radius * radius;
  const Tensor born = logical_and(is_near, luck < 0.5);
  return evaluated(State{maximum(s.alive, born.astype(trigon::float32))});
}

std::unique_ptr<Simulation> make_life(const Settings& settings) {
  return std::make_unique<Looped<Life>>(Life(settings.elements, settings.seed), settings.report);
}

}  // namespace simulate
