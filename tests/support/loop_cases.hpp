// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <trigon/trigon.hpp>

// Loops to try everywhere: each is written once, and run as a loop or as a plain C++ `for` over the
// same operations.

namespace trigon::support {

/// How a case is run.
struct LoopForm {
  bool is_unrolled = false;
  /// Stores a computed value, which is then captured, not recomputed.
  std::function<Tensor(const Tensor&)> stored = [](const Tensor& x) { return x; };

  template <class Body, class State>
  State fori(std::int64_t lower, std::int64_t upper, Body body, State init) const {
    if (!is_unrolled) return fori_loop(lower, upper, body, std::move(init));
    for (std::int64_t i = lower; i < upper; ++i) init = body(step(i), std::move(init));
    return init;
  }

  template <class F, class State, class Xs>
  auto scan(F f, State init, Xs xs) const {
    if (!is_unrolled) return trigon::scan(f, std::move(init), std::move(xs));
    using Pair = std::invoke_result_t<F&, State, Xs>;
    using Y = typename Pair::second_type;
    std::vector<std::vector<Tensor>> outputs;
    std::optional<Y> like;
    const std::int64_t iterations = tree_leaves(xs)[0].shape()[0];
    for (std::int64_t t = 0; t < iterations; ++t) {
      Pair pair = f(std::move(init), tree_map([&](const Tensor& x) { return x[t]; }, xs));
      init = std::move(pair.first);
      outputs.push_back(tree_leaves(pair.second));
      like = std::move(pair.second);
    }
    std::vector<Tensor> stacked;
    for (std::size_t k = 0; k < outputs[0].size(); ++k) {
      std::vector<Tensor> column;
      for (const auto& row : outputs) column.push_back(row[k]);
      stacked.push_back(stack(column));
    }
    return ScanResult<State, Y>{std::move(init), tree_unflatten(*like, std::move(stacked))};
  }

  /// `iterations`: enough for all elements.
  template <class Condition, class Body, class State>
  State while_loop(Condition condition, Body body, State init, std::int64_t iterations) const {
    if (!is_unrolled) return trigon::while_loop(condition, body, std::move(init));
    for (std::int64_t t = 0; t < iterations; ++t) {
      const Tensor holds = condition(init);
      const auto choose = [&](const Tensor& next, const Tensor& last) {
        Shape shape = holds.shape();
        while (shape.rank() < last.ndim()) shape.push_back(1);
        return where(reshape(holds, shape), next, last);
      };
      State next = body(init);
      init = tree_map(choose, std::move(next), init);
    }
    return init;
  }

  static Tensor step(std::int64_t i) { return full({}, static_cast<double>(i), int32); }

  /// Values in [-1, 1] without a pattern.
  Tensor noise(const Shape& shape, double seed) const {
    return stored(reshape(sin(iota(shape.numel()).astype(float32) * 1.7 + seed), shape));
  }
  /// Integers from 0 to n - 1 without a pattern.
  Tensor below(std::int64_t n, const Shape& shape, int seed) const {
    return stored(reshape((iota(shape.numel()) * 7919 + seed) % 10007 % n, shape));
  }
};

/// The sum of the terms, from left to right. The items of a braced list are made in order, while
/// C++ leaves the order of an operator's operands to the compiler.
inline Tensor total(std::initializer_list<Tensor> terms) {
  const Tensor* term = terms.begin();
  Tensor sum = *term;
  while (++term != terms.end()) sum = sum + *term;
  return sum;
}

struct LoopCase {
  const char* name;
  std::vector<Tensor> (*run)(const LoopForm& form);
};

/// All of them, those that are scans, and those whose steps read neighbours.
std::span<const LoopCase> loop_cases();
std::span<const LoopCase> scan_cases();
std::span<const LoopCase> stencil_cases();

}  // namespace trigon::support
