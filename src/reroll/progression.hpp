// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "ir/graph.hpp"

namespace trigon::detail::reroll {

/// Numbers start + step * k of one dtype that a shader computes exactly from a counter k = 0, 1,
/// ..., in float32 or int32. Integers are small enough for GLSL ES 1.00.
class Progression {
 public:
  /// The progression that begins with these two numbers. `dtype`: float32 or an integer.
  static std::optional<Progression> of(DType dtype, double first, double second);

  /// Whether its number k is `number`.
  bool has(std::int64_t k, double number) const;
  /// Its numbers at the counters `k`, an int32 entry of a graph.
  std::int32_t value(ir::GraphBuilder& b, std::int32_t k) const;

 private:
  Progression(DType dtype, double start, double step) : dtype_(dtype), start_(start), step_(step) {}

  DType dtype_;
  double start_;
  double step_;
};

}  // namespace trigon::detail::reroll
