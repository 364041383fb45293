// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "handles.hpp"

namespace web {

/// Finds the plain numbers of a page that change from frame to frame.
///
/// JavaScript has one kind of number, so a page writes `x.multiply(k / 30)` where C++ passes a
/// Scalar. Each number would be a plan. A call has a place: its function, its other arguments, and
/// the places of its operands, of which a stored tensor counts by dtype and shape. A number that
/// has another value when its place is seen again is a Scalar from then on.
class ChangingNumbers {
 public:
  /// A call of the table with a Scalar in place of such a number, or nothing if it has none.
  /// `place` becomes that of its results. Only numbers next to float32 tensors change, in
  /// elementwise functions.
  std::optional<Json> call(const Handles& handles, const Json& call, std::uint64_t& place);

 private:
  struct Seen {
    double value;
    bool changes = false;
  };
  std::unordered_map<std::uint64_t, Seen> seen_;
};

}  // namespace web
