// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "simulation.hpp"

namespace simulate {

/// Prices of European options without dividends. Source: Black and Scholes, "The Pricing of
/// Options and Corporate Liabilities", 1973.
struct BlackScholes {
  static constexpr double rate = 0.02;       ///< of interest, a year
  static constexpr double volatility = 0.3;  ///< of the share, a year

  trigon::Tensor price, strike, years;  ///< (options,)

  struct Prices {
    trigon::Tensor call, put;  ///< (options,)
  };

  BlackScholes(std::int64_t options, std::int64_t seed);
  /// `stored` is called with each value of the formula and returns it.
  Prices prices(const std::function<trigon::Tensor(trigon::Tensor)>& stored) const;
  /// The mean price of calls in heat colours over the share's price, to the right, and the strike,
  /// upwards. Places without options are black.
  trigon::Tensor picture(const Prices& prices) const;
};

}  // namespace simulate
