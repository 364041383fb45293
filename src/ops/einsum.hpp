// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/rooms.hpp"
#include "trigon/tensor.hpp"

namespace trigon::detail::ops {

/// A tensor with a name for each axis; names are different.
struct Named {
  Tensor x;
  std::string axes;
};

/// The operands of a sum of products: integers and bools are cast to the dtype that `sum` gives for
/// their promoted dtype, so that products are as wide as sums.
std::vector<Tensor> widened(std::span<const Tensor> xs);
/// a * b, element-wise, of `widened` operands.
Tensor widened_product(const Tensor& a, const Tensor& b);

/// The axes in the order of `axes`, which has the same names.
Tensor ordered(const Named& a, const std::string& axes);

/// The product of two tensors. Common axes in `kept` stay; the other common axes are summed over.
/// The result has the kept common axes, then those only in a, then those only in b. Common axes
/// must have the same sizes. Raises Error past eight axes.
Named product(const Named& a, const Named& b, const std::set<char>& kept);

}  // namespace trigon::detail::ops
