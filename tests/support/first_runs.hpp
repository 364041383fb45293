// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <trigon/trigon.hpp>

// Everyday programs whose first evaluation once took seconds to compile. bench/first_run times them
// and host_tests plans them. Each makes its roots from the caller's leaves.

namespace trigon::support {

using Leaf = std::function<Tensor(const Shape&)>;
using Roots = std::vector<Tensor>;

struct FirstRun {
  const char* name;
  std::function<Roots(const Leaf&)> make;
};

/// A sort of n keys by 55 steps for n = 1,024, each of which compares a key with its partner's.
inline Roots bitonic_sort(const Leaf& leaf, std::int64_t n = 1024) {
  Tensor y = leaf({n});
  const Tensor i = arange(n);
  for (std::int64_t k = 2; k <= n; k *= 2) {
    for (std::int64_t j = k / 2; j > 0; j /= 2) {
      const Tensor other = take(y, i ^ j);
      const Tensor keeps_less = ((i & k) == 0) == ((i & j) == 0);
      y = where(keeps_less, minimum(y, other), maximum(y, other));
    }
  }
  return {y};
}

inline Roots gather_steps(const Leaf& leaf) {
  Tensor y = leaf({1024});
  const Tensor i = arange(1024);
  for (int j = 1; j < 1024; j *= 2) y = y + 0.5 * take(y, i ^ j);
  return {y};
}

inline Roots prefix_sum(const Leaf& leaf) {
  Tensor y = leaf({1024});
  for (std::int64_t j = 1; j < 1024; j *= 2) {
    y = y + pad(y, {{j, 0}})[Slice{0, 1024}];
  }
  return {y};
}

/// Stockham's transform by steps of two, decimated in frequency: (n,) each.
inline Roots stockham(const Leaf& leaf, std::int64_t n) {
  Tensor re = leaf({n}), im = zeros({n});
  for (std::int64_t half = n / 2, s = 1; half >= 1; half /= 2, s *= 2) {
    const Tensor a = re.reshape(2, half, s), b = im.reshape(2, half, s);
    const Tensor angle = arange(half).reshape(half, 1) * (-M_PI / static_cast<double>(half));
    const Tensor c = cos(angle), d = sin(angle);
    const Tensor x = a[0] - a[1], z = b[0] - b[1];
    re = stack({a[0] + a[1], x * c - z * d}, 1).reshape({n});
    im = stack({b[0] + b[1], x * d + z * c}, 1).reshape({n});
  }
  return {re, im};
}

/// The forward pass of a hidden Markov model of 5 states, all of it made of random numbers.
inline Roots hmm_forward(const Leaf&) {
  constexpr std::int64_t steps = 300, states = 5, symbols = 4;
  const Tensor a = nn::softmax(random::normal(1, {states, states}));
  const Tensor b = nn::softmax(random::normal(2, {states, symbols}));
  const Tensor seen = random::integers(3, {steps}, 0, symbols);
  const Tensor start = full({states}, 1.0 / states);
  const auto [last, scales] = scan(
      [&](Tensor alpha, Tensor symbol) {
        const Tensor next = matmul(alpha, a) * take(b, symbol, 1);
        const Tensor total = sum(next);
        return std::pair(next / total, log(total));
      },
      start, seen);
  return {sum(scales), last};
}

inline Roots plain_wave(const Leaf&) {
  constexpr std::int64_t n = 160;
  const Tensor x = linspace(-1, 1, n), y = x.reshape(n, 1);
  Tensor u = exp(-40.0 * (x * x + y * y)), speed = zeros({n, n});
  for (int t = 0; t < 20; ++t) {
    const Tensor around = roll(u, 1, 0) + roll(u, -1, 0) + roll(u, 1, 1) + roll(u, -1, 1) - 4.0 * u;
    speed = speed + 0.1 * around;
    u = u + 0.1 * speed;
  }
  return {u};
}

inline Roots coupled_while(const Leaf& leaf) {
  return {while_loop([](const Tensor& s) { return sum(s) < 1000.0; },
                     [](const Tensor& s) { return s + remainder(s * 3.0, 5.0) + 0.5; },
                     leaf({64}))};
}

inline Roots coupled_while_of_four(const Leaf& leaf) {
  return {while_loop([](const Tensor& s) { return sum(s) < 1000.0; },
                     [](const Tensor& s) {
                       Tensor next = s;
                       for (int k = 0; k < 4; ++k) next = next + remainder(next * 3.0, 5.0 + k);
                       return next + 0.5;
                     },
                     leaf({4, 4, 2}))};
}

inline Roots gru(const Leaf& leaf) {
  constexpr std::int64_t steps = 24, batch = 8, inputs = 16, units = 32;
  const Tensor w = leaf({3 * units, inputs}), u = leaf({3 * units, units}), b = leaf({3 * units});
  const Tensor x = leaf({steps, batch, inputs});
  Tensor h = zeros({batch, units});
  for (std::int64_t t = 0; t < steps; ++t) {
    const auto given = split(nn::linear(x[t], w, b), 3, 1), held = split(nn::linear(h, u), 3, 1);
    const Tensor reset = sigmoid(given[0] + held[0]), update = sigmoid(given[1] + held[1]);
    const Tensor fresh = tanh(given[2] + reset * held[2]);
    h = (1.0 - update) * fresh + update * h;
  }
  return {h};
}

/// The first step of Adam for a network of 784, 128 and 10 units.
inline Roots mlp_with_adam(const Leaf& leaf) {
  const Tensor x = leaf({64, 784}), y = leaf({64, 10});
  Roots p{leaf({128, 784}), leaf({128}), leaf({10, 128}), leaf({10})};
  const auto loss = [&](const Roots& q) {
    const Tensor hidden = relu(nn::linear(x, q[0], q[1]));
    return -mean(sum(nn::log_softmax(nn::linear(hidden, q[2], q[3])) * y, 1));
  };
  const auto [value, g] = value_and_grad(loss)(p);
  Roots roots{value};
  for (std::size_t k = 0; k < p.size(); ++k) {
    const Tensor m = g[k] * 0.1 + 0.9 * zeros(p[k].shape());
    const Tensor v = square(g[k]) * 0.001 + 0.999 * zeros(p[k].shape());
    const Tensor rate = full({}, 0.001);
    roots.push_back(p[k] - rate * (m / (1.0 - 0.9)) / (sqrt(v / (1.0 - 0.999)) + 1e-8));
    roots.push_back(m);
    roots.push_back(v);
  }
  return roots;
}

/// A chain whose steps differ in their constants.
inline Roots chain_of_constants(const Leaf& leaf) {
  Tensor y = leaf({64, 64});
  for (int k = 0; k < 250; ++k) y = y * (1.0 + k * 1e-3) + 0.1;
  return {y};
}

/// Each remainder has a loop.
inline Roots chain_of_remainders(const Leaf& leaf) {
  Tensor y = leaf({64, 64});
  for (int k = 0; k < 14; ++k) y = remainder(y * 3.0, 5.0 + k);
  return {y};
}

/// Random words: each letter is drawn from the row of the one before.
inline Roots markov_chain(const Leaf& leaf) {
  const Tensor weights = leaf({27, 27});
  const auto [last, letters] = scan(
      [&](Tensor letter, Tensor i) {
        const Tensor next = random::categorical(random::fold_in(7, i), take(weights, letter));
        return std::pair(next, next);
      },
      Tensor(0), arange(60));
  return {letters};
}

/// Rows of one table, each computed separately, with a different number.
inline Roots stacked_rows(const Leaf& leaf) {
  const Tensor x = leaf({200, 64});
  std::vector<Tensor> rows;
  for (int k = 0; k < 200; ++k) rows.push_back(exp(x[k] * 0.5) + std::sin(k));
  return {stack(rows)};
}

/// The losses of 200 steps, each of them evaluated.
inline Roots stacked_losses(const Leaf& leaf) {
  std::vector<Tensor> losses;
  for (int k = 0; k < 200; ++k) losses.push_back(leaf({}));
  return {stack(losses)};
}

/// The same, none of them evaluated.
inline Roots stacked_lazy_losses(const Leaf& leaf) {
  const Tensor x = leaf({200, 64}), y = leaf({64});
  std::vector<Tensor> losses;
  for (int k = 0; k < 200; ++k) losses.push_back(mean(square(x[k] - y)));
  return {stack(losses)};
}

inline Roots appended_rows(const Leaf& leaf) {
  const Tensor x = leaf({200, 64});
  Tensor y = exp(x[Slice{0, 1}] * 0.5);
  for (int k = 1; k < 200; ++k) y = concatenate({y, exp(x[Slice{k, k + 1}] * 0.5) + k});
  return {y};
}

inline std::vector<FirstRun> first_runs() {
  return {
      {"bitonic sort of 1,024", [](const Leaf& leaf) { return bitonic_sort(leaf); }},
      {"ten steps of take", gather_steps},
      {"ten steps of pad", prefix_sum},
      {"FFT of 8", [](const Leaf& leaf) { return stockham(leaf, 8); }},
      {"FFT of 16", [](const Leaf& leaf) { return stockham(leaf, 16); }},
      {"FFT of 32", [](const Leaf& leaf) { return stockham(leaf, 32); }},
      {"HMM forward by scan", hmm_forward},
      {"20 steps of the wave equation", plain_wave},
      {"while_loop over 64 elements", coupled_while},
      {"while_loop over (4, 4, 2)", coupled_while_of_four},
      {"GRU of 24 steps", gru},
      {"first step of an MLP", mlp_with_adam},
      {"chain of 250 constants", chain_of_constants},
      {"chain of 14 remainders", chain_of_remainders},
      {"Markov chain of 60 letters", markov_chain},
      {"stack of 200 rows", stacked_rows},
      {"stack of 200 losses", stacked_losses},
      {"stack of 200 lazy losses", stacked_lazy_losses},
      {"200 rows appended", appended_rows},
  };
}

}  // namespace trigon::support
