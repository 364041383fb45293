// SPDX-License-Identifier: MIT
#include "life.hpp"

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
  const Tensor stays = logical_and(s.alive == 1.0, count == 2.0);
  return {logical_or(count == 3.0, stays).astype(trigon::float32)};
}

Image Life::picture(const State& s) const { return field_picture(s.alive, 0.0, 1.0); }

std::unique_ptr<Simulation> make_life(const Settings& settings) {
  return std::make_unique<Looped<Life>>(Life(settings.lanes, settings.seed), settings.report);
}

}  // namespace simulate
