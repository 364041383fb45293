// SPDX-License-Identifier: MIT
#pragma once

#include <trigon/tensor.hpp>

// Random numbers are pure functions of a key and a position in C order: equal keys give equal
// numbers on every device, in any order of evaluation. Salmon et al., "Parallel random numbers: as
// easy as 1, 2, 3", SC 2011. A key is a run-time integer, so a new one reuses the plan. In the body
// of a loop, fold_in makes a key of each step:
//
//   Tensor walk = fori_loop(0, 100, [](Tensor i, Tensor x) {
//     return x + random::normal(random::fold_in(7, i), x.shape());
//   }, zeros({1000}));
//
// All raise Error when the key is not an integer, when it does not broadcast to the shape, or when
// the shape holds 2^31 elements or more.
// Evaluating them on a webgl1 device raises DeviceError: it has no integers.

namespace trigon::random {

/// A run-time integer, or an integer tensor that broadcasts to the shape of the numbers: one of
/// shape (N, 1) gives each row a stream of its own.
class Key {
 public:
  template <HostScalar T>
  Key(T number) : value_(Scalar(number).tensor()) {}
  Key(const Scalar& scalar) : value_(scalar.tensor()) {}
  Key(const Tensor& value) : value_(value) {}

  const Tensor& value() const { return value_; }

 private:
  Tensor value_;
};

/// A key that depends on `key` and a number, such as the step of a loop: uint32 of the shape to
/// which both broadcast. JAX's `fold_in`. Raises Error when one is not an integer.
Tensor fold_in(const Key& key, const Key& number);

/// 32 random bits for each element, as uint32 of the given shape. Raises Error when the key is not
/// an integer; evaluating raises DeviceError on webgl1. Source: two rounds of the PCG hash,
/// Jarzynski and Olano, "Hash Functions for GPU Rendering", JCGT 2020.
Tensor bits(const Key& key, const Shape& shape);

/// Uniform float32 numbers in [low, high), multiples of 2^-24 of the interval past `low`. Raises
/// as bits().
Tensor uniform(const Key& key, const Shape& shape, double low = 0.0, double high = 1.0);

/// Normal float32 numbers, none farther than 5.77 standard deviations from the mean. Raises as
/// bits(). Source: Box and Muller, "A Note on the Generation of Random Normal Deviates", 1958.
Tensor normal(const Key& key, const Shape& shape, double mean = 0.0, double stddev = 1.0);

}  // namespace trigon::random
