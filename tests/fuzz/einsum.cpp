// SPDX-License-Identifier: MIT
#include <trigon/trigon.hpp>

#include "target.hpp"

// Subscripts of einsum, on a second line a byte for each rank and size.

void trigon::fuzz::run(Bytes bytes) {
  Reader reader(bytes);
  const std::string_view subscripts = reader.line();
  std::vector<Tensor> operands;
  while (!reader.empty() && operands.size() < 6) {
    std::vector<std::int64_t> sizes;
    for (int rank = reader.below(9); rank > 0; --rank) sizes.push_back(reader.below(4));
    operands.push_back(ones(Shape(sizes)));
  }
  allow_errors([&] {
    const Tensor result = einsum(subscripts, operands);
    require(result.ndim() <= Shape::max_rank, "ranks have a limit");
  });
}
