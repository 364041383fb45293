// SPDX-License-Identifier: MIT
#include <cstdint>

#include <fmt/format.h>

#include "graph/build.hpp"
#include "trigon/error.hpp"
#include "trigon/ops/binary.hpp"
#include "trigon/ops/index.hpp"
#include "trigon/ops/logic.hpp"
#include "trigon/ops/view.hpp"

namespace trigon {
namespace {

void check_indices(const char* function, const Tensor& x, const Tensor& indices, int axis) {
  if (!is_integer(indices.dtype())) {
    throw Error(
        fmt::format("trigon::{}: indices are not integers: dtype is {}; must be int32, "
                    "uint32 or uint8",
                    function, name(indices.dtype())));
  }
  if (x.shape()[axis] == 0 && indices.size() > 0) {
    throw Error(fmt::format("trigon::{}: axis is empty: x is {}, axis is {}; must have elements",
                            function, to_string(x.shape()), axis));
  }
}

// Indices into n elements. Those of uint32 past int32 would turn negative in an address and count
// from the end.
Tensor clamp_unsigned(const Tensor& indices, std::int64_t n) {
  return indices.dtype() == uint32 ? minimum(indices, n - 1) : indices;
}

std::int64_t product(const Shape& shape, int first, int last) {
  std::int64_t size = 1;
  for (int k = first; k < last; ++k) size *= shape[k];
  return size;
}

}  // namespace

Tensor take(const Tensor& x, const Tensor& indices, int axis) {
  const int k = normalize_axis("take", axis, x.ndim());
  check_indices("take", x, indices, k);
  Shape shape = x.shape();
  shape.erase(k);
  for (int i = 0; i < indices.ndim(); ++i) shape.insert(k + i, indices.shape()[i]);
  if (shape.numel() == 0) return zeros(shape, x.dtype());
  const Tensor clamped = clamp_unsigned(indices, x.shape()[k]);
  const graph::NodePtr node =
      graph::make(graph::Kind::take, x.dtype(), shape, {x.node(), clamped.node()});
  node->attrs = {k};
  return Tensor(node);
}

Tensor take_along_axis(const Tensor& x, const Tensor& indices, int axis) {
  const int k = normalize_axis("take_along_axis", axis, x.ndim());
  check_indices("take_along_axis", x, indices, k);
  Shape fitting = indices.shape();
  if (fitting.rank() == x.ndim()) fitting[k] = x.shape()[k];
  if (!(fitting == x.shape())) {
    throw Error(
        fmt::format("trigon::take_along_axis: shapes differ: x is {}, indices are {}; all "
                    "axes but axis {} must be equal",
                    to_string(x.shape()), to_string(indices.shape()), k));
  }
  if (indices.size() == 0) return zeros(indices.shape(), x.dtype());
  // Positions in x's elements in C order: outer, index, inner.
  const std::int64_t n = x.shape()[k];
  const std::int64_t outer = product(x.shape(), 0, k);
  const std::int64_t inner = product(x.shape(), k + 1, x.ndim());
  const Tensor i =
      reshape(clamp_unsigned(indices, n).astype(int32), {outer, indices.shape()[k], inner});
  const Tensor row = clip(where(i < 0, i + n, i), 0, n - 1) + graph::positions(outer, 0, 3) * n;
  const Tensor flat = row * inner + graph::positions(inner, 2, 3);  // (outer, J, inner)
  return take(ravel(x), reshape(flat, indices.shape()), 0);
}

}  // namespace trigon
