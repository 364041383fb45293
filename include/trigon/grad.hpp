// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <trigon/tensor.hpp>

namespace trigon {

/// The value of f at some inputs, and the map from the gradient of its result to the gradients of
/// its inputs.
struct Vjp {
  Tensor value;
  /// dy of value's shape -> one gradient an input. Made of the ordinary ops, so it can be
  /// differentiated again.
  std::function<std::vector<Tensor>(const Tensor& dy)> pullback;
};

/// Reverse-mode differentiation, graph in, graph out. f is called once, with the inputs themselves.
/// Raises Error when an input is not float32 or an op on the way has no gradient.
Vjp vjp(const std::function<Tensor(std::span<const Tensor>)>& f, std::span<const Tensor> inputs);

/// Gradients of a scalar-valued f at inputs. Raises Error when f's result has more than one
/// element.
std::vector<Tensor> grad(const std::function<Tensor(std::span<const Tensor>)>& f,
                         std::span<const Tensor> inputs);
inline Tensor grad(const std::function<Tensor(const Tensor&)>& f, const Tensor& x) {
  return grad([&f](std::span<const Tensor> in) { return f(in[0]); }, std::span(&x, 1))[0];
}

}  // namespace trigon
