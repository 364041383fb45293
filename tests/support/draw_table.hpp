// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "support/gpt_step.hpp"
#include "support/plans.hpp"

// Well-known programs, and their numbers of draws on llvmpipe and on a GPU.

namespace trigon::draw_table {

using Tensors = std::vector<Tensor>;

inline Tensors two_coupled_states() {
  Tensor o = host_leaf({64, 64}), t = host_leaf({64, 64});
  for (int step = 0; step < 256; ++step) {
    o = o - 0.01 * sin(t);
    t = t + 0.01 * o;
  }
  return {o, t};
}

inline Tensors adam_of_one_parameter() {
  Tensor p = host_leaf({512, 512}), m = host_leaf({512, 512}), v = host_leaf({512, 512});
  const Tensor g = host_leaf({512, 512});
  const Tensor of_g = g * 0.1, of_square = g * g * 0.001;
  m = m * 0.9 + of_g;
  v = v * 0.999 + of_square;
  const Tensor step = 0.001 * (m / Scalar(0.9));
  p = p - step / (sqrt(v / Scalar(0.99)) + 1e-8);
  return {p, m, v};
}

inline Tensors three_reductions() {
  const Tensor x = host_leaf({512, 512});
  return {sum(x, 1), max(x, 1), min(x, 1)};
}

inline Tensors three_roots_of_the_same_inputs() {
  const Tensor x = host_leaf({512, 512}), y = host_leaf({512, 512});
  return {x + y, x * y, x - y};
}

inline Tensors lstm_cell() {
  Tensor h = host_leaf({32, 64}), c = host_leaf({32, 64});
  const Tensor u = host_leaf({256, 64}), b = host_leaf({256}), x = host_leaf({10, 32, 256});
  for (int step = 0; step < 10; ++step) {
    const Tensor row = x[step];
    const Tensor gates = row + nn::linear(h, u, b);
    const auto g = split(gates, 4, 1);
    const Tensor forget = sigmoid(g[0]), input = sigmoid(g[1]), output = sigmoid(g[3]);
    const Tensor kept = forget * c;
    c = kept + input * tanh(g[2]);
    h = output * tanh(c);
  }
  return {h, c};
}

inline Tensors turned_product() {
  const Tensor a = host_leaf({64, 96}), w = host_leaf({96, 128});
  return {matmul(a, w).T() * 2.0};
}

inline Tensors the_same_product_twice() {
  const Tensor a = host_leaf({64, 96}), w = host_leaf({96, 128});
  return {matmul(a, w) * 2.0, matmul(a, w) * 2.0};
}

inline Tensors gradient_of_layer_norm() {
  const Tensor x = host_leaf({256, 768});
  return {grad([](const Tensor& a) { return sum(square(nn::layer_norm(a))); }, x)};
}

inline Tensors gradient_of_softmax() {
  const Tensor x = host_leaf({256, 768});
  return {grad([](const Tensor& a) { return sum(square(nn::softmax(a))); }, x)};
}

inline Tensors gradient_of_a_weight(const Shape& input, const Shape& output) {
  const Tensor w = host_leaf({512, 256}), x = host_leaf(input), dy = host_leaf(output);
  return {vjp([x](Tensor weight) { return nn::linear(x, weight); }, w).pullback(dy)};
}

inline Tensors gradient_of_a_linear_weight() {
  return gradient_of_a_weight({128, 256}, {128, 512});
}

inline Tensors gradient_of_a_batched_linear_weight() {
  return gradient_of_a_weight({2, 64, 256}, {2, 64, 512});
}

struct Network {
  Tensor w1, b1, w2, b2;
};

inline Network host_network() {
  return {host_leaf({64, 32}), host_leaf({64}), host_leaf({8, 64}), host_leaf({8})};
}

inline Tensors gradients_of_a_tree() {
  const Network net = host_network();
  const Tensor x = host_leaf({128, 32}), y = host_leaf({128, 8});
  const auto loss_of = [&](const Network& p) {
    const Tensor h = tanh(nn::linear(x, p.w1, p.b1));
    return mean(square(nn::linear(h, p.w2, p.b2) - y));
  };
  const auto [loss, g] = value_and_grad(loss_of)(net);
  return {loss, g.w1, g.b1, g.w2, g.b2};
}

inline Tensors gradients_by_hand() {
  const Network net = host_network();
  const Tensor x = host_leaf({128, 32}), y = host_leaf({128, 8});
  const Tensor h = tanh(nn::linear(x, net.w1, net.b1));  // (128, 64)
  const Tensor error = nn::linear(h, net.w2, net.b2) - y;
  const Tensor d2 = error * (2.0 / (128 * 8));
  const Tensor dh = matmul(d2, net.w2);
  const Tensor d1 = dh * (1.0 - square(h));
  return {mean(square(error)), matmul(d1.T(), x), sum(d1, 0), matmul(d2.T(), h), sum(d2, 0)};
}

inline Tensors training_step_of_a_gpt() {
  const support::GptSize size;
  const Tensors parameters =
      support::gpt_parameters(size, [](const Shape& shape) { return host_leaf(shape); });
  const Tensor ids = host_leaf({2, 16}, int32), targets = host_leaf({2, 16, 64});
  return support::gpt_step(size, parameters, ids, targets, Scalar(0.1));
}

inline Tensors mandelbrot_by_a_loop() {
  const Tensor cr = host_leaf({256, 256}), ci = host_leaf({256, 256});
  Tensor zr = zeros({256, 256}), zi = zeros({256, 256}), count = zeros({256, 256});
  for (int step = 0; step < 200; ++step) {
    const Tensor zr_2 = zr * zr, zi_2 = zi * zi;
    const Tensor inside = zr_2 + zi_2 < 4.0;
    const Tensor next_r = zr_2 - zi_2 + cr;
    const Tensor next_i = 2.0 * zr * zi + ci;
    zr = where(inside, next_r, zr);
    zi = where(inside, next_i, zi);
    count = where(inside, count + 1.0, count);
  }
  return {zr, zi, count};
}

inline Tensor rolled(const Tensor& x, std::int64_t by, int axis) {
  const std::int64_t n = x.shape()[axis];
  const std::int64_t from = (n - by) % n;
  const auto slice_of = [&](const Slice& slice) {
    return axis == 0 ? x[slice] : x.at(ellipsis, slice).get();
  };
  return concatenate({slice_of(Slice{from}), slice_of(Slice{0, from})}, axis);
}

inline Tensors life_by_rolls() {
  Tensor life = host_leaf({256, 256});
  for (int step = 0; step < 8; ++step) {
    const Tensor up = rolled(life, 1, 0), down = rolled(life, 255, 0);
    Tensor sum = up + down;
    for (const Tensor& row : {life, up, down}) {
      const Tensor left = rolled(row, 1, 1), right = rolled(row, 255, 1);
      sum = sum + left + right;
    }
    const Tensor stays = where(sum == 2.0, life, 0.0);
    life = where(sum == 3.0, 1.0, stays);
  }
  return {life};
}

inline Tensors four_stencils() {
  constexpr std::int64_t n = 1024;
  Tensor x = host_leaf({n, n});
  for (int step = 0; step < 4; ++step) {
    const Tensor padded = pad(x, std::vector<PadWidth>{{1, 1}, {1, 1}});
    const auto at = [&](int dy, int dx) {
      return padded.at(Slice{1 + dy, 1 + dy + n}, Slice{1 + dx, 1 + dx + n}).get();
    };
    const Tensor up = at(-1, 0), left = at(0, -1), here = at(0, 0), right = at(0, 1),
                 down = at(1, 0);
    const Tensor half = 0.5 * here;
    x = tanh(half + 0.125 * (up + down + left + right));
  }
  return {x};
}

inline Tensors factors_under_a_broadcast_sum() {
  const Tensor a = host_leaf({256, 256}), b = host_leaf({256, 256});
  const auto f = [](const Tensor& x) {
    const Tensor grown = exp(sin(x));
    return tanh(grown + sigmoid(x));
  };
  const Tensor left = expand_dims(f(a), 2), right = expand_dims(f(b), 0);
  return {sum(left * right, 1)};
}

struct Row {
  const char* name;
  Tensors (*roots)();
  std::int64_t most;                ///< draws on llvmpipe
  std::int64_t most_on_gpu = most;  ///< draws on the H200
};

inline std::vector<Row> rows() {
  return {
      {"two_coupled_states", two_coupled_states, 1},
      {"one_of_two_coupled_states", [] { return Tensors{two_coupled_states()[1]}; }, 1},
      {"adam_of_one_parameter", adam_of_one_parameter, 1},
      {"three_reductions", three_reductions, 1},
      {"three_roots_of_the_same_inputs", three_roots_of_the_same_inputs, 1},
      {"lstm_cell", lstm_cell, 20},
      {"turned_product", turned_product, 1},
      {"the_same_product_twice", the_same_product_twice, 1},
      {"gradient_of_layer_norm", gradient_of_layer_norm, 3},
      {"gradient_of_softmax", gradient_of_softmax, 3},
      {"gradient_of_a_linear_weight", gradient_of_a_linear_weight, 1},
      {"gradient_of_a_batched_linear_weight", gradient_of_a_batched_linear_weight, 1},
      {"gradients_of_a_tree", gradients_of_a_tree, 8},
      {"gradients_by_hand", gradients_by_hand, 8},
      {"training_step_of_a_gpt", training_step_of_a_gpt, 450},
      // The last count reads a mask that the other states hold, too, so it is not part of the loop.
      {"count_of_mandelbrot", [] { return Tensors{mandelbrot_by_a_loop()[2]}; }, 2},
      {"mandelbrot_by_a_loop", mandelbrot_by_a_loop, 1},
      // On llvmpipe a kernel of two steps compiles for longer than the draws that it saves take.
      {"life_by_rolls", life_by_rolls, 16, 9},
      {"four_stencils", four_stencils, 4},
      {"factors_under_a_broadcast_sum", factors_under_a_broadcast_sum, 2},
  };
}

}  // namespace trigon::draw_table
