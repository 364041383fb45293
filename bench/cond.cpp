// SPDX-License-Identifier: MIT
// `cond` against the side that it takes: elementwise, with products, and within loops.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

#include "common.hpp"

namespace {

using bench::Bench;
using trigon::Tensor;
using Side = std::function<Tensor(const Tensor&)>;

Tensor heavy(const Tensor& x) {
  Tensor y = x;
  for (int k = 0; k < 5; ++k) y = sin(y * 1.1) + tan(y * 0.3);
  return y;
}
Tensor light(const Tensor& x) { return x * 0.5 + 1.0; }
Tensor product(const Tensor& x) { return matmul(x, trigon::transpose(x)) * 1e-3 + heavy(x); }

Tensor flag(bool value) { return (trigon::full({}, value ? 1.0 : -1.0) > 0.0).eval(); }

bool near(const Tensor& a, const Tensor& b) {
  const std::vector<float> x = a.to_vector<float>(), y = b.to_vector<float>();
  if (x.size() != y.size()) return false;
  for (std::size_t k = 0; k < x.size(); k += 997) {
    if (!(std::abs(x[k] - y[k]) <= 1e-4 * (1 + std::abs(y[k])))) return false;
  }
  return true;
}

// Times the conds and only the side in turns, and prints their ratios.
void measure(Bench& bench, const std::string& name, const std::string& shape, const Side& alone,
             const std::vector<std::pair<const char*, Side>>& conds, const Tensor& x) {
  if (!bench.wanted(name, shape)) return;
  std::vector<std::function<void()>> works;
  const auto add = [&](const Side& side) {
    works.emplace_back([&bench, &x, side] {
      side(x).eval();
      trigon::synchronize(bench.device());
    });
  };
  add(alone);
  for (const auto& [variant, side] : conds) {
    if (!near(side(x), alone(x))) bench.wrong(fmt::format("{} {}, {}", name, shape, variant));
    add(side);
  }
  const std::vector<double> ms = bench::best_ms(works, 25, 6);
  bench.add({name, shape, "the side alone", ms[0]});
  for (std::size_t k = 0; k < conds.size(); ++k) {
    bench::Entry line{name, shape, conds[k].first, ms[k + 1]};
    line.figures.emplace_back("ratio_to_side", ms[k + 1] / ms[0]);
    bench.add(line);
  }
}

// A cond of the two that takes the second one.
Side not_taken(const Side& yes, const Side& no, const Tensor& p) {
  return [=](const Tensor& x) { return trigon::cond(p, yes, no, x); };
}

void conds(Bench& bench) {
  const Tensor x = trigon::tensor<float>(bench::numbers(1 << 20, 1), {1024, 1024});
  const Tensor no = flag(false), below = trigon::full({}, -1.0).eval();
  const Side computed = [=](const Tensor& v) { return trigon::cond(below > 0.0, heavy, light, v); };
  measure(bench, "cond", "1M", light,
          {{"predicate stored", not_taken(heavy, light, no)}, {"predicate computed", computed}}, x);
  measure(bench, "cond of a product", "1024 x 1024", light,
          {{"predicate stored", not_taken(product, light, no)}}, x);
  const auto loop = [](const Side& body) -> Side {
    return [body](const Tensor& v) {
      return trigon::fori_loop(
          0, 20, [&](const Tensor&, const Tensor& s) { return body(s) - trigon::mean(s, 0); }, v);
    };
  };
  measure(bench, "cond in a loop of draws", "1M, 20 iterations", loop(light),
          {{"predicate stored", loop(not_taken(heavy, light, no))}}, x);
}

}  // namespace

int main(int argc, char** argv) {
  Bench bench("cond", "Times cond by the side that it takes", {"ratio_to_side"});
  if (const auto code = bench.start(argc, argv)) return *code;
  try {
    conds(bench);
  } catch (const trigon::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return bench.exit_code();
}
