// SPDX-License-Identifier: MIT
#include "trigon/jacobian.hpp"

#include <cstdint>

namespace trigon::detail::differentiated {

Shape jacobian_shape(const Shape& value, const Shape& argument) {
  Shape shape = value;
  for (const std::int64_t size : argument) shape.push_back(size);
  return shape;
}

Tensor directions(const Shape& shape) {
  return reshape(eye(shape.numel()), jacobian_shape({shape.numel()}, shape));
}

}  // namespace trigon::detail::differentiated
