// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace ops_reference {

/// A function of a header that has a comment.
struct Function {
  std::string header;       ///< "math.hpp"
  std::string name;         ///< "nn::softmax"
  std::string declaration;  ///< "Tensor exp(const Tensor& x);"
  std::string comment;      ///< without the slashes; paragraphs are separated by an empty line
};

/// The public functions of a header, in order, with the `///` lines right above them. Those in a
/// row share a comment.
///
/// Raises std::runtime_error if the file cannot be read.
std::vector<Function> functions_of(const std::string& path);

}  // namespace ops_reference
