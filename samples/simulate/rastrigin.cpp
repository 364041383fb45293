// SPDX-License-Identifier: MIT
#include "rastrigin.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <trigon/trigon.hpp>

#include "keys.hpp"
#include "looped.hpp"
#include "picture.hpp"

namespace simulate {
namespace {

using trigon::Tensor;

class RastriginRun : public Run {
 public:
  RastriginRun(const Rastrigin& model, Form form, Report report)
      : model_(model), form_(form), report_(std::move(report)), state_(model.initial) {}

  void advance(std::int64_t steps) override {
    if (form_ == Form::steps) {
      single_steps(steps);
    } else {
      const auto [last, best] = trigon::scan(
          [&](const Rastrigin::State& s, const Tensor& step) {
            const Tensor costs = Rastrigin::cost(s.population);
            return std::pair{model_.next(s, costs, step), min(costs)};
          },
          state_, trigon::arange(done_, done_ + steps));
      state_ = last;
      best_.push_back(best);
      trigon::eval({state_.population, best});
    }
    done_ += steps;
  }
  std::vector<Value> values() const override {
    return {{"cost", Rastrigin::cost(state_.population)}};
  }
  Tensor picture() const override {
    std::vector<double> curve;
    for (const Tensor& best : best_) {
      for (const float y : best.to_vector<float>()) curve.push_back(y);
    }
    return to_tensor(curve_picture(std::span(&curve, 1)));
  }
  std::string summary() const override {
    const double first = min(Rastrigin::cost(model_.initial.population)).item();
    const double last = min(Rastrigin::cost(state_.population)).item();
    return fmt::format("the smallest cost fell from {:.1f} to {:.1f}", first, last);
  }

 private:
  void single_steps(std::int64_t steps) {
    for (std::int64_t k = 0; k < steps; ++k) {
      const Tensor costs = Rastrigin::cost(state_.population).eval();
      best_.push_back(min(costs));
      state_ = model_.next(state_, costs, trigon::Scalar(done_ + k));
      trigon::eval({state_.population, best_.back()});
      if (report_) report_(done_ + k + 1, done_ + steps);
    }
  }

  const Rastrigin& model_;
  Form form_;
  Report report_;
  std::int64_t done_ = 0;
  Rastrigin::State state_;
  std::vector<Tensor> best_{};
};

class RastriginSimulation : public Simulation {
 public:
  explicit RastriginSimulation(const Settings& settings)
      : model_(settings.elements, settings.seed), report_(settings.report) {}
  std::unique_ptr<Run> start(Form form) const override {
    return std::make_unique<RastriginRun>(model_, form, report_);
  }

 private:
  Rastrigin model_;
  Report report_;
};

}  // namespace

Rastrigin::Rastrigin(std::int64_t n, std::int64_t key) : elements(n), seed(key) {
  initial.population = trigon::random::uniform(seed, {elements, genes}, -limit, limit).eval();
}

Tensor Rastrigin::cost(const Tensor& population) {
  constexpr double two_pi = 6.28318530717958647692;
  const Tensor bowl = square(population);
  return sum(bowl - 10.0 * cos(two_pi * population) + 10.0, 1);
}

// The first element keeps the best individual. Each other one has two parents, each the best of
// four random candidates.
Rastrigin::State Rastrigin::next(const State& s, const Tensor& costs, const Tensor& step) const {
  constexpr double changed = 0.002;
  const trigon::random::Key key = fold_in(seed, step + 1);
  const auto winners = [&](int k) {
    const Tensor rivals = integers(fold_in(key, k), {elements, 4}, elements);
    return squeeze(take_along_axis(rivals, argmin(take(costs, rivals), 1, true), 1), 1);
  };
  const Tensor is_first = trigon::arange(elements) == 0;
  const Tensor best = argmin(costs);
  const Tensor mother = take(s.population, where(is_first, best, winners(0)));
  const Tensor father = take(s.population, where(is_first, best, winners(1)));
  const trigon::Shape shape{elements, genes};
  const Tensor luck = uniform(fold_in(key, 2), shape);
  const Tensor is_lucky = luck < changed;
  const Tensor changes = logical_and(is_lucky, expand_dims(logical_not(is_first), 1));
  const Tensor child = where(uniform(fold_in(key, 3), shape) < 0.5, mother, father);
  const Tensor moved = child + 0.5 * normal(fold_in(key, 4), shape);
  return {clip(where(changes, moved, child), -limit, limit)};
}

std::unique_ptr<Simulation> make_rastrigin(const Settings& settings) {
  return std::make_unique<RastriginSimulation>(settings);
}

}  // namespace simulate
