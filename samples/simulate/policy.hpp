// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <trigon/tensor.hpp>

#include "simulation.hpp"

namespace simulate {

/// The sizes of a network with one hidden layer.
struct Layers {
  std::int64_t inputs, hidden, outputs;
  std::int64_t weights() const { return (inputs + 1) * hidden + (hidden + 1) * outputs; }
};

/// A network for each element: tanh of a linear layer, then a linear layer.
struct Policy {
  trigon::Tensor in;        ///< (elements, inputs, hidden)
  trigon::Tensor in_bias;   ///< (elements, hidden)
  trigon::Tensor out;       ///< (elements, hidden, outputs)
  trigon::Tensor out_bias;  ///< (elements, outputs)

  std::int64_t elements() const { return in.shape()[0]; }
  /// x : (elements, inputs). Returns (elements, outputs).
  trigon::Tensor operator()(const trigon::Tensor& x) const;
  /// The weights, by the names above.
  std::vector<Value> inputs() const;
};

/// Normal weights, evaluated.
Policy random_policy(std::int64_t elements, const Layers& layers, std::int64_t seed);

/// The policy of one element for `copies` elements, evaluated. element : int32, shape ().
Policy copies_of(const Policy& policy, const trigon::Tensor& element, std::int64_t copies);

/// The next population, evaluated. Its first element is the fittest one, unchanged. Each other
/// element has one or two parents, which won tournaments of four; its weights are taken from either
/// at random, and some are changed.
///
/// fitness : (elements,), larger is better. NaN never wins.
Policy breed(const Policy& parents, const trigon::Tensor& fitness, std::int64_t seed);

/// GLSL statements for a kernel by hand with raw inputs A, B, C and D, the four tensors of a
/// Policy. They read the weights of element i into registers. The hidden size is a multiple of 4.
std::string weights_glsl(const Layers& layers);
/// Statements that declare float outcome[outputs] and compute it from float seen[inputs].
std::string policy_glsl(const Layers& layers);

}  // namespace simulate
