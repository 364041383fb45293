// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "table/row.hpp"

namespace trigon::detail::table {

/// A tensor of an example.
struct Operand {
  Shape shape;
  DType dtype;
  std::string name{};  ///< as errors have it; "" for one that may be empty
};

/// The arguments of a call, with tensors by their place among the operands.
struct Example {
  Json arguments;
  std::vector<Operand> operands{};
};

/// Reads a list of arguments, as Facts has it. Arguments that are left out get their defaults.
/// Raises Error where the text is none, and where an argument without a default is missing.
Example read_example(const Row& row, std::string_view text);

/// Calls with these tensors for the operands. Raises Error as the function does.
std::vector<Tensor> call(const Row& row, const Example& example, std::span<const Tensor> operands);

}  // namespace trigon::detail::table
