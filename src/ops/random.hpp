// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "core/rooms.hpp"
#include "trigon/random.hpp"

namespace trigon::detail::ops {

/// The upper and the lower 16 bits of random::bits(), as int32, in both profiles.
std::pair<Tensor, Tensor> halves(const random::Key& key, const Shape& shape);

}  // namespace trigon::detail::ops
