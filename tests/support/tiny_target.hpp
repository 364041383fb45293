// SPDX-License-Identifier: MIT
#pragma once

#include "core/targets.hpp"

namespace trigon::support {

/// llvmpipe with tight limits everywhere: most plans are cut, split into passes and folded into
/// layers.
inline core::Target tiny_target() {
  core::Target target = core::llvmpipe();
  target.draw_buffers = 4;
  target.max_side = 63;
  target.max_layers = 256;
  target.trip_limit = 64;
  target.samplers = 3;
  target.uniform_vectors = 20;
  return target;
}

}  // namespace trigon::support
