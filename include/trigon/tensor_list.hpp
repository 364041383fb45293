// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <iterator>
#include <vector>

#include <trigon/axes.hpp>
#include <trigon/detail/tensor_class.hpp>
#include <trigon/index.hpp>

namespace trigon {

/// A parameter of several tensors: `{x, y}`, or a vector, array or span of Tensors or Selections.
class TensorList : public detail::List<Tensor> {
 public:
  TensorList(std::initializer_list<Tensor> list) : List(list) {}
  template <detail::RangeOf<Tensor> Range>
  TensorList(const Range& range) : List({std::data(range), std::data(range) + std::size(range)}) {}
  template <detail::Selections Range>
  TensorList(const Range& range) : List({range.begin(), range.end()}) {}
};

}  // namespace trigon
