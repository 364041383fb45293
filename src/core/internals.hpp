// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <utility>

#include "trigon/device.hpp"
#include "trigon/random.hpp"
#include "trigon/scalar.hpp"
#include "trigon/tensor.hpp"

namespace trigon::detail {

/// The members of public classes that users do not see.
struct Internals {
  /// Raises Error for an empty handle.
  static const graph::NodePtr& node(const Tensor& x) { return x.node(); }
  static Tensor tensor(graph::NodePtr node) { return Tensor(std::move(node)); }
  /// The number of a node that holds a run-time number.
  static Scalar scalar(graph::NodePtr node) { return Scalar(std::move(node)); }

  static const std::shared_ptr<run::DeviceState>& state(const Device& device) {
    return device.state_;
  }
  static Device device(std::shared_ptr<run::DeviceState> state) { return Device(std::move(state)); }

  /// Both words modulo 2^32, each as a sum of two integers, the first in units of 256.
  static const std::array<Tensor, 4>& pieces(const random::Key& key) { return key.pieces_; }
  static random::Key key(std::array<Tensor, 4> pieces) { return random::Key(std::move(pieces)); }
};

}  // namespace trigon::detail
