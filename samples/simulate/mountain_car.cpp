// SPDX-License-Identifier: MIT
#include "mountain_car.hpp"

#include <trigon/trigon.hpp>

#include "environment.hpp"

namespace simulate {

using trigon::Tensor;

MountainCar::State MountainCar::start(std::int64_t elements, std::int64_t seed) const {
  const Tensor place = trigon::random::uniform(trigon::Scalar(seed), {elements}, -0.6, -0.4);
  State s{place, trigon::zeros({elements}), place, trigon::zeros({elements})};
  trigon::eval(trigon::tree_leaves(s));
  return s;
}

// Scales both to about 1.
Tensor MountainCar::observe(const State& s) const {
  return trigon::stack({s.place + 0.5, s.speed * 15.0}, 1);
}

MountainCar::State MountainCar::act(const State& s, const Tensor& action) const {
  constexpr double force = 0.001;
  constexpr double gravity = 0.0025;
  const Tensor push = (action.astype(trigon::float32) - 1.0) * force;
  const Tensor pushed = s.speed + push;
  const Tensor speed = clip(pushed - gravity * cos(3.0 * s.place), -0.07, 0.07);
  const Tensor place = clip(s.place + speed, -1.2, 0.6);
  const Tensor is_left = place <= -1.2;
  const Tensor hits = logical_and(is_left, speed < 0.0);  // the wall on the left
  return {place, where(hits, 0.0, speed), maximum(s.highest, place), s.score - 1.0};
}

Tensor MountainCar::goes_on(const State& s) const { return s.place < 0.5; }

// The reward alone would be the same for all cars that never arrive.
Tensor MountainCar::fitness(const State& s) const { return s.score + s.highest; }

std::vector<Value> MountainCar::values(const State& s) const {
  return {{"place", s.place}, {"speed", s.speed}, {"score", s.score}};
}

std::unique_ptr<Simulation> make_mountain_car(const Settings& settings) {
  return std::make_unique<EvolvedWorld<MountainCar>>(
      make_environment(MountainCar{}, settings.elements, settings.seed), settings);
}

}  // namespace simulate
