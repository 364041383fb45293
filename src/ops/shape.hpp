// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/rooms.hpp"
#include "trigon/index.hpp"

// Helpers on shapes and axes.

namespace trigon::detail::ops {

/// Whether a product of sizes is 2^63 or more.
bool is_past_largest(std::int64_t a, std::int64_t b);
/// x with leading axes of size 1.
Tensor with_rank(const Tensor& x, int rank);
/// The shape of x without its last two axes.
Shape batch_of(const Tensor& x);
/// x[..., slice, ...] along the axis.
Tensor slice_along(const Tensor& x, int axis, const Slice& slice);

}  // namespace trigon::detail::ops
