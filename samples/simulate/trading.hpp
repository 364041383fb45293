// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "policy.hpp"
#include "simulation.hpp"

namespace simulate {

/// Prices of an invented market, and features known before each day.
///
/// Each row is a day. Its 36 columns are six kinds with one column for each of six assets. The
/// kinds are the return of the coming day, the mean returns of 5 and of 20 days, and the deviation
/// over 20 days. Then come the distance from the mean price of 50 days, and the volume. The last
/// asset is cash at a fixed rate.
std::vector<float> market(std::int64_t days, std::int64_t seed);

/// Networks that redistribute a portfolio each day.
struct Trading {
  static constexpr Layers layers{8, 16, 6};
  static constexpr std::int64_t assets = 6;
  static constexpr std::int64_t columns = 36;
  static constexpr double fee = 0.001;  ///< of the traded value

  struct State {
    trigon::Tensor wealth;    ///< logarithm of the portfolio's value, (elements,)
    trigon::Tensor peak;      ///< the largest wealth so far, (elements,)
    trigon::Tensor drawdown;  ///< the largest loss from a peak, as a logarithm, (elements,)
    trigon::Tensor costs;     ///< all fees, each as a share of the portfolio, (elements,)
    trigon::Tensor holdings;  ///< shares of the assets, (elements, assets)
  };

  trigon::Tensor table;  ///< (days, columns)
  Policy policy;

  Trading(std::int64_t elements, std::int64_t days, std::int64_t seed);
  State start() const;
  State next(const State& s, const trigon::Tensor& step) const;
  State by_hand(const State& s, std::int64_t first, std::int64_t steps) const;
  trigon::Tensor fitness(const State& s) const { return s.wealth - 0.5 * s.drawdown; }
  /// Without the holdings, since a run computes all days at once.
  State result(State s) const;
  std::vector<Value> values(const State& s) const;
  /// The weights and the table.
  std::vector<Value> inputs() const;

 private:
  trigon::Tensor observe(const State& s, const trigon::Tensor& row) const;
};

}  // namespace simulate
