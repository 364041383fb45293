// SPDX-License-Identifier: MIT
#include "black_scholes.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <trigon/image.hpp>
#include <trigon/trigon.hpp>

namespace simulate {
namespace {

using trigon::Scalar;
using trigon::Tensor;

constexpr double lowest = 10.0;  // of shares and strikes
constexpr double highest = 50.0;

class BlackScholesRun : public Run {
 public:
  BlackScholesRun(const BlackScholes& model, Form form) : model_(model), form_(form) {}

  // The formula has no steps; form steps has a separate draw for each operation.
  void advance(std::int64_t) override {
    prices_ = model_.prices([&](Tensor x) { return form_ == Form::steps ? x.eval() : x; });
    trigon::eval({prices_.call, prices_.put});
  }
  std::vector<Value> values() const override {
    return {{"call", prices_.call}, {"put", prices_.put}};
  }
  Tensor picture() const override { return model_.picture(prices_); }

 private:
  const BlackScholes& model_;
  Form form_;
  BlackScholes::Prices prices_{};
};

class BlackScholesSimulation : public Simulation {
 public:
  explicit BlackScholesSimulation(BlackScholes model) : model_(std::move(model)) {}
  std::unique_ptr<Run> start(Form form) const override {
    return std::make_unique<BlackScholesRun>(model_, form);
  }

 private:
  BlackScholes model_;
};

}  // namespace

BlackScholes::BlackScholes(std::int64_t options, std::int64_t seed) {
  price = trigon::random::uniform(Scalar(3 * seed), {options}, lowest, highest);
  strike = trigon::random::uniform(Scalar(3 * seed + 1), {options}, lowest, highest);
  years = trigon::random::uniform(Scalar(3 * seed + 2), {options}, 0.25, 2.0);
  trigon::eval({price, strike, years});
}

BlackScholes::Prices BlackScholes::prices(const std::function<Tensor(Tensor)>& stored) const {
  const auto normal_below = [&](const Tensor& x) {
    const Tensor e = stored(erf(stored(x * std::sqrt(0.5))));
    return stored(stored(e + 1.0) * 0.5);
  };
  const Tensor spread = stored(stored(sqrt(years)) * volatility);
  const Tensor moneyness = stored(log(stored(price / strike)));
  const Tensor drift = stored(years * (rate + 0.5 * volatility * volatility));
  const Tensor d1 = stored(stored(moneyness + drift) / spread);
  const Tensor d2 = stored(d1 - spread);
  const Tensor discounted = stored(strike * stored(exp(stored(years * -rate))));
  const Tensor now = stored(price * normal_below(d1));
  const Tensor later = stored(discounted * normal_below(d2));
  const Tensor call = stored(now - later);
  return {call, stored(stored(call - price) + discounted)};
}

Tensor BlackScholes::picture(const Prices& prices) const {
  constexpr int side = 320;
  struct Sum {
    double prices = 0, options = 0;
  };
  const auto place = [](float x) {
    const double share = (x - lowest) / (highest - lowest);
    return std::clamp(static_cast<int>(share * side), 0, side - 1);
  };
  const std::vector<float> x = price.to_vector<float>();
  const std::vector<float> y = strike.to_vector<float>();
  const std::vector<float> call = prices.call.to_vector<float>();
  std::vector<Sum> sums(static_cast<std::size_t>(side) * side);
  for (std::size_t k = 0; k < call.size(); ++k) {
    Sum& sum = sums[static_cast<std::size_t>((side - 1 - place(y[k])) * side + place(x[k]))];
    sum.prices += call[k];
    sum.options += 1;
  }
  std::vector<float> means;  // NaN, which is black, if there is no option
  means.reserve(sums.size());
  for (const Sum& sum : sums) means.push_back(static_cast<float>(sum.prices / sum.options));
  return trigon::cm::magma(trigon::tensor<float>(means, {side, side}) / (highest - lowest));
}

std::unique_ptr<Simulation> make_black_scholes(const Settings& settings) {
  return std::make_unique<BlackScholesSimulation>(BlackScholes(settings.elements, settings.seed));
}

}  // namespace simulate
