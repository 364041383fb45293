// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

namespace trigon {

class Device;
class Scalar;
class Shape;
class Tensor;
struct Op;
template <class T>
class Future;

namespace graph {
struct Node;
using NodePtr = std::shared_ptr<Node>;
}  // namespace graph

}  // namespace trigon
