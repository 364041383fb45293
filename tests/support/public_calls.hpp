// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "table/example.hpp"

// Calls of each public function that takes tensors, from the table of functions.

namespace trigon {

using Tensors = std::span<const Tensor>;

/// Leaves without values.
std::vector<Tensor> leaves(const detail::table::Example& example);

/// An example of a public function, or a call of it that must be refused.
struct PublicCall {
  const detail::table::Row& row;
  detail::table::Example example;
  std::string wrong{};  ///< how the error begins; "" for an example

  const std::string& name() const { return row.name; }
  bool is_on_axis() const { return wrong == detail::table::bad_axis; }
  std::vector<Tensor> call(Tensors x) const { return detail::table::call(row, example, x); }
};
const std::vector<PublicCall>& public_calls();

/// A call with an empty handle, of a function that evaluates other operands or whose operands are
/// not plain tensors.
struct EmptyCall {
  std::string name;
  std::string operand;
  std::function<void(const Tensor&)> call;
};
const std::vector<EmptyCall>& calls_that_read();

}  // namespace trigon
