// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>

#include "trigon/print.hpp"

namespace trigon::detail::tensor {

/// The text of one element, padded to the width of its column.
using NumberFormat = std::function<std::string(double)>;

/// NumPy's format of elements of `dtype` in an array with `values`.
NumberFormat number_format(std::span<const double> values, DType dtype,
                           const PrintOptions& options);

/// A single number, as NumPy's str() of a scalar.
std::string scalar_text(double value, DType dtype);

}  // namespace trigon::detail::tensor
