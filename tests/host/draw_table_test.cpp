// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "plans.hpp"
#include "support/gpt_step.hpp"

// How many draws well-known programs take on llvmpipe and on a GPU, with the default limits.

namespace trigon {
namespace {

using plan::Plan;
using Tensors = std::vector<Tensor>;

/// Expects that the roots take at most so many draws on both devices.
void expect_draws(const Tensors& roots, std::int64_t most) {
  for (const plan::Target& target : {plan::llvmpipe(), plan::h200()}) {
    EXPECT_LE(draws(plan_of(roots, target)), most) << target.max_side;
  }
}

TEST(DrawTable, TwoCoupledStates) {
  Tensor o = host_leaf({64, 64}), t = host_leaf({64, 64});
  for (int step = 0; step < 256; ++step) {
    o = o - 0.01 * sin(t);
    t = t + 0.01 * o;
  }
  expect_draws({o, t}, 1);
  expect_draws({t}, 1);
}

TEST(DrawTable, AdamOfOneParameter) {
  Tensor p = host_leaf({512, 512}), m = host_leaf({512, 512}), v = host_leaf({512, 512});
  const Tensor g = host_leaf({512, 512});
  m = m * 0.9 + g * 0.1;
  v = v * 0.999 + g * g * 0.001;
  p = p - 0.001 * (m / Scalar(0.9)) / (sqrt(v / Scalar(0.99)) + 1e-8);
  expect_draws({p, m, v}, 1);
  EXPECT_EQ(fetches(plan_of(Tensors{p, m, v}, plan::llvmpipe())), 4 * 512 * 512 / 4);
}

TEST(DrawTable, ThreeReductionsOrRootsOfTheSameInputs) {
  const Tensor x = host_leaf({512, 512}), y = host_leaf({512, 512});
  expect_draws({sum(x, 1), max(x, 1), min(x, 1)}, 1);
  expect_draws({x + y, x * y, x - y}, 1);
}

TEST(DrawTable, LstmCell) {
  Tensor h = host_leaf({32, 64}), c = host_leaf({32, 64});
  const Tensor u = host_leaf({256, 64}), b = host_leaf({256}), x = host_leaf({10, 32, 256});
  for (int step = 0; step < 10; ++step) {
    const Tensor gates = x[step] + nn::linear(h, u, b);
    const auto g = split(gates, 4, 1);
    c = sigmoid(g[0]) * c + sigmoid(g[1]) * tanh(g[2]);
    h = sigmoid(g[3]) * tanh(c);
  }
  expect_draws({h, c}, 20);
}

TEST(DrawTable, ATurnedProductAndTheSameTwice) {
  const Tensor a = host_leaf({64, 96}), w = host_leaf({96, 128});
  expect_draws({matmul(a, w).T() * 2.0}, 1);
  expect_draws({matmul(a, w) * 2.0, matmul(a, w) * 2.0}, 1);
}

TEST(DrawTable, GradientsOfNorms) {
  const Tensor x = host_leaf({256, 768});
  expect_draws({grad([](const Tensor& a) { return sum(square(nn::layer_norm(a))); }, x)}, 3);
  expect_draws({grad([](const Tensor& a) { return sum(square(nn::softmax(a))); }, x)}, 3);
}

TEST(DrawTable, GradientOfALinearWeight) {
  const Tensor w = host_leaf({512, 256});
  for (const auto& [x, dy] : {std::pair(host_leaf({128, 256}), host_leaf({128, 512})),
                              std::pair(host_leaf({2, 64, 256}), host_leaf({2, 64, 512}))}) {
    const Vjp at = vjp([input = x](Tensor weight) { return nn::linear(input, weight); }, w);
    expect_draws({at.pullback(dy)}, 1);
  }
}

TEST(DrawTable, GradientsOfATreeCostNoMoreThanThoseByHand) {
  struct Network {
    Tensor w1, b1, w2, b2;
  };
  const Network net{host_leaf({64, 32}), host_leaf({64}), host_leaf({8, 64}), host_leaf({8})};
  const Tensor x = host_leaf({128, 32}), y = host_leaf({128, 8});
  const auto loss_of = [&](const Network& p) {
    const Tensor h = tanh(nn::linear(x, p.w1, p.b1));
    return mean(square(nn::linear(h, p.w2, p.b2) - y));
  };
  const auto [loss, g] = value_and_grad(loss_of)(net);

  const Tensor h = tanh(nn::linear(x, net.w1, net.b1));  // (128, 64)
  const Tensor error = nn::linear(h, net.w2, net.b2) - y;
  const Tensor d2 = error * (2.0 / (128 * 8));
  const Tensor d1 = matmul(d2, net.w2) * (1.0 - square(h));
  const Tensors by_hand = {mean(square(error)), matmul(d1.T(), x), sum(d1, 0), matmul(d2.T(), h),
                           sum(d2, 0)};
  for (const plan::Target& target : {plan::llvmpipe(), plan::h200()}) {
    EXPECT_LE(draws(plan_of(Tensors{loss, g.w1, g.b1, g.w2, g.b2}, target)),
              draws(plan_of(by_hand, target)))
        << target.max_side;
  }
}

TEST(DrawTable, TrainingStepOfAGpt) {
  const support::GptSize size;
  const Tensors parameters =
      support::gpt_parameters(size, [](const Shape& shape) { return host_leaf(shape); });
  const Tensor ids = host_leaf({2, 16}, int32), targets = host_leaf({2, 16, 64});
  expect_draws(support::gpt_step(size, parameters, ids, targets, Scalar(0.1)), 450);
}

TEST(DrawTable, MandelbrotByALoop) {
  const Tensor cr = host_leaf({256, 256}), ci = host_leaf({256, 256});
  Tensor zr = zeros({256, 256}), zi = zeros({256, 256}), count = zeros({256, 256});
  for (int step = 0; step < 200; ++step) {
    const Tensor inside = zr * zr + zi * zi < 4.0;
    const Tensor next_r = zr * zr - zi * zi + cr;
    const Tensor next_i = 2.0 * zr * zi + ci;
    zr = where(inside, next_r, zr);
    zi = where(inside, next_i, zi);
    count = where(inside, count + 1.0, count);
  }
  // The last count reads a mask that the other states hold, too; then it is no part of the loop.
  expect_draws({count}, 2);
  expect_draws({zr, zi, count}, 1);
  EXPECT_LT(instructions(plan_of(Tensors{zr, zi, count}, plan::llvmpipe())), 100u);
}

Tensor rolled(const Tensor& x, std::int64_t by, int axis) {
  const std::int64_t n = x.shape()[axis];
  const std::int64_t from = (n - by) % n;
  const auto part = [&](const Slice& slice) {
    return axis == 0 ? x[slice] : x.at(ellipsis, slice).get();
  };
  return concatenate({part(Slice{from}), part(Slice{0, from})}, axis);
}

TEST(DrawTable, LifeByRolls) {
  Tensor life = host_leaf({256, 256});
  for (int step = 0; step < 8; ++step) {
    const Tensor up = rolled(life, 1, 0), down = rolled(life, 255, 0);
    Tensor sum = up + down;
    for (const Tensor& row : {life, up, down}) sum = sum + rolled(row, 1, 1) + rolled(row, 255, 1);
    life = where(sum == 3.0, 1.0, where(sum == 2.0, life, 0.0));
  }
  expect_draws({life}, 9);
}

TEST(DrawTable, FourStencils) {
  constexpr std::int64_t n = 1024;
  Tensor x = host_leaf({n, n});
  for (int step = 0; step < 4; ++step) {
    const Tensor padded = pad(x, std::vector<PadWidth>{{1, 1}, {1, 1}});
    const auto at = [&](int dy, int dx) {
      return padded.at(Slice{1 + dy, 1 + dy + n}, Slice{1 + dx, 1 + dx + n}).get();
    };
    x = tanh(0.5 * at(0, 0) + 0.125 * (at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1)));
  }
  EXPECT_LE(fetches(plan_of(x, plan::llvmpipe())), 24 * n * n / 4);
}

TEST(DrawTable, FactorsUnderABroadcastSumAreComputedOnce) {
  const Tensor a = host_leaf({256, 256}), b = host_leaf({256, 256});
  const auto f = [](const Tensor& x) { return tanh(exp(sin(x)) + sigmoid(x)); };
  expect_draws({sum(expand_dims(f(a), 2) * expand_dims(f(b), 0), 1)}, 2);
}

TEST(DrawTable, WritesInPlaceArePlannedInLinearTime) {
  Tensor x = host_leaf({64, 64});
  for (int step = 0; step < 8000; ++step) x = x.at(step % 64).set(host_leaf({64}));
  const Plan plan = plan_of(x, plan::llvmpipe());
  EXPECT_EQ(draws(plan), 8000);
  for (const plan::Step& step : plan.steps) EXPECT_TRUE(step.outputs[0].in_place);
}

}  // namespace
}  // namespace trigon
