// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <trigon/tensor.hpp>

// Calls of each public function that takes tensors, from the table of functions.

namespace trigon {

using Tensors = std::span<const Tensor>;

/// An example of a public function, or a call of it that must be refused.
struct PublicCall {
  struct Leaf {
    Shape shape;
    DType dtype;
  };

  std::string name;                     ///< "nn::softmax"
  std::vector<std::string> operands{};  ///< names of the tensors, "" for one that may be empty
  std::vector<Leaf> leaves{};           ///< that the call takes
  std::function<void(Tensors)> call{};
  std::string wrong{};  ///< how the error begins; "" for an example

  bool is_on_axis() const { return wrong == "axis out of range"; }
};
const std::vector<PublicCall>& public_calls();

/// A call with an empty handle where other operands would be evaluated, or are not plain tensors.
struct EmptyCall {
  std::string name;
  std::string operand;
  std::function<void(const Tensor&)> call;
};
const std::vector<EmptyCall>& calls_that_read();

}  // namespace trigon
