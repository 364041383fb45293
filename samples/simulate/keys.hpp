// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <trigon/random.hpp>

namespace simulate {

using trigon::random::fold_in;
using trigon::random::normal;
using trigon::random::uniform;

/// Whole numbers in [0, below) as int32. `below` is at most 2^24.
trigon::Tensor integers(const trigon::random::Key& key, const trigon::Shape& shape,
                        std::int64_t below);

}  // namespace simulate
