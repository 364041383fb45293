// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
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
  std::string name{};  ///< its name in errors; "" if it may be an empty handle
};

/// The arguments of a call, with tensors by their place among the operands.
struct Example {
  Json arguments;
  std::vector<Operand> operands{};
  std::size_t given = 0;  ///< arguments that the text has; the others are defaults
};

/// Reads a list of arguments, as Facts has it. Arguments that are left out get their defaults.
/// Raises Error if the text is not such a list, or lacks an argument without a default.
Example read_example(const Row& row, std::string_view text);

/// Calls the function with these tensors as operands. Raises Error as the function does.
std::vector<Tensor> call(const Row& row, const Example& example, std::span<const Tensor> operands);

}  // namespace trigon::detail::table
