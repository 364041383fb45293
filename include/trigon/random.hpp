// SPDX-License-Identifier: MIT
#pragma once

#include <trigon/tensor.hpp>

// Random numbers are pure functions of a key and a position in C order: equal keys give equal
// numbers on every device, in any order of evaluation. Salmon et al., "Parallel random numbers: as
// easy as 1, 2, 3", SC 2011. A key is a run-time integer, so a new one reuses the plan.
//
// All raise Error when the key is not an integer or the shape holds 2^31 elements or more.
// Evaluating them on a webgl1 device raises DeviceError: it has no integers.

namespace trigon::random {

/// 32 random bits for each element, as uint32 of the given shape. Raises Error when the key is not
/// an integer; evaluating raises DeviceError on webgl1. Source: two rounds of the PCG hash,
/// Jarzynski and Olano, "Hash Functions for GPU Rendering", JCGT 2020.
Tensor bits(const Scalar& key, const Shape& shape);

/// Uniform float32 numbers in [low, high), multiples of 2^-24 of the interval past `low`. Raises
/// as bits().
Tensor uniform(const Scalar& key, const Shape& shape, double low = 0.0, double high = 1.0);

/// Normal float32 numbers, none farther than 5.77 standard deviations from the mean. Raises as
/// bits(). Source: Box and Muller, "A Note on the Generation of Random Normal Deviates", 1958.
Tensor normal(const Scalar& key, const Shape& shape, double mean = 0.0, double stddev = 1.0);

}  // namespace trigon::random
