// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <vector>

#include "trigon/tensor.hpp"

namespace trigon::graph {

/// A tensor with a name for each axis; names are different.
struct Named {
  Tensor x;
  std::string axes;
};

/// The axes in the order of `axes`, which has the same names.
Tensor ordered(const Named& a, const std::string& axes);

/// The product of two over the axes that both have. Of those, the ones in `kept` stay; the others
/// are summed over. The result has the kept common axes, then those of a alone, then those of b.
/// Common axes have the same sizes. Raises Error, naming `function`, past eight axes.
Named product(const char* function, const Named& a, const Named& b, const std::set<char>& kept);

}  // namespace trigon::graph
