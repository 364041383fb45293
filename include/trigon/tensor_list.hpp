// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

#include <trigon/axes.hpp>
#include <trigon/detail/tensor_class.hpp>
#include <trigon/index.hpp>

namespace trigon {

/// A parameter of several tensors: `{x, y}`, or a vector, array or span of Tensors or Selections.
/// It refers to the list that it is made from, which must live as long as the call.
class TensorList : public detail::ListView<Tensor> {
 public:
  TensorList(std::initializer_list<Tensor> list) : ListView(list) {}
  template <detail::ListOf<Tensor> List>
  TensorList(const List& list) : ListView(list) {}
  template <detail::Selections List>
  TensorList(const List& list) : copies_(list.begin(), list.end()) {
    list_ = copies_;
  }

 private:
  std::vector<Tensor> copies_;
};

}  // namespace trigon
