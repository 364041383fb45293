// SPDX-License-Identifier: MIT
#pragma once

#include <trigon/debug.hpp>
#include <trigon/device.hpp>

namespace gpt2::test {

/// The cost of a greedy token of the bundled model after others, natively and in a browser.
constexpr trigon::Counters token_cost(trigon::Profile profile) {
  trigon::Counters cost;
  cost.draws = 49;
  cost.uniform_bytes = profile == trigon::Profile::webgl2 ? 112 : 160;
  cost.bytes_read = 16;
  return cost;
}

}  // namespace gpt2::test
