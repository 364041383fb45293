// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include <trigon/tensor.hpp>

#include "simulation.hpp"

namespace simulate {

/// The neighbours of each element of a grid (rows, columns). Those outside have one value.
class Neighbours {
 public:
  Neighbours(const trigon::Tensor& grid, double outside);

  /// The elements `down` rows below and `right` columns to the right; both in -1 ... 1.
  trigon::Tensor at(int down, int right) const;
  /// The sum of the four neighbours that share a side.
  trigon::Tensor sum_of_4() const;
  /// The sum of all eight neighbours.
  trigon::Tensor sum_of_8() const;

 private:
  trigon::Tensor padded_;
  std::int64_t rows_, columns_;
};

/// The squared distances, in elements, between a square's elements and the line that a pointer
/// drew: float32 (side, side). Another line reuses the plan.
trigon::Tensor squared_distances(std::int64_t side, const Touch& touch);

/// Discs of the value 1 at random places of a square of zeros, float32 (side, side).
///
/// radius : relative to the side.
trigon::Tensor discs(std::int64_t side, std::int64_t seed, int count, double radius);

}  // namespace simulate
