// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include <trigon/config.hpp>

namespace trigon {

class Device;
class Scalar;
class Shape;
class Tensor;
struct Op;
template <class T>
class Future;

namespace detail {
struct Internals;
}
namespace detail::graph {
struct Node;
using NodePtr = std::shared_ptr<Node>;
}  // namespace detail::graph

}  // namespace trigon
