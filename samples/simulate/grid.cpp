// SPDX-License-Identifier: MIT
#include "grid.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <trigon/trigon.hpp>

namespace simulate {

using trigon::PadWidth;
using trigon::Slice;
using trigon::Tensor;

Neighbours::Neighbours(const Tensor& grid, double outside)
    : padded_(trigon::pad(grid, std::array{PadWidth{1, 1}, PadWidth{1, 1}}, outside)),
      rows_(grid.shape()[0]),
      columns_(grid.shape()[1]) {}

Tensor Neighbours::at(int down, int right) const {
  return padded_.at(Slice{1 + down, 1 + down + rows_}, Slice{1 + right, 1 + right + columns_})
      .get();
}

Tensor Neighbours::sum_of_4() const {
  const Tensor up = at(-1, 0);
  const Tensor down = at(1, 0);
  const Tensor left = at(0, -1);
  const Tensor right = at(0, 1);
  return up + down + left + right;
}

Tensor Neighbours::sum_of_8() const {
  Tensor sum = sum_of_4();
  for (const int down : {-1, 1}) {
    for (const int right : {-1, 1}) sum = sum + at(down, right);
  }
  return sum;
}

Tensor squared_distances(std::int64_t side, const Touch& touch) {
  const double size = static_cast<double>(side);
  const double dx = touch.dx * size;
  const double dy = touch.dy * size;
  const double length = dx * dx + dy * dy;
  // From the line's end.
  const Tensor place = trigon::arange(side).astype(trigon::float32) + 0.5;
  const Tensor x = place - trigon::Scalar(touch.x * size);
  const Tensor y = expand_dims(place - trigon::Scalar(touch.y * size), 1);
  const trigon::Scalar back_x = length > 0.0 ? dx / length : 0.0;
  const trigon::Scalar back_y = length > 0.0 ? dy / length : 0.0;
  const Tensor along_x = x * back_x;
  const Tensor share = clip(-(along_x + y * back_y), 0.0, 1.0);  // of the way back
  const Tensor across = square(x + share * trigon::Scalar(dx));
  return across + square(y + share * trigon::Scalar(dy));
}

Tensor discs(std::int64_t side, std::int64_t seed, int count, double radius) {
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  // The quotient is the same on every machine; distributions of the standard library differ.
  const auto place = [&] { return random() / 4294967296.0 * static_cast<double>(side); };
  const double r = std::max(1.0, radius * static_cast<double>(side));
  std::vector<float> values(static_cast<std::size_t>(side * side));
  for (int k = 0; k < count; ++k) {
    const double x = place();
    const double y = place();
    for (std::int64_t row = 0; row < side; ++row) {
      for (std::int64_t column = 0; column < side; ++column) {
        const double dx = static_cast<double>(column) - x;
        const double dy = static_cast<double>(row) - y;
        if (dx * dx + dy * dy < r * r) values[static_cast<std::size_t>(row * side + column)] = 1;
      }
    }
  }
  return trigon::tensor(values, {side, side});
}

}  // namespace simulate
