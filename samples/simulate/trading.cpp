// SPDX-License-Identifier: MIT
#include "trading.hpp"

#include <cmath>
#include <random>
#include <string>

#include <trigon/trigon.hpp>

#include "looped.hpp"

namespace simulate {
namespace {

using trigon::Slice;
using trigon::Tensor;

class TradingSimulation : public Looped<Trading> {
 public:
  TradingSimulation(Trading model, const Settings& settings)
      : Looped(std::move(model), settings.report), steps_(settings.steps), seed_(settings.seed) {}

  std::optional<Generation> evolve() override {
    const Tensor fitness = model_.fitness(loop(model_, model_.start(), 0, steps_)).eval();
    const Generation reached{.best = max(fitness).item(), .mean = mean(fitness).item()};
    model_.policy = breed(model_.policy, fitness, seed_ + ++generation_);
    return reached;
  }

 private:
  std::int64_t steps_, seed_;
  std::int64_t generation_ = 0;
};

class Noise {
 public:
  explicit Noise(std::int64_t seed) : random_(static_cast<std::uint32_t>(seed)) {}
  double uniform() { return (random_() + 0.5) / 4294967296.0; }
  double normal() {
    return std::sqrt(-2.0 * std::log(uniform())) * std::cos(6.28318530717959 * uniform());
  }

 private:
  std::mt19937 random_;
};

// Daily returns whose drift lasts some weeks, and the last day's volume.
struct Asset {
  std::vector<double> returns, prices, volumes;
};

constexpr std::int64_t history = 50;  // days before the first row

Asset asset(std::int64_t days, Noise& noise) {
  Asset result;
  double drift = 0;
  double price = 0;
  for (std::int64_t day = 0; day < days + history + 1; ++day) {
    if (noise.uniform() < 0.04) drift = 0.004 * noise.normal();
    const double r = drift + 0.012 * noise.normal();
    result.returns.push_back(r);
    result.prices.push_back(price += r);
    result.volumes.push_back(1.0 + 0.3 * noise.uniform() + 10.0 * std::abs(r));
  }
  return result;
}

double mean_of(const std::vector<double>& values, std::int64_t end, std::int64_t count) {
  double sum = 0;
  for (std::int64_t k = end - count; k < end; ++k) sum += values[static_cast<std::size_t>(k)];
  return sum / static_cast<double>(count);
}

double deviation_of(const std::vector<double>& values, std::int64_t end, std::int64_t count) {
  const double mean = mean_of(values, end, count);
  double sum = 0;
  for (std::int64_t k = end - count; k < end; ++k) {
    const double d = values[static_cast<std::size_t>(k)] - mean;
    sum += d * d;
  }
  return std::sqrt(sum / static_cast<double>(count));
}

constexpr const char* day_glsl = R"(
      float seen[8];
      for (int a = 0; a < 6; ++a) {
        int at = t * 36 + a;
        float trend = (table(at + 6) + table(at + 12)) / table(at + 18);
        seen[a] = trend * table(at + 30) - 4.0 * table(at + 24);
      }
      seen[6] = 10.0 * (peak - wealth);
      seen[7] = 1.0 - held[5];)";

constexpr const char* trade_glsl = R"(
      float top = outcome[0], total = 0.0;
      for (int a = 1; a < 6; ++a) top = max(top, outcome[a]);
      for (int a = 0; a < 6; ++a) {
        outcome[a] = exp(outcome[a] - top);
        total += outcome[a];
      }
      float traded = 0.0, growth = 0.0;
      for (int a = 0; a < 6; ++a) {
        float share = outcome[a] / total;
        traded += abs(share - held[a]);
        held[a] = share * (1.0 + table(t * 36 + a));
        growth += held[a];
      }
      for (int a = 0; a < 6; ++a) held[a] /= growth;
      float cost = fee * traded;
      wealth += log(growth * (1.0 - cost));
      costs += cost;
      peak = max(peak, wealth);
      drawdown = max(drawdown, peak - wealth);
    })";

std::string trading_body() {
  return weights_glsl(Trading::layers) + R"(
    float held[6];
    for (int a = 0; a < 6; ++a) held[a] = a == 5 ? 1.0 : 0.0;
    wealth = peak = drawdown = costs = 0.0;
    for (int t = 0; t < days; ++t) {)" +
         day_glsl + policy_glsl(Trading::layers) + trade_glsl;
}

}  // namespace

std::vector<float> market(std::int64_t days, std::int64_t seed) {
  Noise noise(seed);
  constexpr std::int64_t assets = Trading::assets;
  std::vector<float> table(static_cast<std::size_t>(days * Trading::columns));
  for (std::int64_t k = 0; k < assets; ++k) {
    const bool cash = k == assets - 1;
    const Asset one = asset(days, noise);
    for (std::int64_t day = 0; day < days; ++day) {
      const std::int64_t now = day + history;  // returns before it are known
      const auto set = [&](std::int64_t kind, double value) {
        table[static_cast<std::size_t>(day * Trading::columns + kind * assets + k)] =
            static_cast<float>(value);
      };
      const auto today = static_cast<std::size_t>(now);
      set(0, cash ? 0.00005 : std::exp(one.returns[today]) - 1.0);
      set(1, cash ? 0.00005 : mean_of(one.returns, now, 5));
      set(2, cash ? 0.00005 : mean_of(one.returns, now, 20));
      set(3, cash ? 0.01 : deviation_of(one.returns, now, 20));
      set(4, cash ? 0.0 : one.prices[today - 1] - mean_of(one.prices, now, history));
      set(5, cash ? 1.0 : one.volumes[today - 1]);
    }
  }
  return table;
}

Trading::Trading(std::int64_t elements, std::int64_t days, std::int64_t seed)
    : table(trigon::tensor(market(days, seed), {days, columns})),
      policy(random_policy(elements, layers, seed)) {}

// Everything in cash.
Trading::State Trading::start() const {
  const std::int64_t elements = policy.elements();
  const Tensor zero = trigon::zeros({elements});
  const Tensor cash = (trigon::arange(assets) == assets - 1).astype(trigon::float32);
  return {zero, zero, zero, zero, broadcast_to(cash, {elements, assets})};
}

Tensor Trading::observe(const State& s, const Tensor& row) const {
  const auto kind = [&](std::int64_t k) {
    return row.at(Slice{k * assets, (k + 1) * assets}).get();
  };
  const Tensor week = kind(1);
  const Tensor month = kind(2);
  const Tensor deviation = kind(3);
  const Tensor distance = kind(4);
  const Tensor volume = kind(5);
  const Tensor trend = (week + month) / deviation * volume;
  const Tensor signal = trend - 4.0 * distance;  // (assets,)
  const Tensor exposure = 1.0 - s.holdings.at(Slice{}, assets - 1).get();
  return trigon::concatenate({broadcast_to(signal, s.holdings.shape()),
                              trigon::stack({10.0 * (s.peak - s.wealth), exposure}, 1)},
                             1);
}

Trading::State Trading::next(const State& s, const Tensor& step) const {
  const Tensor row = take(table, step);  // (columns,)
  const Tensor gain = row.at(Slice{0, assets}).get() + 1.0;
  const Tensor shares = trigon::nn::softmax(policy(observe(s, row)), 1);
  const Tensor cost = fee * sum(abs(shares - s.holdings), 1);
  const Tensor grown = shares * gain;
  const Tensor growth = sum(grown, 1);
  const Tensor wealth = s.wealth + log(growth * (1.0 - cost));
  const Tensor peak = maximum(s.peak, wealth);
  return {wealth, peak, maximum(s.drawdown, peak - wealth), s.costs + cost,
          grown / expand_dims(growth, 1)};
}

// All days at once: it starts from cash, and the final holdings stay in registers.
Trading::State Trading::by_hand(const State& s, std::int64_t, std::int64_t steps) const {
  static const trigon::Kernel kernel(
      {.name = "trading",
       .inputs = {"raw float32 A", "raw float32 B", "raw float32 C", "raw float32 D",
                  "raw float32 table"},
       .outputs = {"float32 wealth", "float32 peak", "float32 drawdown", "float32 costs"},
       .uniforms = {{"days", 1}, {"fee", fee}},
       .body = trading_body()});
  const std::vector<Tensor> r =
      kernel.with({{"days", steps}})
          .call({policy.in, policy.in_bias, policy.out, policy.out_bias, table}, s.wealth.shape());
  return {r[0], r[1], r[2], r[3], Tensor()};
}

Trading::State Trading::result(State s) const {
  s.holdings = {};
  return s;
}

std::vector<Value> Trading::values(const State& s) const {
  return {{"wealth", s.wealth}, {"drawdown", s.drawdown}, {"costs", s.costs}};
}

std::vector<Value> Trading::inputs() const {
  std::vector<Value> result = policy.inputs();
  result.push_back({"table", table});
  return result;
}

std::unique_ptr<Simulation> make_trading(const Settings& settings) {
  return std::make_unique<TradingSimulation>(
      Trading(settings.elements, settings.steps, settings.seed), settings);
}

}  // namespace simulate
