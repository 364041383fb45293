// SPDX-License-Identifier: MIT
// The worlds and their policies against plain C++ in double.
#include <array>
#include <cstdint>

#include "../acrobot.hpp"
#include "../cart_pole.hpp"
#include "../environment.hpp"
#include "../mountain_car.hpp"
#include "../policy.hpp"
#include "support.hpp"

namespace simulate {
namespace {

using test::Doubles;
using test::doubles;
using test::expect_near;
using trigon::Tensor;

constexpr std::int64_t elements = 9;
constexpr int steps = 12;

Tensor action_of(int step) {
  std::vector<std::int32_t> actions;
  for (int k = 0; k < elements; ++k) actions.push_back((k + step * step) % 3);
  return trigon::tensor(actions, {elements});
}

TEST(SimulateCartPole, MovesAsGymDoes) {
  const CartPole world;
  CartPole::State s = world.start(elements, 3);
  Doubles x = doubles(s.place), v = doubles(s.speed), a = doubles(s.angle), w = doubles(s.spin);
  for (int step = 0; step < steps; ++step) {
    const Tensor action = action_of(step);
    const auto chosen = action.to_vector<std::int32_t>();
    s = world.act(s, action);
    for (std::size_t k = 0; k < elements; ++k) {
      const double force = chosen[k] == 1 ? 10.0 : -10.0;
      const double temp = (force + 0.05 * w[k] * w[k] * std::sin(a[k])) / 1.1;
      const double turning = (9.8 * std::sin(a[k]) - std::cos(a[k]) * temp) /
                             (0.5 * (4.0 / 3.0 - 0.1 * std::cos(a[k]) * std::cos(a[k]) / 1.1));
      const double gaining = temp - 0.05 * turning * std::cos(a[k]) / 1.1;
      x[k] += 0.02 * v[k];
      v[k] += 0.02 * gaining;
      a[k] += 0.02 * w[k];
      w[k] += 0.02 * turning;
    }
  }
  expect_near(s.place, x);
  expect_near(s.speed, v);
  expect_near(s.angle, a);
  expect_near(s.spin, w, 1e-4);
  expect_near(s.score, Doubles(elements, steps));
}

TEST(SimulateCartPole, EndsWhereTheCartOrThePoleIsLost) {
  const Tensor zero = trigon::zeros({4});
  CartPole::State s{trigon::tensor<float>({2.39F, -2.41F, 0, 0}), zero,
                    trigon::tensor<float>({0, 0, 0.2094F, -0.2095F}), zero, zero};
  EXPECT_EQ(CartPole().goes_on(s).to_vector<bool>(), (std::vector<bool>{true, false, true, false}));
}

TEST(SimulateMountainCar, MovesAsGymDoes) {
  const MountainCar world;
  MountainCar::State s = world.start(elements, 5);
  Doubles x = doubles(s.place), v = doubles(s.speed);
  for (int step = 0; step < steps; ++step) {
    const Tensor action = action_of(step);
    const auto chosen = action.to_vector<std::int32_t>();
    s = world.act(s, action);
    for (std::size_t k = 0; k < elements; ++k) {
      v[k] += (chosen[k] - 1) * 0.001 - 0.0025 * std::cos(3 * x[k]);
      v[k] = std::clamp(v[k], -0.07, 0.07);
      x[k] = std::clamp(x[k] + v[k], -1.2, 0.6);
      if (x[k] == -1.2 && v[k] < 0) v[k] = 0;
    }
  }
  expect_near(s.place, x);
  expect_near(s.speed, v);
}

TEST(SimulateMountainCar, StopsAtTheWall) {
  const Tensor one = trigon::tensor<float>({-1.19F});
  const MountainCar::State s{one, trigon::tensor<float>({-0.05F}), one, trigon::zeros({1})};
  const MountainCar::State next = MountainCar().act(s, trigon::zeros({1}, trigon::int32));
  expect_near(next.place, {-1.2});
  EXPECT_EQ(next.speed.item(), 0.0F);
}

using Motion = std::array<double, 4>;

// gym's acrobot, "book" dynamics.
Motion change(const Motion& m, double torque) {
  const double pi = std::acos(-1.0);
  const auto [t1, t2, w1, w2] = m;
  const double d1 = 0.25 + (1 + 0.25 + 2 * 0.5 * std::cos(t2)) + 2;
  const double d2 = 0.25 + 0.5 * std::cos(t2) + 1;
  const double phi2 = 0.5 * 9.8 * std::cos(t1 + t2 - pi / 2);
  const double phi1 = -0.5 * w2 * w2 * std::sin(t2) - 2 * 0.5 * w2 * w1 * std::sin(t2) +
                      1.5 * 9.8 * std::cos(t1 - pi / 2) + phi2;
  const double a2 =
      (torque + d2 / d1 * phi1 - 0.5 * w1 * w1 * std::sin(t2) - phi2) / (0.25 + 1 - d2 * d2 / d1);
  return {w1, w2, -(d2 * a2 + phi1) / d1, a2};
}

Motion plus(const Motion& m, const Motion& d, double time) {
  return {m[0] + d[0] * time, m[1] + d[1] * time, m[2] + d[2] * time, m[3] + d[3] * time};
}

double wrap(double x) {
  const double pi = std::acos(-1.0);
  while (x > pi) x -= 2 * pi;
  while (x < -pi) x += 2 * pi;
  return x;
}

Motion after(const Motion& m, double torque, bool euler) {
  const double dt = euler ? 0.05 : 0.2;
  const Motion k1 = change(m, torque);
  Motion next = plus(m, k1, dt);
  if (!euler) {
    const Motion k2 = change(plus(m, k1, dt / 2), torque);
    const Motion k3 = change(plus(m, k2, dt / 2), torque);
    const Motion k4 = change(plus(m, k3, dt), torque);
    next = plus(plus(plus(plus(m, k1, dt / 6), k2, dt / 3), k3, dt / 3), k4, dt / 6);
  }
  const double pi = std::acos(-1.0);
  return {wrap(next[0]), wrap(next[1]), std::clamp(next[2], -4 * pi, 4 * pi),
          std::clamp(next[3], -9 * pi, 9 * pi)};
}

class SimulateAcrobot : public testing::TestWithParam<bool> {};

TEST_P(SimulateAcrobot, MovesAsGymDoes) {
  const Acrobot world{GetParam()};
  Acrobot::State s = world.start(elements, 7);
  std::array<Doubles, 4> m = {doubles(s.motion.angle1), doubles(s.motion.angle2),
                              doubles(s.motion.spin1), doubles(s.motion.spin2)};
  for (int step = 0; step < steps; ++step) {
    const Tensor action = action_of(step);
    const auto chosen = action.to_vector<std::int32_t>();
    s = world.act(s, action);
    for (std::size_t k = 0; k < elements; ++k) {
      const Motion next = after({m[0][k], m[1][k], m[2][k], m[3][k]}, chosen[k] - 1, GetParam());
      for (std::size_t row = 0; row < 4; ++row) m[row][k] = next[row];
    }
  }
  expect_near(s.motion.angle1, m[0], 1e-4);
  expect_near(s.motion.angle2, m[1], 1e-4);
  expect_near(s.motion.spin1, m[2], 1e-4);
  expect_near(s.motion.spin2, m[3], 1e-4);
  expect_near(s.score, Doubles(elements, -steps));
}

INSTANTIATE_TEST_SUITE_P(Integrators, SimulateAcrobot, testing::Bool(),
                         [](const auto& one) { return one.param ? "Euler" : "RungeKutta"; });

TEST(SimulateAcrobotEnd, IsWhereTheTipIsHighEnough) {
  const Tensor zero = trigon::zeros({2});
  const Tensor half_turn = trigon::tensor<float>({3.1F, 0.1F});
  const Acrobot::State s{{half_turn, zero, zero, zero}, zero};
  EXPECT_EQ(Acrobot().goes_on(s).to_vector<bool>(), (std::vector<bool>{false, true}));
}

TEST(SimulateAcrobotPicture, ShowsTheLinks) {
  const Tensor zero = trigon::zeros({2});
  const Tensor angles = trigon::tensor<float>({3.14159265F, 1.57079633F});
  const test::Pixels image(Acrobot().picture({{angles, zero, zero, zero}, zero}));
  const int middle = image.width / 2;
  const auto up = image.at(middle, middle - 150);
  const auto right = image.at(middle + 150, middle);
  EXPECT_GT(up[0], up[2]);                                    // gold: high enough
  EXPECT_GT(right[2], right[0]);                              // blue
  EXPECT_EQ(image.at(middle, middle + 150), image.at(1, 1));  // nothing hangs down
}

TEST(SimulatePolicy, HasTheWeightsOfItsLayers) {
  EXPECT_EQ(Acrobot::layers.weights(), 163);
  EXPECT_EQ(MountainCar::layers.weights(), 51);
  EXPECT_EQ(CartPole::layers.weights(), 58);
}

TEST(SimulatePolicy, IsATanhBetweenTwoLinearLayers) {
  const Layers layers{3, 5, 2};
  const Policy policy = random_policy(2, layers, 1);
  const Tensor x = trigon::tensor<float>({0.5F, -1, 2, 0.25F, 0, -0.5F}, {2, 3});
  const Doubles in = doubles(policy.in), in_bias = doubles(policy.in_bias);
  const Doubles out = doubles(policy.out), out_bias = doubles(policy.out_bias);
  const Doubles seen = doubles(x);
  Doubles expected;
  for (std::size_t element = 0; element < 2; ++element) {
    for (std::size_t o = 0; o < 2; ++o) {
      double sum = out_bias[element * 2 + o];
      for (std::size_t h = 0; h < 5; ++h) {
        double v = in_bias[element * 5 + h];
        for (std::size_t k = 0; k < 3; ++k)
          v += seen[element * 3 + k] * in[(element * 3 + k) * 5 + h];
        sum += std::tanh(v) * out[(element * 5 + h) * 2 + o];
      }
      expected.push_back(sum);
    }
  }
  expect_near(policy(x), expected);
}

TEST(SimulateEvolution, KeepsTheFittestAsItIs) {
  const Policy parents = random_policy(16, {2, 8, 3}, 4);
  std::vector<float> fitness(16, -1.0F);
  fitness[11] = 5.0F;
  fitness[3] = std::nanf("");
  const Policy children = breed(parents, trigon::tensor(fitness, {16}), 9);
  EXPECT_EQ(doubles(children.in[0]), doubles(parents.in[11]));
  EXPECT_EQ(doubles(children.out_bias[0]), doubles(parents.out_bias[11]));
  EXPECT_NE(doubles(children.in[1]), doubles(children.in[2]));
}

TEST(SimulateEvolution, SolvesCartPole) {
  const Settings settings{.elements = 256, .steps = 500, .seed = 1};
  const auto simulation = make_cart_pole(settings);
  Generation reached;
  for (int k = 0; k < 30 && !reached.solved; ++k) reached = *simulation->evolve();
  EXPECT_TRUE(reached.solved) << *reached.check;
}

}  // namespace
}  // namespace simulate
