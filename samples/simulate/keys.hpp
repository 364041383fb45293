// SPDX-License-Identifier: MIT
#pragma once

#include <trigon/tensor.hpp>

namespace simulate {

/// A random key that depends on another one and a whole number, such as a loop's step.
///
/// key, number : integers, shape ().
///
/// Returns uint32, shape ().
trigon::Tensor fold_in(const trigon::Tensor& key, const trigon::Tensor& number);

/// Uniform float32 numbers in [0, 1): those of random::uniform for the same key, which here may be
/// computed in a loop. key : an integer, shape ().
trigon::Tensor uniform(const trigon::Tensor& key, const trigon::Shape& shape);

/// Normal float32 numbers of mean 0 and deviation 1: those of random::normal for the same key.
trigon::Tensor normal(const trigon::Tensor& key, const trigon::Shape& shape);

/// Whole numbers in [0, below) as int32. `below` is at most 2^24.
trigon::Tensor integers(const trigon::Tensor& key, const trigon::Shape& shape, std::int64_t below);

}  // namespace simulate
