// SPDX-License-Identifier: MIT
#include "measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include <trigon/device.hpp>
#include <trigon/dtype.hpp>

namespace simulate {
namespace {

using Numbers = std::vector<float>;

// Calls f with the numbers of each value that both have.
void for_each_pair(const std::vector<Value>& a, const std::vector<Value>& b,
                   const std::function<void(const Numbers&, const Numbers&)>& f) {
  bool any = false;
  for (const Value& one : a) {
    for (const Value& other : b) {
      if (one.name != other.name || !one.tensor.has_value() || !other.tensor.has_value()) continue;
      any = true;
      f(one.tensor.astype(trigon::float32).to_vector<float>(),
        other.tensor.astype(trigon::float32).to_vector<float>());
    }
  }
  if (!any) throw std::logic_error("simulate: forms without values in common");
}

struct Moments {
  double mean = 0, deviation = 0;
};

Moments moments(const Numbers& x) {
  double sum = 0;
  for (const float v : x) sum += v;
  const double mean = sum / static_cast<double>(x.size());
  double squares = 0;
  for (const float v : x) squares += (v - mean) * (v - mean);
  return {mean, std::sqrt(squares / static_cast<double>(x.size()))};
}

std::unique_ptr<Run> finished(const Simulation& simulation, Form form, std::int64_t steps) {
  auto run = simulation.start(form);
  run->advance(steps);
  trigon::synchronize();
  return run;
}

}  // namespace

double max_difference(const std::vector<Value>& a, const std::vector<Value>& b) {
  double largest = 0;
  for_each_pair(a, b, [&](const Numbers& x, const Numbers& y) {
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (std::isnan(x[k]) && std::isnan(y[k])) continue;
      const double d = std::abs(static_cast<double>(x[k]) - y[k]);
      const double relative = d / std::max(1.0, std::abs(static_cast<double>(y[k])));
      largest =
          std::isnan(d) ? std::numeric_limits<double>::infinity() : std::max(largest, relative);
    }
  });
  return largest;
}

double mean_difference(const std::vector<Value>& a, const std::vector<Value>& b) {
  double largest = 0;
  for_each_pair(a, b, [&](const Numbers& x, const Numbers& y) {
    const Moments of_x = moments(x);
    const Moments of_y = moments(y);
    const double scale = std::max(std::abs(of_y.mean), of_y.deviation);
    const double difference = std::abs(of_x.mean - of_y.mean);
    if (difference > 0) largest = std::max(largest, difference / scale);
  });
  return largest;
}

Form reference_of(const Entry& entry, Form form) {
  const Form reference = entry.by_hand ? Form::hand : Form::steps;
  return form == reference ? Form::tensor : reference;
}

Measurement measure(const Simulation& simulation, Form form, std::int64_t steps,
                    std::unique_ptr<Run>& last) {
  Measurement result;
  const trigon::Counters before = trigon::counters();
  finished(simulation, form, steps);
  const trigon::Counters first = trigon::counters();
  result.programs_first = (first - before).programs_compiled;

  const auto begin = std::chrono::steady_clock::now();
  last = finished(simulation, form, steps);
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - begin;
  result.ms = spent.count();
  result.cost = trigon::counters() - first;
  result.summary = last->summary();
  return result;
}

void compare(const Simulation& simulation, const Entry& entry, Form form, std::int64_t steps,
             Measurement& measurement) {
  const Form reference = reference_of(entry, form);
  const std::int64_t few = compared_steps(entry, steps);
  const auto values = [&](Form which, std::int64_t n) {
    return finished(simulation, which, n)->values();
  };
  measurement.compared_with = reference;
  measurement.compared_steps = few;
  measurement.max_difference = max_difference(values(form, few), values(reference, few));
  if (entry.chaotic) {
    measurement.mean_difference = mean_difference(values(form, steps), values(reference, steps));
  }
}

}  // namespace simulate
