// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <trigon/tensor.hpp>

// A call of each public function that takes tensors. error_names_test.cpp compares them with the
// headers.

namespace trigon {

using Tensors = std::span<const Tensor>;

/// A call of a public function.
struct Row {
  std::string name;                     ///< "nn::softmax"
  std::vector<std::string> operands{};  ///< names of the tensors, "" for one that may be empty
  std::function<void(Tensors)> call{};
  std::vector<Shape> shapes{};             ///< that the call takes
  std::function<void(Tensors)> on_axis{};  ///< the call with an axis out of range
  std::vector<Shape> unfit{};              ///< shapes that do not fit together
  DType dtype = float32;                   ///< of all operands but `indices` and `ids`
};
const std::vector<Row>& rows();

/// A call with an empty handle where other operands would be evaluated, or are not plain tensors.
struct EmptyCall {
  std::string name;
  std::string operand;
  std::function<void(const Tensor&)> call;
};
const std::vector<EmptyCall>& calls_that_read();

}  // namespace trigon
