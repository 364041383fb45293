// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trigon/tensor.hpp>

#include "core/internals.hpp"
#include "graph/build.hpp"
#include "reference/interpret.hpp"
#include "support/values.hpp"

namespace trigon::support {

/// A value of a random graph, with its reference.
struct RandomValue {
  int number;     ///< v<number> in the graph's text
  Tensor tensor;  ///< empty once the graph has dropped it
  Shape shape;
  DType dtype;
  double error;                     ///< largest distance of an element from `want`; 0: exact
  double size;                      ///< largest absolute value of `want`
  const std::vector<double>* want;  ///< elements in C order; owned by the pool

  bool is_held() const { return tensor.has_value(); }
  bool is_exact() const { return error == 0; }
  double least() const { return want->empty() ? 0 : *std::min_element(want->begin(), want->end()); }
  /// Exact whole numbers: sums and products of them are exact in any order below 2^24.
  bool is_whole() const {
    return is_exact() &&
           std::all_of(want->begin(), want->end(), [](double v) { return v == std::trunc(v); });
  }
};

/// Callbacks of a random graph. They do not change the graph.
struct RandomHooks {
  /// Makes a leaf of these elements in C order, already rounded to `dtype`.
  std::function<Tensor(const std::vector<double>& values, DType dtype, const Shape& shape)> leaf;
  /// Called with every new value.
  std::function<void(const Tensor&)> each = [](const Tensor&) {};
  /// Called in the middle, with some values to evaluate together before the graph grows further.
  std::function<void(std::span<const RandomValue* const>)> evaluate =
      [](std::span<const RandomValue* const>) {};
};

/// Half the distance between neighbours of float32 at 1.
inline constexpr double float_epsilon = 1.0 / 16777216;
/// Whole numbers up to here are exact in float32.
inline constexpr double most_exact = 16777216;

/// The values from which a random graph grows, each with its reference and a bound on its error.
/// Decisions depend only on the seed and the reference, never on a device.
class RandomPool {
 public:
  RandomPool(std::uint32_t seed, Profile profile, RandomHooks hooks)
      : random(seed), profile_(profile), hooks_(std::move(hooks)) {}

  Random random;

  bool is_webgl1() const { return profile_ == Profile::webgl1; }
  const std::deque<RandomValue>& values() const { return values_; }
  /// The steps as text, for failures.
  const std::string& text() const { return text_; }
  /// Elements of every node so far, leaves included.
  const graph::KnownValues& known() const { return known_; }

  /// A held value for which `fits` holds, or null. Often one of the latest, so that graphs become
  /// deep.
  template <class F>
  RandomValue* pick(F fits) {
    std::vector<RandomValue*> candidates;
    for (RandomValue& v : values_) {
      if (v.is_held() && fits(v)) candidates.push_back(&v);
    }
    if (candidates.empty()) return nullptr;
    const int count = static_cast<int>(candidates.size());
    const int back = random.below(random.chance(0.5) ? std::min(count, 3) : count);
    return candidates[static_cast<std::size_t>(count - 1 - back)];
  }
  RandomValue* pick() {
    return pick([](const RandomValue&) { return true; });
  }

  /// A tensor of host values that is not a value of the graph, such as indices.
  Tensor leaf(std::vector<double> values, DType dtype, const Shape& shape) {
    Tensor x = hooks_.leaf(values, dtype, shape);
    known_.emplace(detail::Internals::node(x)->id, std::move(values));
    return x;
  }

  /// Adds a new value with this bound on its error, unless it is too large, too uncertain for a
  /// check, or outside the profile's integers.
  void keep(Tensor x, double error, const std::string& step) {
    if (x.size() > 4096 || x.ndim() > 6) return;
    const std::vector<double>& want = graph::interpret(detail::Internals::node(x), known_);
    double size = 0;
    for (const double v : want) {
      if (!std::isfinite(v)) return;
      size = std::max(size, std::abs(v));
    }
    if (is_float(x.dtype()) && (size > 1e6 || error > 0.02 * (1 + size))) return;
    if (!is_float(x.dtype())) error = 0;
    if (is_webgl1() && is_integer(x.dtype()) && size >= most_exact) return;
    const int number = static_cast<int>(values_.size());
    text_ += fmt::format("v{} = {} {} {}; ", number, step, name(x.dtype()), to_string(x.shape()));
    values_.push_back({number, std::move(x), {}, {}, error, size, &want});
    RandomValue& value = values_.back();
    value.shape = value.tensor.shape();
    value.dtype = value.tensor.dtype();
    hooks_.each(value.tensor);
  }

  /// As `keep`, for an op that rounds: by `ulps` of float32 at the largest element.
  void keep_rounded(Tensor x, double error, const std::string& step, double ulps = 12) {
    const double size = size_of(x);
    keep(std::move(x), error + ulps * float_epsilon * size + 1e-37, step);
  }

  /// As `keep`, for one correctly rounded op: exact if its inputs are and float32 has the result.
  void keep_correct(Tensor x, double error, const std::string& step) {
    const bool is_exact =
        error == 0 && is_float32_exact(graph::interpret(detail::Internals::node(x), known_));
    if (is_exact) return keep(std::move(x), 0, step);
    keep_rounded(std::move(x), error, step, 2);
  }

  /// Largest absolute element of a tensor that is not a value yet.
  double size_of(const Tensor& x) {
    double size = 0;
    for (const double v : graph::interpret(detail::Internals::node(x), known_))
      size = std::max(size, std::abs(v));
    return size;
  }

  /// Drops the handle of a value, which then lives on only as an input.
  Tensor drop(RandomValue& value) {
    text_ += fmt::format("drop v{}; ", value.number);
    return std::exchange(value.tensor, Tensor());
  }

  void evaluate(const std::vector<const RandomValue*>& values) {
    text_ += "eval";
    for (const RandomValue* v : values) text_ += fmt::format(" v{}", v->number);
    text_ += "; ";
    hooks_.evaluate(values);
  }

 private:
  // Without denormals, since drivers flush them.
  static bool is_float32_exact(const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double v) {
      return v == 0 || (std::abs(v) > 1e-37 && v == static_cast<float>(v));
    });
  }

  Profile profile_;
  RandomHooks hooks_;
  std::deque<RandomValue> values_;
  graph::KnownValues known_;
  std::string text_;
};

/// "v3", for the text of a step.
inline std::string label(const RandomValue& x) { return fmt::format("v{}", x.number); }

/// Whether NumPy broadcasts the two.
inline bool broadcasts(const Shape& a, const Shape& b) {
  for (int k = 1; k <= std::min(a.rank(), b.rank()); ++k) {
    if (a[-k] != b[-k] && a[-k] != 1 && b[-k] != 1) return false;
  }
  return true;
}

/// Whether x broadcasts to exactly `shape`.
inline bool broadcasts_to(const Shape& x, const Shape& shape) {
  if (x.rank() > shape.rank()) return false;
  for (int k = 1; k <= x.rank(); ++k) {
    if (x[-k] != shape[-k] && x[-k] != 1) return false;
  }
  return true;
}

}  // namespace trigon::support
