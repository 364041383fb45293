// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "run/texture_pool.hpp"

namespace trigon::detail::run {

/// The texture in a slot of a plan, while the plan runs.
struct SlotTexture {
  PooledTexture* texture = nullptr;
  std::unique_ptr<PooledTexture> owned;  ///< of a value that only steps of the plan read
  bool kept = false;                     ///< a tensor will hold it
};

}  // namespace trigon::detail::run
