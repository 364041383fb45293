// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/random_graph.hpp"

// Runs of random graphs against their references. TRIGON_SEEDS is their number, TRIGON_FIRST_SEED
// the first seed.

namespace trigon::support {

inline int number_in(const char* variable, int otherwise, int least) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::max(std::atoi(text), least);
}

inline int random_seeds() { return number_in("TRIGON_SEEDS", 300, 1); }
/// The same for a test of `all` cases by default.
inline std::uint32_t random_seeds(std::uint32_t all) {
  return std::max<std::uint32_t>(all * static_cast<std::uint32_t>(random_seeds()) / 300, 1);
}
inline int first_random_seed() { return number_in("TRIGON_FIRST_SEED", 0, 0); }

inline int random_steps(std::uint32_t seed) { return 6 + static_cast<int>(seed % 31); }

/// An evaluator of random graphs.
struct RandomDevice {
  std::function<Tensor(const std::vector<double>& values, DType dtype, const Shape& shape)> upload;
  std::function<void(std::span<const Tensor>)> evaluate;
  /// The elements in C order; NaN is never right.
  std::function<std::vector<double>(const Tensor&)> read;
  /// Called with every new value.
  std::function<void(const Tensor&)> each = [](const Tensor&) {};
};

/// The first element that is further from the reference than its bound, or "".
inline std::string wrong_element(const RandomValue& value, const std::vector<double>& got) {
  const std::vector<double>& want = *value.want;
  if (got.size() != want.size()) return "another number of elements";
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (std::abs(got[i] - want[i]) <= value.error) continue;
    return fmt::format("v{}[{}] is {:.9g} in place of {:.9g}, allowed {:.3g}", value.number, i,
                       got[i], want[i], value.error);
  }
  return "";
}

/// The first wrong value of a graph, or "". Values in the middle are checked when the graph asks
/// for them, the others at its end: the roots of one evaluation first, then each that is still
/// held.
inline std::string wrong_value(std::uint32_t seed, int steps, Profile profile,
                               const RandomDevice& device) {
  std::string wrong;
  const auto check = [&](const RandomValue& value) {
    if (wrong.empty()) wrong = wrong_element(value, device.read(value.tensor));
  };
  RandomHooks hooks;
  hooks.leaf = device.upload;
  hooks.each = device.each;
  hooks.evaluate = [&](std::span<const RandomValue* const> values) {
    std::vector<Tensor> roots;
    for (const RandomValue* v : values) roots.push_back(v->tensor);
    device.evaluate(roots);
    for (const RandomValue* v : values) check(*v);
  };
  const RandomGraph graph(seed, steps, profile, hooks);
  hooks.evaluate(graph.roots());
  for (const RandomValue& value : graph.values()) {
    if (value.is_held()) check(value);
  }
  return wrong.empty() ? "" : wrong + "; " + graph.text();
}

/// Counts the graphs that a device refuses because a tensor does not fit. With textures of 63 x 63
/// texels and no layers about one in fifty is refused; more than one in twenty is a failure.
class Refusals {
 public:
  explicit Refusals(bool may_refuse) : may_refuse_(may_refuse) {}
  Refusals(const Refusals&) = delete;
  Refusals& operator=(const Refusals&) = delete;
  ~Refusals() { EXPECT_LE(refused_, 2 + graphs_ / 20) << "refused of " << graphs_ << " graphs"; }

  /// The result of run(), or the text of its exception, unless that is a refusal.
  template <class F>
  std::string failure_of(F run) {
    ++graphs_;
    try {
      return run();
    } catch (const DeviceError& error) {
      const std::string_view text = error.what();
      const bool refuses =
          text.starts_with("trigon::eval: tensor too large for the device") ||
          text.starts_with("trigon::eval: too many elements for the shader's integers");
      if (!may_refuse_ || !refuses) return error.what();
      ++refused_;
      return "";
    } catch (const std::exception& error) {
      return error.what();
    }
  }

 private:
  bool may_refuse_;
  int graphs_ = 0;
  int refused_ = 0;
};

/// The failure of a seed's graph, shrunk to the fewest steps that fail, or "". failure_of(steps)
/// gives it for a number of steps.
template <class F>
std::string shrunk_failure(std::uint32_t seed, F failure_of) {
  const int all = random_steps(seed);
  std::string failure = failure_of(all);
  if (failure.empty()) return "";
  int steps = 0;
  for (; steps < all; ++steps) {
    const std::string shorter = failure_of(steps);
    if (shorter.empty()) continue;
    failure = shorter;
    break;
  }
  return fmt::format("seed {}, {} steps: {}", seed, steps, failure);
}

}  // namespace trigon::support
