// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "simulation.hpp"

namespace simulate {

/// A genetic algorithm that looks for the minimum, 0, of Rastrigin's function. Source: Rastrigin,
/// "Systems of Extremal Control", 1974.
struct Rastrigin {
  static constexpr std::int64_t genes = 2000;
  static constexpr double limit = 5.12;

  struct State {
    trigon::Tensor population;  ///< float32 (elements, genes)
  };

  std::int64_t elements;
  trigon::Scalar seed;
  State initial;

  Rastrigin(std::int64_t elements, std::int64_t seed);
  /// 10 n + sum of x^2 - 10 cos(2 pi x), for each row of (elements, genes).
  static trigon::Tensor cost(const trigon::Tensor& population);
  /// costs : the population's costs, (elements,).
  State next(const State& s, const trigon::Tensor& costs, const trigon::Tensor& step) const;
};

}  // namespace simulate
