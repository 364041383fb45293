// SPDX-License-Identifier: MIT
#pragma once

#include <trigon/tensor.hpp>

namespace trigon::random {

/// A counter-based stream: the same key and shape give the same numbers on every device and in any
/// order. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011. The key is a
/// run-time value, so a new one makes no new plan.
Tensor bits(const Scalar& key, const Shape& shape);

/// float32 in [low, high). Profile webgl2.
Tensor uniform(const Scalar& key, const Shape& shape, double low = 0.0, double high = 1.0);

/// float32 normal numbers by Box and Muller's transform. Profile webgl2.
Tensor normal(const Scalar& key, const Shape& shape, double mean = 0.0, double stddev = 1.0);

}  // namespace trigon::random
