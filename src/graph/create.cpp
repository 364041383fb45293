// SPDX-License-Identifier: MIT
#include <cstdint>

#include "graph/build.hpp"
#include "trigon/create.hpp"
#include "trigon/shape.hpp"

namespace trigon::detail::graph {

Tensor positions(std::int64_t n, int axis, int rank) {
  Shape shape;
  for (int k = 0; k < rank; ++k) shape.push_back(k == axis ? n : 1);
  return reshape(iota(n), shape);
}

}  // namespace trigon::detail::graph
