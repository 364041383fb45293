// SPDX-License-Identifier: MIT
#pragma once

#include "core/target.hpp"

// Descriptions of devices, to make and compare plans and shaders without one.

namespace trigon::detail::core {

/// The minimum that WebGL 1 guarantees (OpenGL ES 2.0, table 6.19), except for the side: it
/// guarantees 64 texels, but every driver with float targets has at least 2048.
inline Target webgl1_minimum() {
  return {.dialect = Dialect::es100,
          .draw_buffers = 1,
          .max_side = 2048,
          .max_layers = 1,
          .samplers = 8,
          .vertex_samplers = 0,
          .uniform_vectors = 16};
}

/// The minimum that OpenGL ES 3.0, and so WebGL 2, guarantees (tables 6.28 to 6.33).
inline Target es30_minimum() {
  return {.draw_buffers = 4,
          .max_side = 2048,
          .max_layers = 256,
          .samplers = 16,
          .uniform_vectors = 224};
}

/// Mesa's llvmpipe, with its quirk of fetching faster through texture().
inline Target llvmpipe() {
  return {.draw_buffers = 8,
          .max_side = 16384,
          .max_layers = 2048,
          .samplers = 16,
          .uniform_vectors = 4096,
          .sampler_fetch = true,
          .float_blend = true,
          .share_quads = true};
}

/// The same under profile webgl1.
inline Target llvmpipe_webgl1() {
  Target target = llvmpipe();
  target.dialect = Dialect::es100;
  target.draw_buffers = 1;
  target.max_layers = 1;
  target.float_blend = false;
  target.share_quads = false;
  return target;
}

/// NVIDIA's driver on an H200.
inline Target h200() {
  return {.draw_buffers = 8,
          .max_side = 32768,
          .max_layers = 2048,
          .samplers = 16,
          .uniform_vectors = 1024,
          .float_blend = true,
          .share_quads = true};
}

}  // namespace trigon::detail::core
