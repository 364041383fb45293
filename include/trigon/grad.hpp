// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <trigon/tensor.hpp>

namespace trigon {

/// The value of a function at some inputs, and the map from a gradient of the value to gradients
/// of the inputs.
struct Vjp {
  Tensor value;
  /// Takes dy, of value's shape, and returns one float32 gradient for each input, of the input's
  /// shape; zeros where value does not depend on the input. Gradients are ordinary graphs: they can
  /// be differentiated again. Raises Error when dy has another shape, or when an op between the
  /// inputs and the value has no gradient.
  std::function<std::vector<Tensor>(const Tensor& dy)> pullback;
};

/// Reverse-mode differentiation of f at `inputs`, without evaluating anything.
///
/// f is called once. It gets tensors of the inputs' values, of any shapes, and returns one tensor
/// of any shape; values that it captures count as constants. Raises Error when an input is not
/// float32, when f's result is neither float32 nor float16, or when a value that depends on an
/// input was evaluated inside f.
Vjp vjp(const std::function<Tensor(std::span<const Tensor>)>& f, std::span<const Tensor> inputs);

/// The gradients of f at `inputs`, one for each, of its shape. f returns a single number. Raises
/// Error when f's result has more than one element, and as vjp and its pullback do.
std::vector<Tensor> grad(const std::function<Tensor(std::span<const Tensor>)>& f,
                         std::span<const Tensor> inputs);
/// The gradient of f at x, of x's shape: `grad([](const Tensor& x) { return sum(x * x); }, x)`.
/// Raises as above.
inline Tensor grad(const std::function<Tensor(const Tensor&)>& f, const Tensor& x) {
  return grad([&f](std::span<const Tensor> in) { return f(in[0]); }, std::span(&x, 1))[0];
}

}  // namespace trigon
