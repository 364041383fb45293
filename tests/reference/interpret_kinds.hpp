// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "graph/node.hpp"

namespace trigon::detail::graph {

/// An input of a node that is interpreted; does not own its values.
struct Operand {
  const Shape& shape;
  DType dtype;
  const std::vector<double>& values;
};

/// The elements of a node in C order, computed from those of its inputs.
std::vector<double> compute(const Node& node, std::span<const Operand> in);

std::vector<std::vector<double>> results_of_reduction(const Node& node,
                                                      std::span<const Operand> in);

/// The results of one of the library's own kernels. Raises Error for a user's kernel.
std::vector<std::vector<double>> results_of_kernel(const Node& node, std::span<const Operand> in);

}  // namespace trigon::detail::graph
