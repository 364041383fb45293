// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "trigon/print.hpp"

namespace trigon::detail::tensor {

/// The printed elements in C order. An axis that a summary cuts has its first and last `edgeitems`.
struct PrintedArray {
  Shape shape;     ///< of the tensor
  DType dtype;     ///< of the tensor
  bool summarise;  ///< whether long axes are cut
  std::span<const double> values;
};

/// Whether a tensor of this shape is summarised.
bool is_summarised(const Shape& shape, const PrintOptions& options);

/// The array as NumPy's str() writes it.
std::string array_text(const PrintedArray& array, const PrintOptions& options);

}  // namespace trigon::detail::tensor
