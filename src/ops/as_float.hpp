// SPDX-License-Identifier: MIT
#pragma once

#include "core/rooms.hpp"
#include "trigon/tensor.hpp"

namespace trigon::detail::ops {

/// x itself, or as float32 if it is of integers or bool.
inline Tensor as_float(const Tensor& x) { return is_float(x.dtype()) ? x : x.astype(float32); }

}  // namespace trigon::detail::ops
