// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include <trigon/create.hpp>
#include <trigon/math.hpp>
#include <trigon/shape.hpp>

#include "core/internals.hpp"
#include "graph/node.hpp"
#include "reference/interpret.hpp"
#include "support/errors.hpp"

// Helpers of tests of graphs without a device.

namespace trigon {

using support::error_of;

/// A leaf without values: enough for shapes and dtypes.
inline Tensor leaf(const Shape& shape, DType dtype = float32) {
  return detail::Internals::tensor(std::make_shared<graph::Node>(graph::Kind::leaf, dtype, shape));
}

/// Values in [-1, 1] without a pattern, made of no leaf, so that no device is needed.
inline Tensor noise(const Shape& shape, double seed) {
  return reshape(sin(iota(shape.numel()).astype(float32) * 1.7 + seed), shape);
}

inline std::vector<double> values(const Tensor& x) {
  return graph::interpret(detail::Internals::node(x));
}

}  // namespace trigon
