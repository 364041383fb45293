// SPDX-License-Identifier: MIT
#include "cart_pole.hpp"

#include <trigon/trigon.hpp>

#include "environment.hpp"

namespace simulate {

using trigon::Tensor;

CartPole::State CartPole::start(std::int64_t elements, std::int64_t seed) const {
  const auto near_zero = [&](int k) {
    return trigon::random::uniform(trigon::Scalar(4 * seed + k), {elements}, -0.05, 0.05);
  };
  State s{near_zero(0), near_zero(1), near_zero(2), near_zero(3), trigon::zeros({elements})};
  trigon::eval(trigon::tree_leaves(s));
  return s;
}

Tensor CartPole::observe(const State& s) const {
  return trigon::stack({s.place, s.speed, s.angle, s.spin}, 1);
}

CartPole::State CartPole::act(const State& s, const Tensor& action) const {
  constexpr double gravity = 9.8;
  constexpr double pole = 0.1;          // kg
  constexpr double total = pole + 1.0;  // kg, with the cart
  constexpr double half_length = 0.5;   // m, of the pole
  constexpr double push = 10.0;         // N
  constexpr double dt = 0.02;           // s
  constexpr double moment = pole * half_length;
  const Tensor force = where(action == 1, push, -push);
  const Tensor c = cos(s.angle);
  const Tensor sine = sin(s.angle);
  const Tensor pushed = (force + moment * square(s.spin) * sine) * (1.0 / total);
  const Tensor falling = gravity * sine;
  const Tensor torque = falling - c * pushed;
  const Tensor turning = torque / (half_length * (4.0 / 3.0 - (pole / total) * square(c)));
  const Tensor gaining = pushed - (moment / total) * turning * c;
  return {s.place + dt * s.speed, s.speed + dt * gaining, s.angle + dt * s.spin,
          s.spin + dt * turning, s.score + 1.0};
}

Tensor CartPole::goes_on(const State& s) const {
  constexpr double limit = 2.4;                                   // m
  constexpr double tilt = 12.0 * 2.0 * 3.14159265358979 / 360.0;  // radians
  const Tensor is_near = abs(s.place) <= limit;
  return logical_and(is_near, abs(s.angle) <= tilt);
}

std::vector<Value> CartPole::values(const State& s) const {
  return {{"place", s.place},
          {"speed", s.speed},
          {"angle", s.angle},
          {"spin", s.spin},
          {"score", s.score}};
}

std::unique_ptr<Simulation> make_cart_pole(const Settings& settings) {
  return std::make_unique<EvolvedWorld<CartPole>>(
      make_environment(CartPole{}, settings.elements, settings.seed), settings);
}

}  // namespace simulate
