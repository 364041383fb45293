// SPDX-License-Identifier: MIT
// Elementwise ops, reductions and the cost of an evaluation, each against the same work unfused.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <trigon/trigon.hpp>

#include "common.hpp"

namespace {

using bench::Bench;
using trigon::Scalar;
using trigon::Slice;
using trigon::Tensor;

struct Variant {
  const char* name;
  std::function<Tensor()> make;  // a new graph, not evaluated
  double bytes = 0;              // that its draws read and write at least
};

// Times the variants in turns, once each result agrees with `expected` at some places; the first is
// what the others' ratio_to_unfused refers to.
struct Case {
  const char* name;
  std::string shape;
  std::vector<Variant> variants;
  std::function<double(std::size_t)> expected;
  double tolerance;  // relative, plus as much absolute
};

bool right(const Case& one, const std::vector<float>& found) {
  const std::size_t steps = std::min<std::size_t>(found.size(), 1009);
  for (std::size_t k = 0; k < steps; ++k) {
    const std::size_t i = steps == 1 ? 0 : k * (found.size() - 1) / (steps - 1);
    const double expected = one.expected(i);
    if (!(std::abs(found[i] - expected) <= one.tolerance * (1 + std::abs(expected)))) return false;
  }
  return true;
}

void measure(Bench& bench, const Case& one) {
  if (!bench.wanted(one.name, one.shape)) return;
  std::vector<std::function<void()>> works;
  for (const Variant& variant : one.variants) {
    if (!right(one, variant.make().to_vector<float>())) {
      bench.wrong(fmt::format("{} {}, {}", one.name, one.shape, variant.name));
    }
    works.emplace_back([&bench, &variant] {
      variant.make().eval();
      bench::finish(bench.device());
    });
  }
  const std::vector<double> ms = bench::best_ms(works, 25, 6);
  for (std::size_t k = 0; k < ms.size(); ++k) {
    bench::Entry line{one.name, one.shape, one.variants[k].name, ms[k]};
    line.figures.emplace_back("gbs", one.variants[k].bytes / ms[k] * 1e-6);
    if (ms.size() > 1) line.figures.emplace_back("ratio_to_unfused", ms[0] / ms[k]);
    bench.add(line);
  }
}

constexpr std::int64_t many = 4 << 20;
constexpr double many_bytes = 4.0 * many;

void elementwise(Bench& bench) {
  const std::vector<float> a = bench::numbers(many, 1), b = bench::numbers(many, 2);
  const Tensor x = trigon::tensor<float>(a, {many}), y = trigon::tensor<float>(b, {many});
  measure(bench, {"add",
                  "4M",
                  {{"one draw", [=] { return x + y; }, 3 * many_bytes}},
                  [&](std::size_t i) { return double(a[i]) + b[i]; },
                  1e-6});
  const auto chain = [=](bool fused) {
    const auto step = [fused](const Tensor& t) { return fused ? t : t.eval(); };
    Tensor t = step(x * y);
    t = step(t + 0.5);
    t = step(abs(t));
    t = step(t - y);
    t = step(maximum(t, x));
    return t * 2.0;
  };
  measure(bench, {"chain of six",
                  "4M",
                  {{"six draws", [=] { return chain(false); }, 15 * many_bytes},
                   {"one draw", [=] { return chain(true); }, 3 * many_bytes}},
                  [&](std::size_t i) {
                    const double t = std::abs(double(a[i]) * b[i] + 0.5) - b[i];
                    return 2 * std::max(t, double(a[i]));
                  },
                  1e-5});
  double total = 0;
  for (const float v : a) total += v;
  measure(bench, {"sum",
                  "4M",
                  {{"all", [=] { return sum(x); }, many_bytes}},
                  [=](std::size_t) { return total; },
                  1e-3});
}

constexpr std::int64_t side = 1024;
constexpr double square_bytes = 4.0 * side * side;

struct Row {
  double max = -1e30, sum = 0, mean = 0, variance = 0;
};

Row row_of(const std::vector<float>& x, std::size_t row) {
  Row r;
  const float* at = &x[row * side];
  for (int k = 0; k < side; ++k) {
    r.max = std::max<double>(r.max, at[k]);
    r.mean += at[k] / double(side);
  }
  for (int k = 0; k < side; ++k) {
    r.sum += std::exp(at[k] - r.max);
    r.variance += (at[k] - r.mean) * (at[k] - r.mean) / side;
  }
  return r;
}

void rows(Bench& bench) {
  const std::vector<float> values = bench::numbers(side * side, 3);
  const Tensor x = trigon::tensor<float>(values, {side, side});
  std::vector<Row> expected;
  for (std::size_t k = 0; k < side; ++k) expected.push_back(row_of(values, k));
  const auto column = [](const Tensor& t) { return reshape(t, {side, 1}); };

  // One draw an op, as a library without fusion does it.
  const auto softmax = [=] {
    const Tensor shifted = (x - column(max(x, -1).eval())).eval();
    const Tensor powers = exp(shifted).eval();
    return powers / column(sum(powers, -1).eval());
  };
  measure(bench, {"softmax",
                  "1024x1024",
                  {{"a draw an op", softmax, 8 * square_bytes},
                   {"nn::softmax", [=] { return trigon::nn::softmax(x); }, 3 * square_bytes}},
                  [&](std::size_t i) {
                    const Row& r = expected[i / side];
                    return std::exp(values[i] - r.max) / r.sum;
                  },
                  1e-5});

  const Tensor weight = trigon::tensor<float>(bench::numbers(side, 4), {side});
  const Tensor bias = trigon::tensor<float>(bench::numbers(side, 5), {side});
  const auto w = bench::numbers(side, 4), b = bench::numbers(side, 5);
  const auto norm = [=] {
    const Tensor centred = (x - column(mean(x, -1).eval())).eval();
    const Tensor squares = (centred * centred).eval();
    const Tensor scale = column(sqrt(mean(squares, -1).eval() + 1e-5).eval());
    const Tensor scaled = (centred / scale).eval();
    return (scaled * weight).eval() + bias;
  };
  measure(bench, {"layer_norm",
                  "1024x1024",
                  {{"a draw an op", norm, 12 * square_bytes},
                   {"nn::layer_norm", [=] { return trigon::nn::layer_norm(x, weight, bias); },
                    3 * square_bytes}},
                  [&](std::size_t i) {
                    const Row& r = expected[i / side];
                    const double unit = (values[i] - r.mean) / std::sqrt(r.variance + 1e-5);
                    return unit * w[i % side] + b[i % side];
                  },
                  1e-4});
}

// A new graph whose plan is known: what is left is hashing, uniforms and the draw.
void overhead(Bench& bench) {
  constexpr int evals = 512;
  if (!bench.wanted("eval of a tiny op", "16")) return;
  const Tensor x = trigon::tensor<float>(bench::numbers(16, 6), {16});
  const auto run = [&](int ops) {
    for (int k = 0; k < evals; ++k) {
      Tensor t = x;
      for (int i = 0; i < ops; ++i) t = t + Scalar(k);
      t.eval();
    }
    bench::finish(bench.device());
  };
  run(1);
  run(16);
  const trigon::Counters before = counters(bench.device());
  const double one = bench::best_ms([&] { run(1); }, 9) / evals;
  const double sixteen = bench::best_ms([&] { run(16); }, 9) / evals;
  const trigon::Counters cost = counters(bench.device()) - before;
  if (cost.plans_made != 0) bench.wrong(fmt::format("{} plans made, not 0", cost.plans_made));
  bench.add({"eval of a tiny op", "16", "plan known, one op", one, {{"us", one * 1e3}}});
  bench.add(
      {"eval of a tiny op", "16", "plan known, 16 fused ops", sixteen, {{"us", sixteen * 1e3}}});
}

// What no cache has seen: the order of the ops follows from the clock.
Tensor new_chain(const Tensor& x, std::uint64_t order) {
  Tensor t = x;
  for (int k = 0; k < 24; ++k, order /= 5) {
    switch (order % 5) {
      case 0: t = abs(t) + 0.5; break;
      case 1: t = exp(minimum(t, 1.0)); break;
      case 2: t = t * x; break;
      case 3: t = maximum(t, x); break;
      default: t = t - x; break;
    }
  }
  return t;
}

void compile(Bench& bench) {
  if (!bench.wanted("compile", "24 steps")) return;
  const auto clock = std::chrono::system_clock::now().time_since_epoch().count();
  const std::uint64_t order = static_cast<std::uint64_t>(clock) * 0x9e3779b97f4a7c15u;
  const std::vector<float> values = bench::numbers(4096, 7);
  const auto first_eval = [&](const trigon::Device& device) {
    const Tensor x = trigon::tensor<float>(std::span<const float>(values), {4096}, device);
    (x + 1.0).eval();
    bench::finish(device);
    return bench::time_ms([&] {
      new_chain(x, order).eval();
      bench::finish(device);
    });
  };
  bench.add({"compile", "24 steps", "new to the driver", first_eval(bench.device())});
  bench.add({"compile", "24 steps", "known to the driver's cache", first_eval(trigon::Device())});
}

}  // namespace

int main(int argc, char** argv) {
  Bench bench("ops", "Times elementwise ops, reductions and the cost of an evaluation",
              {"gbs", "ratio_to_unfused", "us"});
  if (const auto code = bench.start(argc, argv)) return *code;
  try {
    elementwise(bench);
    rows(bench);
    overhead(bench);
    compile(bench);
  } catch (const trigon::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return bench.exit_code();
}
