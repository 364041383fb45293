// SPDX-License-Identifier: MIT
// `scan` of few elements, whose steps all lie in one draw: each computes the steps before it, too.
// Compared with draws of several steps, which take turns with it.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "common.hpp"

namespace {

using bench::Bench;
using trigon::Device;
using trigon::Tensor;

/// The outputs of a scan from `init` (elements,) over xs (steps, elements).
using Scan = std::function<Tensor(const Tensor& init, const Tensor& xs)>;

struct Pendulum {
  Tensor angle, speed;
};

// The angles of a pendulum that is pushed.
Tensor pendulum(const Tensor& init, const Tensor& xs) {
  const auto step = [](const Pendulum& p, const Tensor& push) {
    const Tensor speed = p.speed - sin(p.angle) * 0.02 + push * 0.001;
    const Tensor angle = p.angle + speed * 0.02;
    return std::pair(Pendulum{angle, speed}, angle);
  };
  return trigon::scan(step, Pendulum{init, zeros_like(init)}, xs).outputs;
}

Tensor moving_average(const Tensor& init, const Tensor& xs) {
  const auto step = [](const Tensor& mean, const Tensor& x) {
    const Tensor next = mean * 0.9 + x * 0.1;
    return std::pair(next, next);
  };
  return trigon::scan(step, init, xs).outputs;
}

// A device whose draws run too few iterations to hold all steps.
Device device_of_short_draws(const Bench& bench, std::int64_t steps) {
  setenv("TRIGON_LIMITS", fmt::format("trips={}", steps - 1).c_str(), 1);
  Device device({.index = bench.index()});
  unsetenv("TRIGON_LIMITS");
  return device;
}

void measure(Bench& bench, const std::string& name, const Scan& scan, std::int64_t elements,
             std::int64_t steps) {
  const std::string shape = fmt::format("{} x {} steps", elements, steps);
  if (!bench.wanted(name, shape)) return;
  const Device others = device_of_short_draws(bench, steps);
  std::vector<std::function<void()>> works;
  std::vector<std::vector<float>> results;
  for (const Device& device : {bench.device(), others}) {
    const auto of = [&](std::uint32_t seed, const trigon::Shape& sizes) {
      const auto count = static_cast<std::size_t>(sizes.numel());
      return trigon::tensor<float>(bench::numbers(count, seed), sizes, device);
    };
    const Tensor init = of(1, {elements}), xs = of(2, {steps, elements});
    results.push_back(scan(init, xs).to_vector<float>());
    works.emplace_back([=] { static_cast<void>(scan(init, xs).to_vector<float>()); });
  }
  for (std::size_t k = 0; k < results[0].size(); ++k) {
    if (std::abs(results[0][k] - results[1][k]) <= 1e-5) continue;
    return bench.wrong(fmt::format("{} {}", name, shape));
  }
  const std::vector<double> ms = bench::median_ms(works, 200, 6);
  bench.add({name, shape, "each step from the first", ms[0], {{"speedup", ms[1] / ms[0]}}});
  bench.add({name, shape, "several steps a draw", ms[1]});
}

void scans(Bench& bench) {
  for (const std::int64_t steps : {16, 64, 256}) {
    measure(bench, "pendulum", pendulum, 1, steps);
    measure(bench, "moving average", moving_average, 1, steps);
  }
  measure(bench, "pendulum", pendulum, 5, 64);
  measure(bench, "moving average", moving_average, 5, 64);
}

}  // namespace

int main(int argc, char** argv) {
  Bench bench("scan", "Times scans of few elements by draws of several steps", {"speedup"});
  if (const auto code = bench.start(argc, argv)) return *code;
  try {
    scans(bench);
  } catch (const trigon::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return bench.exit_code();
}
