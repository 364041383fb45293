// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include <trigon/index.hpp>
#include <trigon/join.hpp>
#include <trigon/shape.hpp>
#include <trigon/tensor.hpp>

namespace trigon::support {

/// A way to see a tensor of shape `base` as one of shape (3, 5).
struct View {
  const char* name;
  Shape base;
  Tensor (*apply)(const Tensor& x);
};

inline const std::vector<View>& views() {
  static const std::vector<View> all = {
      {"transposed", {5, 3}, [](const Tensor& x) { return x.T(); }},
      {"stepped",
       {7, 12},
       [](const Tensor& x) {
         return x.at(Slice{1, {}, 2}, Slice{2, {}, 2}).get();
       }},
      {"backwards",
       {6, 10},
       [](const Tensor& x) {
         return x.at(Slice{{}, {}, -2}, Slice{{}, {}, -2}).get();
       }},
      {"offset",
       {40},
       [](const Tensor& x) {
         return x[Slice{7, 22}].reshape(3, 5);
       }},
      {"columns",
       {3, 11},
       [](const Tensor& x) {
         return x.at(ellipsis, Slice{5, 10}).get();
       }},
      {"flipped", {3, 5}, [](const Tensor& x) { return flip(x); }},
      {"row",
       {5},
       [](const Tensor& x) {
         return broadcast_to(x, {3, 5});
       }},
      {"column",
       {3, 1},
       [](const Tensor& x) {
         return broadcast_to(x, {3, 5});
       }},
      {"scalar",
       {},
       [](const Tensor& x) {
         return broadcast_to(x, {3, 5});
       }},
      {"permuted",
       {5, 2, 3},
       [](const Tensor& x) {
         return x.transpose({1, 2, 0}).at(1).get();
       }},
      {"merged",
       {3, 5, 4},
       [](const Tensor& x) {
         return x.transpose({2, 0, 1}).reshape(12, 5)[Slice{2, 5}];
       }},
      {"padded",
       {2, 3},
       [](const Tensor& x) {
         const std::array<PadWidth, 2> widths{PadWidth{1, 0}, PadWidth{1, 1}};
         return pad(x, widths, 0.5);
       }},
      {"taken",
       {4, 5},
       [](const Tensor& x) {
         return take(x, tensor<std::int32_t>({2, 0, -1}), 0);
       }},
      {"joined",
       {3, 5},
       [](const Tensor& x) {
         return concatenate({x[Slice{1, 3}], x[Slice{0, 1}]}, 0);
       }},
  };
  return all;
}

}  // namespace trigon::support
