// SPDX-License-Identifier: MIT
#include "pi.hpp"

#include <fmt/format.h>

#include <trigon/trigon.hpp>

#include "keys.hpp"
#include "looped.hpp"

namespace simulate {

using trigon::Tensor;

Pi::State Pi::start() const { return {trigon::zeros({lanes}, trigon::int32)}; }

Pi::State Pi::next(const State& s, const Tensor& step) const {
  const Tensor key = seed;
  const Tensor x = uniform(fold_in(key, step * 2), {lanes});
  const Tensor y = uniform(fold_in(key, step * 2 + 1), {lanes});
  return {s.inside + (x * x + y * y < 1.0).astype(trigon::int32)};
}

std::vector<Value> Pi::values(const State& s) const { return {{"inside", s.inside}}; }

std::string Pi::summary(const State& s, std::int64_t steps) const {
  double inside = 0;
  for (const std::int32_t n : s.inside.to_vector<std::int32_t>()) inside += n;
  const double samples = static_cast<double>(lanes) * static_cast<double>(steps);
  return fmt::format("pi is about {:.6f}", 4.0 * inside / samples);
}

std::unique_ptr<Simulation> make_pi(const Settings& settings) {
  return std::make_unique<Looped<Pi>>(Pi{settings.lanes, trigon::Scalar(settings.seed)},
                                      settings.report);
}

}  // namespace simulate
